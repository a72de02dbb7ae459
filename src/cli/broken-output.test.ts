/** Real processes whose standard output is a full disk, or a pipe that nobody reads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';

const UNHANDLED = /^ {4}at |defect|Unhandled/m;
const SOURCE = new URL('../main.ts', import.meta.url).pathname;

async function ended(args: readonly string[], stdout: number | 'pipe') {
  const child = spawn(process.execPath, [SOURCE, ...args], { stdio: ['ignore', stdout, 'pipe'] });
  child.stdout?.destroy();
  let err = '';
  child.stderr!.on('data', (chunk) => {
    err += chunk;
  });
  const [exit] = await once(child, 'close');
  return { exit, err };
}

test.runIf(existsSync('/dev/full')).each([[['--version']], [['nonsense', '--json']]])(
  'hone %j to a full disk: one line, exit 4',
  async (args) => {
    const full = openSync('/dev/full', 'w');
    const { exit, err } = await ended(args, full);
    closeSync(full);
    expect(exit).toBe(4);
    expect(err.match(/^hone: Cannot write to standard output \(ENOSPC\)/gm)).toHaveLength(1);
    expect(err).not.toMatch(UNHANDLED);
  },
);

test('hone --help to a pipe that nobody reads: quiet, with its own exit code', async () => {
  const { exit, err } = await ended(['--help'], 'pipe');
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
});
