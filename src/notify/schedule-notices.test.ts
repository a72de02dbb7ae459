import { expect, test } from 'vitest';
import type { FinishedRun } from '../schedule/index.ts';
import { type NotifyRule, scheduleNotices } from './index.ts';

const CHANNELS = ['terminal'];
const DUE_MS = Date.UTC(2026, 5, 1, 2);
const ALL: readonly NotifyRule[] = (
  ['error', 'timeout', 'missed', 'proposal_created'] as const
).map((on) => ({ on, to: `who-${on}` }));

const run = (changes: Partial<FinishedRun>): FinishedRun => ({
  name: 'selfEvaluation',
  dueAtMs: DUE_MS,
  outcome: 'done',
  missed: 0,
  lateMs: 0,
  error: null,
  ...changes,
});
const told = (changes: Partial<FinishedRun>, rules = ALL) =>
  scheduleNotices(run(changes), { rules, step: 'diagnose', channels: CHANNELS });
const payloads = (changes: Partial<FinishedRun>) =>
  told(changes).map(({ payload }) => payload as { to: string; title: string; text: string });

test.each<[string, Partial<FinishedRun>, string[]]>([
  ['went well', {}, []],
  ['was skipped', { outcome: 'skipped', error: '4 ran' }, []],
  ['failed', { outcome: 'failed', error: 'no disk' }, ['who-error']],
  ['took too long', { outcome: 'timed_out', error: 'took longer than 1 ms' }, ['who-timeout']],
  ['came after others were missed', { missed: 3 }, ['who-missed']],
  ['began late', { lateMs: 7 * 3_600_000 }, ['who-missed']],
  ['began a minute late', { lateMs: 60_000 }, []],
  ['failed, late', { outcome: 'failed', error: 'x', missed: 1 }, ['who-error', 'who-missed']],
])('SCHED-1 a run that %s tells whom its rules name', (_, changes, recipients) => {
  expect(payloads(changes).map(({ to }) => to)).toEqual(recipients);
});

test('SCHED-1 the words say what happened, when, and where to look', () => {
  const [failed] = payloads({ outcome: 'failed', error: 'no disk' });
  expect(failed).toMatchObject({
    severity: 'high',
    title: 'The schedule selfEvaluation failed',
    text: 'no disk See "hone schedule list".',
  });
  expect(payloads({ missed: 3 })[0]!.text).toContain(
    'It was due at 2026-06-01 02:00 UTC, and 3 more times passed while nothing ran',
  );
});

test('SCHED-1 one of a kind and day is one effect; another day, kind or recipient is another', () => {
  const failed = { outcome: 'failed', error: 'x' } as const;
  const key = (changes: Partial<FinishedRun>, rules?: readonly NotifyRule[]) =>
    told(changes, rules)[0]!.key;
  expect(key({ ...failed, dueAtMs: DUE_MS + 300_000, error: 'y' })).toBe(key(failed));
  const others = [
    key({ ...failed, dueAtMs: DUE_MS + 86_400_000 }),
    key({ ...failed, name: 'digest' }),
    key({ outcome: 'timed_out', error: 'x' }),
    key(failed, [{ on: 'error', to: `${'x'.repeat(199)}a` }]),
    key(failed, [{ on: 'error', to: `${'x'.repeat(199)}b` }]),
  ];
  expect(new Set([key(failed), ...others]).size).toBe(6);
});

test.each([
  ['monitor', 'monitor'],
  ['observe', 'notify'],
] as const)('SCHED-1 news about a schedule of %s are part of %s', (step, part) => {
  const failed = run({ outcome: 'failed', error: 'x' });
  const [notice] = scheduleNotices(failed, { rules: ALL, step, channels: CHANNELS });
  expect(notice!.step).toBe(part);
});
