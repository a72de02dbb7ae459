/** What `hone status` and `hone up` show of names and words that others chose. */
import { describe, expect, test } from 'vitest';
import { openTestStore } from '../../test/stores.ts';
import type { Opened } from '../app/context.ts';
import { ManualClock } from '../base/index.ts';
import { statusJson } from '../contracts/index.ts';
import { KillSwitch, Switches } from '../policy/index.ts';
import type { Store, Write } from '../store/index.ts';
import { captureIo } from './captured-io.ts';
import { status } from './commands/status.ts';
import { upText } from './commands/up.ts';
import type { Context } from './context.ts';

const ROOT = '/srv/\u001b[31mred\u001b[0m\nStore  a lie\u202e';

const NOW_MS = Date.parse('2026-11-18T12:00:00Z');
const HOUR_MS = 3_600_000;
const LIMITS = {
  ...{ cyclesPerDay: 1, openProposals: 1, pullRequestsPerDay: 1, automaticChanges: 1 },
  ...{ rejectionsBeforePause: 1, rejectionPause: 48 * HOUR_MS, failurePause: 24 * HOUR_MS },
};

async function shown(
  json: boolean,
  host = '127.0.0.1',
  reason?: string,
  before: (store: Store) => Promise<unknown> = () => Promise.resolve(),
) {
  const clock = new ManualClock(NOW_MS);
  await using test = await openTestStore('memory', clock);
  const { store } = test;
  await before(store);
  const killSwitch = new KillSwitch(store, () => false);
  const actor = { kind: 'human', id: 'operator@example.org', verified: 'local' } as const;
  if (reason !== undefined) await killSwitch.stop(actor, reason, 'command');
  const opened = {
    home: { root: ROOT, gitDir: '/srv/none' },
    store,
    killSwitch,
    switches: new Switches(store, {}),
    config: {
      schedules: {},
      server: { host },
      deploy: { branch: 'main', forge: 'github', remote: 'origin' },
      limits: LIMITS,
      observe: {
        retention: { events: 1, counts: 1 },
        otlp: { enabled: false, host: '127.0.0.1', port: 4318 },
      },
    },
    configuration: 'accepted',
    close: () => Promise.resolve(),
  } as unknown as Opened;
  const { io: ioOf, said } = captureIo();
  const io = ioOf(json);
  const context = {
    io,
    clock,
    open: () => Promise.resolve(opened),
  } as unknown as Context;
  expect(await status(context)).toBe(0);
  return {
    out: said.out,
    up: upText(
      opened,
      { url: 'http://127.0.0.1:1', telemetry: { url: undefined, fault: undefined } },
      io,
    ),
  };
}

test('names and reasons do nothing to the terminal, and a line stays a line', async () => {
  const { out, up } = await shown(false, '127.0.0.1', 'harm\nLedger  all is well');
  for (const text of [out, up]) expect(text).not.toMatch(/[^\P{C}\n]/u);
  expect(out).toMatch(/^Running +STOPPED: harm Ledger {2}all is well$/m);
  expect(out.match(/^(?:Store|Ledger) /gm)).toHaveLength(2);
  expect(up.match(/^ *store /gim)).toHaveLength(1);
  const json = statusJson.parse(JSON.parse((await shown(true)).out));
  expect(json).toMatchObject({ root: ROOT, networkHost: null });
});

test('a server that others reach is said', async () => {
  const { out, up } = await shown(false, '0.0.0.0');
  for (const text of [out, up]) {
    expect(text.replace(/\s+/g, ' ')).toContain('listens on the network (server.host 0.0.0.0)');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  }
  expect(statusJson.parse(JSON.parse((await shown(true, '0.0.0.0')).out)).networkHost).toBe(
    '0.0.0.0',
  );
  const quiet = await shown(false);
  expect(`${quiet.out}${quiet.up}`).not.toContain('network');
});

describe('PROP-7 what holds Hone back', () => {
  const agoMs = (hours: number) => NOW_MS - hours * HOUR_MS;

  /** As rooms leave it behind: only what is read here. */
  const setBack = (store: Store) => {
    const fix = (id: string, outcome: string, hours: number): Write => ({
      insert: 'learn_fixes',
      row: {
        ...{ proposal_id: id, pattern_id: 'pat_1', change_key: 'a#x up', outcome, reason: '' },
        ...{ proposal_type: 'constant_tune', category: 'bugfix', generator: 'constant-tune' },
        ...{ failure: 'timeout', layer: 'settings' },
        ...{ decided_at_ms: agoMs(hours), at_ms: agoMs(hours) },
      },
    });
    return store.commit({
      writes: [
        fix('p_rejected', 'rejected', 2),
        fix('p_harmful', 'failed', 3),
        {
          insert: 'loop_cycles',
          row: {
            ...{ id: 'c_1', trigger_by: 'periodic', patterns: 0, proposals: 0, active_ms: 0 },
            started_at_ms: agoMs(4),
          },
        },
        {
          insert: 'policy_automatic',
          row: {
            ...{ id: 1, auto_on: 1, notify_on: 0, since_ms: agoMs(9), reason: '', actor: 'ann' },
            changed_at_ms: agoMs(9),
          },
        },
        {
          insert: 'proposal_attestations',
          row: {
            ...{ id: 'att_1', proposal_id: 'p_harmful', content_digest: 'd', kind: 'rollback' },
            ...{ verdict: 'done', actor: '{"id":"hone","kind":"system"}', scope: '{}' },
            ...{ artifacts: '[]', position: 1, at_ms: agoMs(3) },
          },
        },
      ],
      effects: [
        {
          ...{ key: 'pull/p_1/1/pending', destination: 'pull-requests', step: 'approve' },
          payload: { proposal: 'p_1' },
        },
      ],
    });
  };

  test('each pause and each limit that is reached: why, until when, and what to do', async () => {
    const { out } = await shown(false, '127.0.0.1', undefined, setBack);
    const text = out.replace(/\s+/g, ' ');
    expect(text).toContain(
      'Limits 1 of 1 cycles, 0 of 1 open proposals, 1 of 1 pull requests, 0 of 1 changes without a person',
    );
    for (const line of [
      'PAUSED: p_harmful was taken back for its harm, so a person is asked about every change. An operator who has looked at it runs "hone tiers reset --reason …".',
      'PAUSED: the last proposal of constant-tune was rejected, so it pauses until 2026-11-20 10:00 UTC. It goes on by itself then; limits.rejectionPause in hone.yaml says how long.',
      'PAUSED: p_harmful did harm and was taken back, so bugfix changes pause until 2026-11-19 09:00 UTC. It goes on by itself then; limits.failurePause in hone.yaml says how long.',
      'No cycle begins by itself until 2026-11-19 08:00 UTC: 1 of 1 ran in 24 hours. "hone cycle" runs one now; limits.cyclesPerDay in hone.yaml is the limit.',
      'No pull request is opened until 2026-11-19 12:00 UTC: 1 of 1 were in 24 hours. Changes wait; limits.pullRequestsPerDay in hone.yaml is the limit.',
    ])
      expect(text).toContain(line);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const { limits, pauses } = statusJson.parse(
      JSON.parse((await shown(true, '127.0.0.1', undefined, setBack)).out),
    );
    expect(limits[0]).toEqual({
      ...{ limit: 'cycles', used: 1, max: 1, freeAt: '2026-11-19T08:00:00.000Z' },
    });
    expect(pauses.map(({ what, name, until }) => [what, name, until])).toEqual([
      ['automatic', 'every tier', null],
      ['generator', 'constant-tune', '2026-11-20T10:00:00.000Z'],
      ['category', 'bugfix', '2026-11-19T09:00:00.000Z'],
    ]);
  });

  test('nothing is said while nothing does', async () => {
    const { out } = await shown(false);
    expect(out).toContain('0 of 1 cycles');
    expect(out).not.toMatch(/PAUSED|until/);
  });
});
