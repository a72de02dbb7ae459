/**
 * One PostgreSQL per test run, shared by all test files; each suite gets databases of its own. Temporary files
 * are kept in memory where the machine can.
 */
import { mkdtempSync, rmSync } from 'node:fs';
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
  const place = memoryFolder();
  const compiled = mkdtempSync(join(place, 'hone-compiled-'));
  // The workers that run the tests are started later and inherit both.
  process.env['TMPDIR'] = place;
  process.env['NODE_COMPILE_CACHE'] = compiled;
  const server = await startPostgres();
  await makeTemplate(server.url);
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    rmSync(compiled, { recursive: true, force: true });
  };
}
