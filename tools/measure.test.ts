import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run } from '../test/cli.ts';

const SCORE = fileURLToPath(new URL('../score/run.ts', import.meta.url));
const score = (...args: string[]) =>
  run([process.execPath, SCORE, ...args], process.cwd(), { PATH: process.env['PATH'] ?? '' });

test('what cannot be read is answered with the usage, and with the names that there are', async () => {
  const asked = await score('--help');
  expect(asked).toMatchObject({ exit: 0, err: '' });
  expect(asked.out).toContain('Usage: npm run -s score');
  expect(asked.out).not.toContain('.test');
  const wrong = await score('--sead', '2');
  expect(wrong).toMatchObject({ exit: 2, out: '' });
  expect(wrong.err).toContain("Unknown option '--sead'");
  expect(wrong.err).toContain('Usage: npm run -s score');
  expect(await score('nothing')).toMatchObject({ exit: 2 });
});
