/** What a look at a change on probation leads to. */
import { expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { readDossier } from '../proposal/index.ts';
import { recordBegan, recordRollbackProposed } from './change-store.ts';
import { judged, lookAfter } from './probation.ts';
import type { Probation } from './probation-rows.ts';
import { deployed } from './watches.test-support.ts';
import type { Harmed } from './wide-look.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FROM = Date.UTC(2026, 2, 16);
const settings = { lateHarm: 'propose' } as Parameters<typeof judged>[2]['settings'];
const PROBATION: Probation = {
  proposalId: 'p_1',
  fromMs: FROM,
  untilMs: FROM + 14 * DAY,
  endedAtMs: null,
  benefit: null,
  rollback: null,
};
const PROPOSED = { ...PROBATION, rollback: { why: 'harm', sinceMs: FROM + 2 * DAY } };

const harmed = (probability: number): Harmed =>
  ({
    finding: {
      series: { agent: 'auditor', tool: 'search', measure: 'failures' },
      observed: { bad: 9, all: 30 },
      expectedBad: 1,
      increase: 8,
      onsetMs: FROM + DAY,
    },
    suspicions: [{ proposalId: 'p_1', probability }],
    load: undefined,
  }) as unknown as Harmed;
const look = (probation: Probation, seen: Partial<Parameters<typeof judged>[1]>, atMs: number) =>
  judged(probation, { harmed: undefined, seenMs: undefined, ...seen }, { nowMs: atMs, settings });
const entriesOf = (step: ReturnType<typeof look>) => (step.entries ?? []).map(({ type }) => type);

test('a likely cause is proposed to be taken back; one that is less likely as an experiment', () => {
  const likely = look(PROBATION, { harmed: harmed(0.9) }, FROM + 2 * DAY);
  expect(entriesOf(likely)).toEqual(['monitor.rollback_proposed']);
  expect(likely.did).not.toContain('experiment');
  const tried = look(PROBATION, { harmed: harmed(0.6) }, FROM + 2 * DAY);
  expect(entriesOf(tried)).toEqual(['monitor.rollback_proposed']);
  expect(tried.did).toContain('is an experiment');
  expect(entriesOf(look(PROBATION, { harmed: harmed(0.4) }, FROM + 2 * DAY))).toEqual([]);
});

test('a proposed rollback stays while its harm was seen in the last three days, whatever else is there', () => {
  const seenMs = FROM + 6 * DAY;
  for (const at of [seenMs + HOUR, seenMs + 3 * DAY - HOUR]) {
    expect(entriesOf(look(PROPOSED, { seenMs }, at))).toEqual([]);
    expect(entriesOf(look(PROPOSED, { seenMs, harmed: harmed(0.1) }, at))).toEqual([]);
  }
  const over = look(PROPOSED, { seenMs, harmed: harmed(0.1) }, seenMs + 3 * DAY);
  expect(entriesOf(over)).toEqual(['monitor.rollback_withdrawn']);
});

test('after the end of a probation that goes on it is looked at every hour, not all the time', () => {
  const endMs = PROBATION.untilMs;
  const step = look(PROPOSED, { seenMs: endMs - HOUR }, endMs);
  expect(step.did).toContain('stays on probation while its rollback is proposed');
  expect(step.dueAtMs).toBeGreaterThan(endMs);
  expect(step.dueAtMs).toBeLessThanOrEqual(endMs + HOUR + 6 * 60_000);
});

const open = storePerTest('memory');

test('a rollback that is proposed outlives the probation, and both end when the harm is forgotten', async () => {
  const { store, clock } = open();
  const watched = await deployed(open());
  await watched.take(await watched.look());
  const nowMs = clock.nowMs();
  const parts = [
    recordBegan(watched.id, { fromMs: watched.deployedAtMs, untilMs: nowMs + DAY }, nowMs),
    recordRollbackProposed(watched.id, { why: 'harm', probability: 0.9 }, nowMs),
  ];
  await store.commit({ writes: parts.flatMap(({ writes }) => writes) });
  const lookNow = async () => lookAfter(await readDossier(store, watched.id), watched.ports());
  clock.advance(DAY);
  const kept = await lookNow();
  expect(entriesOf(kept)).toEqual([]);
  expect(kept.dueAtMs).toBeGreaterThan(clock.nowMs());
  clock.advance(2 * DAY);
  const over = await lookNow();
  expect(entriesOf(over)).toEqual(['monitor.rollback_withdrawn', 'monitor.probation_ended']);
  expect(over.dueAtMs).toBeUndefined();
});
