/** One PostgreSQL per test run, shared by all test files; each suite gets databases of its own. */
import type { TestProject } from 'vitest/node';
import { makeTemplate } from './postgres-database.ts';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  await makeTemplate(server.url);
  project.provide('postgresUrl', server.url);
  return () => server.stop();
}
