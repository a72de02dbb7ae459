/** What the command line refuses before any command's code is loaded. */
import { afterEach, expect, test, vi } from 'vitest';
import * as contracts from '../contracts/index.ts';
import type { Context } from './context.ts';
import { runCli } from './program.ts';

afterEach(() => vi.restoreAllMocks());

/** No command is reached, so nobody asks for a context. */
async function refused(...argv: string[]) {
  let [out, err] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
  const exit = await runCli(argv, (): Context => {
    throw new Error('a command was reached');
  });
  vi.restoreAllMocks();
  return { exit, out, err };
}

test.each(['70000', '65536', '-1', '80.5', 'http', ''])(
  'the port %j is refused as usage, with what a port is',
  async (port) => {
    const { exit, out, err } = await refused('up', '--port', port);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err.replace(/\s+/g, ' ')).toContain('whole number from 0 to 65535');
  },
);

test('what the command line does not know is said as every other error', async () => {
  expect(await refused('statu')).toEqual({
    exit: 2,
    out: '',
    err: "hone: Unknown command 'statu'.\n      Did you mean status?\n",
  });
  const { out, err } = await refused('status', '--jso', '--json');
  expect(err).toBe('');
  expect(contracts.errorJson.parse(JSON.parse(out))).toEqual({
    error: { code: 'usage', message: "Unknown option '--jso'.", hint: 'Did you mean --json?' },
  });
});

test.each([
  ['approve'],
  ['up', '--port', `\u001b[31m${'9'.repeat(30)} ${'8'.repeat(30)}`],
  ['token', 'add', 'x', '--role', 'nobody'],
  ['switch', 'set', 'vetting', 'maybe'],
  ['status', 'and', 'more'],
])('hone %s is refused in lines of 80 columns, and one document', async (...argv) => {
  const { exit, out, err } = await refused(...argv);
  expect({ exit, out }).toEqual({ exit: 2, out: '' });
  expect(err).toMatch(/^hone: [A-Z]/);
  expect(err).not.toMatch(/error:|[^.?]\n$/);
  expect(err).not.toContain('\u001b');
  for (const line of err.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const json = await refused(...argv, '--json');
  expect(json).toMatchObject({ exit: 2, err: '' });
  expect(contracts.errorJson.parse(JSON.parse(json.out)).error.code).toBe('usage');
});

test('help that was not asked for is no error with words of its own', async () => {
  const { exit, out, err } = await refused('ledger');
  expect({ exit, out }).toEqual({ exit: 2, out: '' });
  expect(err).toMatch(/^Usage: hone ledger/);
  expect(err).not.toContain('hone: ');
});
