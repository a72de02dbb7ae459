/** The reporter in a run of its own: what it lets pass, and what ends the run with a failure. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../test/cli.ts';

const VITEST = new URL('../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
const REPORTER = new URL('./closing-line.ts', import.meta.url).pathname;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hone-reporter-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A run of these files by a project that claims STORE-1 and LEASE-1. */
async function runTests(
  files: Readonly<Record<string, string>>,
  { args = [] as string[], ci = false } = {},
) {
  mkdirSync(join(root, 'src'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'src', name), text);
  const reporters = [[REPORTER, { claimed: ['STORE-1', 'LEASE-1'] }]];
  const config = { test: { globals: true, include: ['src/*.test.ts'], reporters } };
  writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};\n`);
  const environment = { PATH: process.env['PATH'] ?? '', ...(ci ? { CI: 'true' } : {}) };
  const command = [process.execPath, VITEST, 'run', '--root', root, ...args];
  const { exit, out } = await run(command, root, environment);
  return { exit, said: out.trim().split('\n') };
}

const STORE = "test('STORE-1 is there', () => {});\n";
const LEASE = "describe('LEASE-1 leases', () => { test('hold', () => {}); });\n";

test('a claim is proven by a test that ran and passed', async () => {
  const { exit, said } = await runTests({ 'a.test.ts': STORE, 'b.test.ts': LEASE });
  expect(exit).toBe(0);
  expect(said.at(-1)).toBe('2 passed, 0 failed, 0 skipped');
  const slowest = said.slice(said.indexOf('The slowest tests:') + 1, -1).toSorted();
  expect(slowest).toEqual([
    expect.stringMatching(/^ {3}\d\.\d s {2}src\/[ab]\.test\.ts > /),
    expect.stringMatching(/^ {3}\d\.\d s {2}src\/[ab]\.test\.ts > /),
  ]);
});

test('a skipped test proves nothing, and is counted and named', async () => {
  const skipped = LEASE.replace('test(', 'test.skip(');
  const { exit, said } = await runTests({ 'a.test.ts': STORE, 'b.test.ts': skipped });
  expect(exit).toBe(1);
  expect(said).toContain('SKIPPED: src/b.test.ts > LEASE-1 leases > hold');
  expect(said).toContain('UNPROVEN: LEASE-1 is claimed, and no test that names it ran and passed');
  expect(said.at(-1)).toBe('1 passed, 1 failed, 1 skipped');
});

test('a failed test proves nothing', async () => {
  const failing = LEASE.replace('() => {})', "() => { throw new Error('no'); })");
  const { exit, said } = await runTests({ 'a.test.ts': STORE, 'b.test.ts': failing });
  expect(exit).toBe(1);
  expect(said).toContain('UNPROVEN: LEASE-1 is claimed, and no test that names it ran and passed');
  expect(said.at(-1)).toBe('1 passed, 2 failed, 0 skipped');
});

test.each([['src/a.test.ts'], ['-t', 'STORE-1']])(
  'a run of %s alone is not held to the claims',
  async (...args) => {
    const { exit, said } = await runTests({ 'a.test.ts': STORE, 'b.test.ts': LEASE }, { args });
    expect(exit).toBe(0);
    expect(said.join('\n')).not.toContain('UNPROVEN');
  },
);

test('what is skipped for want of a part of the system is a failure under CI=true', async () => {
  const skipped = "test.skipIf(true)('needs strace', () => {});\n";
  const files = { 'a.test.ts': STORE, 'b.test.ts': LEASE + skipped };
  const there = await runTests(files);
  expect(there.exit).toBe(0);
  expect(there.said.at(-1)).toBe('2 passed, 0 failed, 1 skipped');
  rmSync(join(root, 'src'), { recursive: true });
  const { exit, said } = await runTests(files, { ci: true });
  expect(exit).toBe(1);
  expect(said).toContain('SKIPPED: src/b.test.ts > needs strace');
  expect(said).toContain(
    'Skipped tests count as failures under CI=true: run "npm run setup" first.',
  );
  expect(said.at(-1)).toBe('2 passed, 1 failed, 0 skipped');
});
