import { expect, test } from 'vitest';
import type { FailureGroup, PlaceBin, TriesView } from '../../../facts/index.ts';
import { diagnoserContract } from '../../diagnoser-contract.test-support.ts';
import { latencies, WINDOW } from '../../failures.test-support.ts';
import { isMostlyTries, stormOf } from '../../retry-storm.ts';
import { countTries } from '../../tries-blocks.ts';
import { retryStorm } from './retry-storm.ts';

const MINUTE_MS = 60_000;
const RETRIES = 8;

/** A day by the minute: first tries in a wave, each tried again while it fails with the share of all tries. */
function day(
  shareOf: (tries: number) => number,
  { retries = RETRIES, triesFromMs = WINDOW.fromMs, wave = 8 } = {},
): Partial<FailureGroup> {
  const history: PlaceBin[] = [];
  const bins: TriesView['bins'][number][] = [];
  const chains = new Map<number, number>();
  for (let minute = 0; minute < 24 * 60; minute++) {
    const calls = 10 + Math.round(wave * Math.sin((minute / 1440) * 2 * Math.PI));
    let tries = calls;
    for (let step = 0; step < 50; step++) {
      const share = shareOf(tries);
      tries = (calls * (1 - share ** (retries + 1))) / (1 - share);
    }
    const share = shareOf(tries);
    const bad = Math.round(tries * share);
    const first = Math.round(calls * share);
    const atMs = WINDOW.fromMs + minute * MINUTE_MS;
    const all = Math.round(tries);
    history.push({
      ...{ atMs, bad, all, timed: all - bad, timedMs: 1000, toolCalls: all },
      ...{ othersCalls: 0, othersFailed: 0 },
    });
    if (atMs < triesFromMs) continue;
    bins.push({ atMs, first, again: bad - first });
    for (let failed = 1; failed <= retries + 1; failed++) {
      const left = calls * share ** failed;
      const ended = failed > retries ? left : left * (1 - share);
      chains.set(failed, (chains.get(failed) ?? 0) + ended);
    }
  }
  const failures = history.reduce((sum, one) => sum + one.bad, 0);
  const calls = history.reduce((sum, one) => sum + one.all, 0);
  const counted = [...chains].map(([failed, count]) => ({ failed, count: Math.round(count) }));
  const tries = { fromMs: triesFromMs, bins, chains: counted };
  return { history, tries, failures, calls };
}

/** Up to 14 tries a minute are served; with more it falls to its knees. */
const falls = (tries: number) => (tries > 14 ? 0.85 : 0.01);
const KNEES = day(falls);
/** From noon on every try fails. */
const ALL_FAIL = day((tries) => (tries > 10 ? 0.999 : 0.01), { wave: -8 });
const ALWAYS = day(() => 0.4);

/**
 * One call in ten fails at every try. Seldom called, a block that holds such a call has the most calls and the most
 * failures, though nothing in it comes from load.
 */
function inVain({ everyMinutes = 3, isVain = (call: number) => call % 10 === 0 } = {}) {
  const history: PlaceBin[] = [];
  const bins: TriesView['bins'][number][] = [];
  let vain = 0;
  for (let minute = 0, call = 0; minute < 24 * 60; minute += everyMinutes, call++) {
    const isBad = isVain(call);
    const [all, bad] = isBad ? [RETRIES + 1, RETRIES + 1] : [1, 0];
    if (isBad) vain++;
    const atMs = WINDOW.fromMs + minute * MINUTE_MS;
    history.push({
      ...{ atMs, bad, all, timed: all - bad, timedMs: 1000, toolCalls: all },
      ...{ othersCalls: 0, othersFailed: 0 },
    });
    bins.push({ atMs, first: Number(isBad), again: isBad ? RETRIES : 0 });
  }
  const chains = [{ failed: RETRIES + 1, count: vain }];
  const sum = (of: (bin: PlaceBin) => number) => history.reduce((n, bin) => n + of(bin), 0);
  const tries = { fromMs: WINDOW.fromMs, bins, chains };
  return { history, tries, failures: sum(({ bad }) => bad), calls: sum(({ all }) => all) };
}
const files = { 'agents/researcher.yaml': `web_search: { retries: ${RETRIES} }` };

const stormIn = ({ history, tries }: Partial<FailureGroup>) =>
  stormOf({ history: history!, tries: tries! }, { retries: RETRIES, windowFromMs: WINDOW.fromMs });

diagnoserContract({
  diagnoser: retryStorm,
  explains: [
    { groups: [KNEES], files },
    // It serves nobody any more, and keeps them all waiting.
    { groups: [{ ...ALL_FAIL, failedLatency: latencies([9000, 500]) }], files },
    { groups: [KNEES], files: { 'agents/researcher.yaml': 'web_search: { retry: { max: 8 } }' } },
    { groups: [KNEES], files: { 'agents/researcher.yaml': 'web_search: { max_attempts: 9 }' } },
  ],
  passesOver: [
    { groups: [KNEES] },
    { groups: [{ ...KNEES, tries: null }], files },
    // Failures that do not depend on load: fewer tries would lose more.
    { groups: [ALWAYS], files },
    // What is asked decides it: calls beside them succeed.
    { groups: [inVain()], files },
    // Hardly ever a call beside another: the tries are the load.
    { groups: [inVain({ everyMinutes: 7, isVain: (call) => call % 7 === 0 })], files },
    { groups: [KNEES], files: { 'agents/researcher.yaml': 'web_search: { retries: 1 }' } },
    // Every call is refused at once, however few there are: something else is wrong.
    { groups: [{ ...ALL_FAIL, failedLatency: latencies([3, 500]) }], files },
    { groups: [KNEES], files: { 'agents/writer.yaml': 'name: writer\nretries: 8' } },
  ],
});

test('where other calls succeed in the same minutes, what is asked fails each time, and not the tool', () => {
  // Two calls in some minutes, all of whose tries fail, among ten that succeed: the more tries, the more failures.
  const history: PlaceBin[] = [];
  const bins: TriesView['bins'][number][] = [];
  for (let minute = 0; minute < 24 * 60; minute++) {
    const bad = minute % 40 < 10 ? 2 * (RETRIES + 1) : 0;
    const atMs = WINDOW.fromMs + minute * MINUTE_MS;
    const all = 10 + bad;
    history.push({
      ...{ atMs, bad, all, timed: 10, timedMs: 1000, toolCalls: all },
      ...{ othersCalls: 0, othersFailed: 0 },
    });
    bins.push({ atMs, first: bad === 0 ? 0 : 2, again: Math.max(0, bad - 2) });
  }
  const chains = [{ failed: RETRIES + 1, count: 720 }];
  expect(stormIn({ history, tries: { fromMs: WINDOW.fromMs, bins, chains } })).toBeUndefined();
});

test('where no further try succeeds in minutes in which other calls do, the tool is ill without a load', () => {
  // From noon on seven calls of ten fail at each of their tries: by far the most tries are further ones, and most first ones fail.
  const ill = (call: number) => call >= 720 && (call * 7) % 10 < 7;
  const group = inVain({ everyMinutes: 1, isVain: ill });
  expect(stormIn(group)).toBeUndefined();
  // The last try of every sixth row succeeds: so few do where tries crowd into the worst minutes.
  let row = 0;
  const bins = group.tries.bins.map((bin) =>
    bin.again > 0 && ++row % 6 === 0 ? { ...bin, again: bin.again - 1 } : bin,
  );
  const saved = Math.floor(row / 6);
  const chains = [
    { failed: RETRIES + 1, count: row - saved },
    { failed: RETRIES, count: saved },
  ];
  expect(stormIn({ ...group, tries: { ...group.tries, bins, chains } })).toBeDefined();
});

test('others who wait longer are served by a tool on its knees, which says nothing of the tries of who does not', () => {
  const history = ALL_FAIL.history!.map((one) => ({
    ...{ ...one, toolCalls: one.toolCalls + 4, othersCalls: 4 },
  }));
  expect(stormIn({ ...ALL_FAIL, history })).toBeDefined();
  // Were they this agent's own, something else than load would decide it.
  const own = history.map((one) => ({ ...one, all: one.toolCalls, othersCalls: 0 }));
  expect(stormIn({ ...ALL_FAIL, history: own })).toBeUndefined();
});

test('near the edge a block with few first tries is explained by those that it has, though fewer would have let it get up', () => {
  const history: PlaceBin[] = [];
  const bins: TriesView['bins'][number][] = [];
  const block = (at: number, { all, first, again }: Record<'all' | 'first' | 'again', number>) => {
    const atMs = WINDOW.fromMs + at * 10 * MINUTE_MS;
    const bad = first + again;
    history.push({
      ...{ atMs, bad, all, timed: all - bad, timedMs: 1000, toolCalls: all },
      ...{ othersCalls: 0, othersFailed: 0 },
    });
    bins.push({ atMs, first, again });
  };
  // Eight hours on its knees: rows of tries that began in one block go on in the next, which has more tries than its own first ones make.
  for (let at = 0; at < 144; at++)
    if (at < 60 || at >= 108) block(at, { all: 20 + (at % 30), first: 0, again: 0 });
    else if (at % 2 === 0) block(at, { all: 199, first: 10, again: 186 });
    else block(at, { all: 150, first: 30, again: 100 });
  const chains = [
    { failed: 1, count: 61 },
    { failed: RETRIES + 1, count: 614 },
  ];
  const tries = { fromMs: WINDOW.fromMs, bins, chains };
  expect(stormIn({ history, tries })).toBeDefined();
  // As many rows that end after five tries: another number is at work.
  const shorter = [chains[0]!, { failed: 5, count: 1228 }];
  expect(stormIn({ history, tries: { ...tries, chains: shorter } })).toBeUndefined();
});

test('one failure that is told with two codes is all of it the tries of one agent', () => {
  const half = ALL_FAIL.history!.map((one) => ({ ...one, bad: Math.floor(one.bad / 2) }));
  const history = half.map((one) => ({
    ...{ ...one, toolCalls: one.toolCalls + 4, othersCalls: 4 },
  }));
  expect(stormIn({ ...ALL_FAIL, history })).toBeDefined();
});

test('where most calls are tries, that is known even if no cure is', () => {
  const tried = (group: Partial<FailureGroup>, retries: number) =>
    isMostlyTries({ history: group.history!, tries: group.tries! }, retries);
  expect(tried(KNEES, RETRIES)).toBe(true);
  expect(tried(KNEES, 1)).toBe(false);
  expect(tried(ALWAYS, RETRIES)).toBe(false);
});

test('fewer tries are at most four times fewer, and predicted to lose hardly more', () => {
  const storm = stormIn(KNEES)!;
  expect(storm.fewer).toBeGreaterThanOrEqual(2);
  expect(storm.fewer).toBeLessThan(RETRIES);
  expect(storm.then.tries).toBeLessThan(storm.now.tries / 1.5);
});

test('minutes older than the counted tries are not read as hours', () => {
  const storm = stormIn(day(falls, { triesFromMs: WINDOW.fromMs + 6 * 60 * MINUTE_MS }));
  expect(storm?.fewer).toBe(stormIn(KNEES)!.fewer);
});

test("what others do at the tool is neither this agent's loss nor its cure", () => {
  const history = KNEES.history!.map((one) => ({
    ...one,
    all: Math.round(one.all / 4),
    othersCalls: one.toolCalls - Math.round(one.all / 4),
  }));
  const chains = KNEES.tries!.chains.map(({ failed, count }) => ({
    failed,
    count: Math.round(count / 4),
  }));
  const quarter = { history, tries: { ...KNEES.tries!, chains } };
  const counted = countTries({ ...quarter, windowFromMs: WINDOW.fromMs }, RETRIES);
  expect(counted.own.share).toBeCloseTo(0.25, 1);
  expect(counted.own.lost).toBeCloseTo(stormIn(KNEES)!.now.lost, 1);
  expect(counted.othersRetries).toBeGreaterThanOrEqual(RETRIES - 2);
  // The other three quarters keep it on its knees, however rarely this agent tries.
  expect(stormIn(quarter)).toBeUndefined();
});

test('a number of tries that does not predict what was seen is not blamed', () => {
  expect(stormIn(day(falls, { retries: 2 }))).toBeUndefined();
});
