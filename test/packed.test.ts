/** What is published works where it is installed, with plain Node and nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, makeInstallation } from './cli.ts';
import { type PackedHone, packHone } from './packed.ts';

let packed: PackedHone;
let here: Installation;
beforeAll(() => {
  packed = packHone();
  here = makeInstallation({ bin: [process.execPath, packed.bin] });
}, 120_000);
afterAll(() => {
  here[Symbol.dispose]();
  packed[Symbol.dispose]();
});

test('hone --version', async () => {
  expect(await here.hone('--version')).toMatchObject({ exit: 0, out: '0.2.0\n', err: '' });
});

test('hone init, status, and a verified ledger', async () => {
  expect((await here.hone('init')).out).toContain('Hone is set up');
  expect((await here.hone('status')).out).toMatch(/Configuration +accepted/);
  expect((await here.hone('token', 'list')).out).toContain('operator');
  expect((await here.hone('ledger', 'verify')).out).toContain('Verified 3 entries.');
});
