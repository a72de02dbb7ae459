import { expect, test } from 'vitest';
import { type Suspect, tieBack } from './tie-back.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const suspect = (more: Partial<Suspect>): Suspect => ({
  proposalId: 'p_1',
  startedAtMs: 0,
  ring: 0,
  sharers: 'none',
  isElsewhere: false,
  load: undefined,
  ...more,
});
const probability = (atMs: number, ...suspects: Suspect[]) => between(atMs, atMs, ...suspects);
const between = (lowMs: number, highMs: number, ...suspects: Suspect[]) =>
  tieBack({ lowMs, highMs }, suspects).find(({ proposalId }) => proposalId === 'p_1')!.probability;

const never = { spells: 0, byChance: 1 };
const byLoad = { outside: 0.9, footprint: 1.9, butFor: { low: 0.9, high: 1 }, ...never };
const asBefore = { outside: 0, footprint: 1.9, butFor: null, ...never };

test('harm right after a change that others do not have is its own', () => {
  expect(probability(HOUR / 2, suspect({ sharers: 'well', load: asBefore }))).toBeGreaterThan(0.8);
});

test('an outage hours after a change is not: the load is as before, and others have it too', () => {
  expect(probability(8 * HOUR, suspect({ load: asBefore }))).toBeLessThan(0.3);
  expect(probability(8 * HOUR, suspect({ ring: 1, load: asBefore }))).toBeLessThan(0.1);
  expect(probability(HOUR, suspect({ isElsewhere: true, load: asBefore }))).toBeLessThan(0.3);
});

test('harm by load that the change is needed for is its own, however late', () => {
  expect(probability(4 * DAY, suspect({ ring: 1, load: byLoad }))).toBeGreaterThan(0.9);
  const free = { ...byLoad, butFor: { low: 0, high: 0.05 } };
  expect(probability(4 * DAY, suspect({ ring: 1, load: free }))).toBeLessThan(0.1);
  const strange = { ...byLoad, footprint: 1, butFor: null };
  expect(probability(4 * DAY, suspect({ ring: 1, load: strange }))).toBeLessThan(0.3);
});

test('a place that was ill by itself before is rather ill by itself again', () => {
  const late = (spells: number, byChance: number) =>
    probability(5 * DAY, suspect({ ring: 1, load: { ...byLoad, spells, byChance } }));
  expect(late(0, 1)).toBeGreaterThan(0.9);
  expect(late(3, 0.2)).toBeLessThan(0.2);
  // On the fourth day on which it is ill whenever that load is met, that is no chance any more.
  expect(late(3, 0.2 ** 4)).toBeGreaterThan(0.8);
});

test('traffic that grows by itself days after a change is not its doing, even where it applies to everything', () => {
  const grown = { outside: 1, footprint: 0.97, butFor: null, ...never };
  expect(probability(2 * DAY, suspect({ load: grown }))).toBeLessThan(0.3);
  expect(probability(2 * DAY, suspect({ load: { ...grown, footprint: 1.2 } }))).toBeGreaterThan(
    0.8,
  );
  // Right after it, it is open whether the traffic or the change did it.
  expect(probability(HOUR / 4, suspect({ load: grown }))).toBeGreaterThan(0.5);
});

test('a tool that some use without trouble did not change, and a known latency is no excuse', () => {
  const well = (load: Suspect['load']) => probability(5 * HOUR, suspect({ sharers: 'well', load }));
  expect(well(asBefore)).toBe(well(undefined));
  const alone = (load: Suspect['load']) => probability(HOUR, suspect({ load }));
  expect(alone(asBefore)).toBe(alone(undefined));
  expect(probability(HOUR, suspect({ sharers: 'ill', load: asBefore }))).toBeLessThan(
    alone(asBefore),
  );
});

test('a tool that is slow for everybody did not become so by a change to one of them', () => {
  expect(probability(0, suspect({ sharers: 'ill' }))).toBeLessThan(0.6);
  expect(probability(0, suspect({ sharers: 'none' }))).toBeGreaterThan(0.8);
});

test('others at the tool who are not seen to be well leave it open', () => {
  const soon = (sharers: Suspect['sharers']) =>
    probability(0, suspect({ sharers, load: asBefore }));
  expect(soon('none')).toBeGreaterThan(0.8);
  expect(soon('unclear')).toBeLessThan(0.8);
  expect(soon('well')).toBeGreaterThan(soon('none'));
});

test('what began before the change is not its doing', () => {
  expect(probability(-2 * HOUR, suspect({ sharers: 'well' }))).toBeLessThan(0.05);
  expect(probability(0, suspect({ sharers: 'well', wasSlower: true }))).toBeLessThan(0.2);
  // A whole hour of it was over when the change came; of the hour that the change came in nobody knows.
  expect(probability(-HOUR, suspect({ sharers: 'well' }))).toBeLessThan(0.2);
  expect(probability(-HOUR + 1, suspect({ sharers: 'well' }))).toBeGreaterThan(0.9);
});

test('of two changes the one that fits takes the blame from the other', () => {
  const newer = suspect({ proposalId: 'p_2', startedAtMs: 9.9 * HOUR, sharers: 'well' });
  const alone = probability(10 * HOUR, suspect({}));
  expect(probability(10 * HOUR, suspect({}), newer)).toBeLessThan(alone / 5);
});

test('where harm may have begun at any time of many days, the change is as old as on most of them', () => {
  const open = suspect({ load: { ...asBefore, footprint: 1 } });
  expect(between(0, 5 * DAY, open)).toBeLessThan(0.3);
  expect(between(0, 5 * DAY, open)).toBeGreaterThan(between(5 * DAY, 5 * DAY, open));
  // An interval of a minute is no other than a moment.
  expect(between(DAY, DAY + 60_000, open)).toBeCloseTo(between(DAY, DAY, open), 2);
  expect(between(0, 5 * DAY, suspect({ sharers: 'well' }))).toBeGreaterThan(0.7);
});
