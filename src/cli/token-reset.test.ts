/**
 * The way in when every operator's token is lost. It needs a terminal, which no child process of a test
 * has, so the command line runs in this process, with a person who answers.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock, seededRandom } from '../base/index.ts';
import { makeContext } from '../compose/context.ts';
import * as contracts from '../contracts/index.ts';
import { captureIo } from './captured-io.ts';
import { runCli } from './program.ts';

const DAY_MS = 86_400_000;

let folder: string;
let root: string;
let clock: ManualClock;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hone-reset-'));
  root = join(folder, 'agents');
  clock = new ManualClock(Date.UTC(2026, 2, 2));
  for (const part of ['objects', 'refs/heads'])
    mkdirSync(join(root, '.git', part), { recursive: true });
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'gitconfig'), '[user]\n\temail = operator@example.org\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const random = seededRandom(5);

/** `answer`: what somebody at the terminal types; nobody is there without it. */
async function hone(
  args: readonly string[],
  { answer, more = {} }: { answer?: (asked: string) => string; more?: object } = {},
) {
  const { io, said } = captureIo(
    answer === undefined ? {} : { ask: async (asked: string) => answer(asked) },
  );
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    ...more,
  };
  const surroundings = { clock, random, environment, cwd: root, simulated: true, io };
  const exit = await runCli(args, (json) => makeContext(json, '0', surroundings));
  return { exit, ...said, json: () => JSON.parse(said.out) as unknown };
}

/** Types what is asked for. */
const obedient = (asked: string) => /^Type (\S+) to go on: $/.exec(asked)![1]!;
const RESET = ['token', 'reset', 'second', '--reason', 'the laptop is gone'];
const status = async () =>
  contracts.statusJson.parse((await hone(['status', '--json'])).json()).tokensReset;
const valid = async () => {
  const { tokens } = contracts.tokenListJson.parse(
    (await hone(['token', 'list', '--json'])).json(),
  );
  return tokens.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
};

describe('hone token reset', () => {
  test('a person at a terminal becomes the operator, and nobody can overlook it for 7 days', async () => {
    const made = contracts.initJson.parse((await hone(['init', '--json'])).json());
    const old = { HONE_TOKEN: made.token!.secret };
    expect(await status()).toBeNull();
    const done = await hone([...RESET, '--json'], { answer: obedient });
    const { secret, revoked } = contracts.tokenResetJson.parse(done.json());
    expect(done).toMatchObject({ exit: 0 });
    expect(revoked).toEqual(['operator']);
    expect(done.err).toContain('Every operator');
    // Told at once to whoever gets notices; here that is the terminal.
    expect(done.err.replace(/\s+/g, ' ')).toContain(
      '[critical] The operators’ tokens were reset by operator@example.org the laptop is gone',
    );

    expect(await valid()).toEqual(['second']);
    expect((await hone(['token', 'add', 'x'], { more: old })).exit).toBe(1);
    const add = ['token', 'add', 'third', '--role', 'operator'];
    expect((await hone(add, { more: { HONE_TOKEN: secret } })).exit).toBe(0);

    clock.advance(7 * DAY_MS - 1000);
    expect(await status()).toMatchObject({
      by: 'operator@example.org',
      name: 'second',
      reason: 'the laptop is gone',
    });
    const text = (await hone(['status'])).out.replace(/\s+/g, ' ');
    expect(text).toContain('THE OPERATORS’ TOKENS WERE RESET on 2026-03-02');
    clock.advance(2000);
    expect(await status()).toBeNull();
    const shown = await hone(['ledger', 'show', '--subject', 'hone:tokens', '--json']);
    expect(contracts.ledgerShowJson.parse(shown.json()).entries).toMatchObject([
      { type: 'identity.token_added', data: { name: 'operator', how: 'first' } },
      { type: 'identity.token_revoked', data: { name: 'operator' } },
      { type: 'identity.token_added', data: { name: 'second', how: 'reset' } },
      { type: 'identity.tokens_reset', actor: { kind: 'human', id: 'operator@example.org' } },
      { type: 'identity.token_added', data: { name: 'third', how: 'granted' } },
    ]);
  });

  test('without a terminal, without the answer, or as an agent nothing happens', async () => {
    await hone(['init']);
    const refused = [
      await hone(RESET),
      await hone(RESET, { answer: () => 'yes' }),
      await hone(RESET, { answer: () => '' }),
      await hone(RESET, { answer: obedient, more: { CLAUDECODE: '1' } }),
      await hone(RESET, { answer: obedient, more: { HONE_AGENT: '1' } }),
    ];
    for (const { exit, out } of refused) expect([exit, out]).toEqual([1, '']);
    expect(refused.map(({ err }) => /terminal|Nothing was|agent/.exec(err)?.[0])).toEqual([
      'terminal',
      'Nothing was',
      'Nothing was',
      'agent',
      'agent',
    ]);
    expect(await valid()).toEqual(['operator']);
    expect(await status()).toBeNull();
    const wrong = await hone(['token', 'reset', 'Bad Name', '--reason', 'x'], { answer: obedient });
    expect(wrong).toMatchObject({ exit: 2 });
    expect(await valid()).toEqual(['operator']);
  });

  test('what is told holds nothing that moves a cursor', async () => {
    await hone(['init']);
    const reason = 'gone\u001b[2J\u202e\nreally';
    const done = await hone(['token', 'reset', 'second', '--reason', reason], { answer: obedient });
    const shown = await hone(['status']);
    expect(done.exit).toBe(0);
    expect(done.out + done.err + shown.out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });
});
