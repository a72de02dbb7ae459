/**
 * Attack: get a secret into the ledger, which keeps it for ever, by way of what a person or another program
 * says: reasons, names, bodies of requests, error messages.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AppContext } from '../../src/app/context.ts';
import { ManualClock, makeLog, silentLog } from '../../src/base/index.ts';
import { captureIo } from '../../src/cli/captured-io.ts';
import { reportError } from '../../src/cli/report-error.ts';
import * as contracts from '../../src/contracts/index.ts';
import { apiRoutes } from '../../src/http/index.ts';
import { noticeEffects, tellNews } from '../../src/notify/index.ts';
import { KillSwitch } from '../../src/policy/index.ts';
import { mask, RECORDED_MAX, recordText } from '../../src/sanitise/index.ts';
import { FORMS, NAMES } from '../../src/sanitise/secrets.test-support.ts';
import { type Installation, makeInstallation, type Run } from '../cli.ts';
import { recorded } from '../ledger.ts';
import { storePerTest } from '../timed-store.ts';

const KEY = `sk-ant-api03-${'aB3dE5gH7j'.repeat(4)}`;
const BODY = KEY.slice(13);

/** Everything that the installation keeps, byte for byte. */
async function kept(here: Installation): Promise<string> {
  const folder = await here.stateDir();
  const entries = await here.hone('ledger', 'show', '--limit', '1000', '--json');
  const files = ['control.db', 'control.db-wal'].map((name) => {
    try {
      return readFileSync(join(folder, name), 'latin1');
    } catch {
      return '';
    }
  });
  return [entries.out, ...files].join('\n');
}

describe('a secret in --reason', () => {
  async function refused(...args: string[]): Promise<{ run: Run; all: string }> {
    using here = makeInstallation({ inProcess: true });
    await here.stateDir();
    const run = await here.honeAsOperator(...args);
    return { run, all: `${run.out}${run.err}${await kept(here)}` };
  }

  test.each([
    [['stop-all', '--reason', `the key ${KEY} leaked`]],
    [['switch', 'set', 'vetting', 'enforce', '--reason', KEY]],
    [['switch', 'set', 'vetting', 'observe', '--reason', KEY]],
    [['ledger', 'rebuild', '--write', '--reason', KEY]],
    [['stop-all', '--json', '--reason', KEY]],
    [['stop-all', '--reason', `${KEY.slice(0, 20)}\u200b${KEY.slice(20)}`]],
  ])('%j is kept nowhere, and whoever typed it is told', async (args) => {
    const { run, all } = await refused(...args);
    expect(run.exit).toBe(0);
    expect(all).not.toContain(BODY);
    expect(all).not.toContain(KEY.slice(20));
    expect(run.err.replace(/\s+/g, ' ')).toContain('in --reason is masked');
  });

  test('resume, after a stop', async () => {
    using here = makeInstallation({ inProcess: true });
    await here.stateDir();
    await here.hone('stop-all');
    const run = await here.honeAsOperator('resume', '--reason', `rotated ${KEY}`, '--json');
    expect(run.exit).toBe(0);
    expect(`${run.out}${run.err}${await kept(here)}`).not.toContain(BODY);
    const { entries } = contracts.ledgerShowJson.parse(
      (await here.hone('ledger', 'show', '--json')).json(),
    );
    expect(JSON.stringify(entries)).toContain('rotated [REDACTED:API_KEY]');
  });

  test('the file STOP, where the store cannot be used', async () => {
    using here = makeInstallation({ inProcess: true });
    const folder = await here.stateDir();
    for (const name of ['control.db-wal', 'control.db-shm'])
      rmSync(join(folder, name), { force: true });
    writeFileSync(join(folder, 'control.db'), 'not a database');
    const run = await here.hone('stop-all', '--reason', KEY);
    expect(run.exit).toBe(0);
    expect(readFileSync(join(folder, 'STOP'), 'utf8')).toBe('[REDACTED:API_KEY]\n');
    expect(`${run.out}${run.err}`).not.toContain(BODY);
  });

  test('a reason without a secret is recorded as it was written, links and paths included', async () => {
    const reason = 'see https://tracker.example.org/incidents/42?tab=log and /srv/agents/a.yaml';
    using here = makeInstallation({ inProcess: true });
    await here.stateDir();
    const run = await here.hone('stop-all', '--reason', reason);
    expect(run.err).toBe('');
    expect(await kept(here)).toContain(reason);
  });
});

test('a secret as the address of a git identity is not recorded: the OS user is', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  const address = `${KEY}@x.example`;
  execFileSync('git', ['config', 'user.email', address], { cwd: here.repository });
  expect((await here.hone('stop-all', '--reason', 'look')).exit).toBe(0);
  const shown = await here.hone('ledger', 'show', '--json');
  expect(shown.out).toContain('policy.stopped');
  expect(shown.out).not.toContain(KEY);
});

test('a secret as the name of a token is refused, and not repeated', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  const name = `ghp_${'a1b2'.repeat(9)}`;
  const run = await here.honeAsOperator('token', 'add', name);
  expect(run.exit).toBe(2);
  expect(`${run.out}${run.err}${await kept(here)}`).not.toContain(name);
});

describe.each(['memory', 'postgres'] as const)('rooms and doors on %s', (kind) => {
  const open = storePerTest(kind);
  const actor = { kind: 'human', id: 'someone@corp.io', verified: 'token' } as const;

  test('a request to stop with a secret stops, records none of it, and says so', async () => {
    const killSwitch = new KillSwitch(open().store, () => false);
    const { store } = open();
    const config = { identity: { agents: [] } };
    const context = {
      door: 'http',
      open: async () => ({ store, killSwitch, config, close: async () => {} }),
    } as unknown as AppContext;
    const routes = apiRoutes({ context, clock: new ManualClock(), log: silentLog });
    const post = (path: string) => routes.find((one) => one.path === path)!;
    const body = { reason: `leaked: ${KEY}` };
    const request = { actor, body, params: {} } as unknown as Parameters<
      (typeof routes)[number]['handle']
    >[0];
    const answer = await post('/api/stop').handle(request);
    expect(answer).toMatchObject({ status: 200, body: { stopped: true, maskedInReason: 1 } });
    const resumed = await post('/api/resume').handle(request);
    expect(resumed).toMatchObject({ status: 200, body: { stopped: false, maskedInReason: 1 } });
    const rows = await open().store.all('SELECT * FROM policy_stops');
    const all = JSON.stringify([await recorded(open().store), rows]);
    expect(all).not.toContain(BODY);
    expect(all).toContain('leaked: [REDACTED:API_KEY]');
    // Who did it stays: that is what the record is for.
    expect(all).toContain('someone@corp.io');
  });

  test('a room that is called without a door cleans the reason itself', async () => {
    const killSwitch = new KillSwitch(open().store, () => false);
    await killSwitch.stop(actor, KEY, 'command');
    expect((await killSwitch.state()).reason).toBe('[REDACTED:API_KEY]');
  });
});

test('no kind of secret gets into the record, whatever stands around it', () => {
  const kinds = fc.oneof(...Object.values({ ...FORMS, ...NAMES }));
  const words = fc.string({ unit: 'grapheme', maxLength: 30 });
  fc.assert(
    fc.property(kinds, words, words, ({ text, hidden }, before, after) => {
      const { text: clean, masked } = recordText(`${before}\n${text}\n${after}`);
      for (const part of hidden) expect(clean).not.toContain(part);
      expect(masked).toBeGreaterThan(0);
      expect(recordText(clean)).toEqual({ text: clean, masked: 0 });
    }),
    { numRuns: 500 },
  );
});

test('the cut of a long reason leaves no half of a secret', () => {
  for (let before = RECORDED_MAX - KEY.length - 2; before <= RECORDED_MAX; before += 7) {
    const { text } = recordText(`${'x '.repeat(before / 2)} ${KEY} end`);
    expect(text).not.toContain('sk-ant');
    expect(text.length).toBeLessThanOrEqual(RECORDED_MAX);
  }
});

test('notices carry no secret to a channel, at once or later, and still say who did it', () => {
  const notice = {
    key: 'k',
    to: 'operator',
    title: `The gate was set by someone@corp.io`,
    text: `git said: https://app:hunter22@forge.corp.io refused ${KEY}`,
  } as const;
  const channels = ['terminal', 'webhook:a'];
  const told = [
    ...noticeEffects({ ...notice, severity: 'critical', step: 'notify' }, channels),
    tellNews({ ...notice, severity: 'low', step: 'notify' }, channels, 0),
  ];
  for (const one of told) {
    expect(JSON.stringify(one)).not.toMatch(new RegExp(`${BODY}|hunter22`));
    expect(JSON.stringify(one)).toContain('someone@corp.io');
  }
});

test('errors and log lines that quote another program hold no secret', () => {
  const lines: string[] = [];
  const clean = (text: string) => mask(text).text;
  const log = makeLog({
    clock: new ManualClock(0),
    level: 'debug',
    write: (line) => lines.push(line),
    clean,
  });
  log.error('a worker failed', { error: `fatal: ${KEY}\n-----BEGIN PRIVATE KEY-----\nMIIE` });
  expect(lines.join('')).not.toMatch(new RegExp(`${BODY}|MIIE`));
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'error', message: 'a worker failed' });

  const { io, said } = captureIo();
  reportError(new Error(`git: https://app:hunter22@forge.corp.io ${KEY}`), io(false), clean);
  expect(JSON.stringify(said)).not.toMatch(new RegExp(`${BODY}|hunter22`));
});
