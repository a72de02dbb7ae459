/**
 * One folder and one PostgreSQL per test run, shared by all test files. Temporary files of the tests are kept in
 * memory where the machine can; each suite gets databases of its own.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { memoryFolder } from './memory-folder.ts';
import { makeTemplate } from './postgres-database.ts';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(memoryFolder(), 'hone-tests-'));
  chmodSync(folder, 0o1777); // as the machine's own: some tests work as another user
  // The workers that run the tests are started later and inherit both.
  process.env['TMPDIR'] = folder;
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  const server = await startPostgres();
  await makeTemplate(server.url);
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
