import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('./postgres-server.ts', import.meta.url).href;

test.each([0, 1, 4])('a process that could start PostgreSQL keeps its exit code %i', (code) => {
  const script = `await import(${JSON.stringify(MODULE)}); process.exitCode = ${code};`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { encoding: 'utf8', timeout: 60_000 },
  );
  expect(stderr).toBe('');
  expect(status).toBe(code);
});
