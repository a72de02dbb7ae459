import { expect, test } from 'vitest';
import type { FailureGroup, PlaceBin } from '../../../facts/index.ts';
import { diagnoserContract } from '../../diagnoser-contract.test-support.ts';
import { COMMIT, group, latencies, settingsOf, WINDOW } from '../../failures.test-support.ts';
import { mergeAlike } from '../../identity.ts';
import { heldSlotsDiagnoser } from './held-slots.ts';

/** By the minute for a day. */
const minutes = (bad: (minute: number) => number): PlaceBin[] =>
  Array.from({ length: 1440 }, (_, minute) => ({
    ...{ atMs: WINDOW.fromMs + minute * 60_000, bad: bad(minute), all: 10 },
    ...{ timed: 5, timedMs: 10_000, toolCalls: 20, othersCalls: 10, othersFailed: 0 },
  }));
/** By the hour, for a day before that. */
const hoursBefore = (bad: number): PlaceBin[] =>
  Array.from({ length: 24 }, (_, hour) => ({
    ...{ atMs: WINDOW.fromMs - (24 - hour) * 3_600_000, bad, all: 600 },
    ...{ timed: 300, timedMs: 600_000, toolCalls: 1200, othersCalls: 600, othersFailed: 0 },
  }));
const isBusy = (minute: number) => minute % 240 < 120;
const succeededLatency = latencies([1500, 3000], [4000, 900]);
/** They hang for 400 s in every other stretch of two hours. */
const HANGING: Partial<FailureGroup> = {
  failedLatency: latencies([404_000, 200]),
  succeededLatency,
  failures: 200,
  history: minutes((minute) => Number(isBusy(minute))),
};
/** Refused within milliseconds, mostly while others hang. */
const REFUSED: Partial<FailureGroup> = {
  agent: 'clerk',
  errorCode: 'overloaded',
  template: 'overloaded',
  failedLatency: latencies([5, 2000]),
  succeededLatency,
  history: minutes((minute) => (isBusy(minute) ? 3 : 0)),
};
const files = {
  'agents/researcher.yaml': 'web_search: { timeout_ms: 400000 }',
  'agents/clerk.yaml': 'web_search: { timeout_ms: 15000 }',
};

/** One of thirty that hang ends by itself shortly before the limit. */
const someEnd = (late: number) => latencies([1500, 3000], [4000, 900], [350_000, late]);
const someEndLater = (late: number) => latencies([1500, 3000], [4000, 900], [600_000, late]);
/** As many as are cut off now, but earlier and by chance: the past has late ones too. */
const withPast = (meanMs: (hour: number) => number): PlaceBin[] => [
  ...hoursBefore(0).map((hour, at) => ({ ...hour, timed: 300, timedMs: 300 * meanMs(at) })),
  ...HANGING.history!.map((minute) => ({ ...minute, timedMs: 5 * 9000 })),
];

diagnoserContract({
  diagnoser: heldSlotsDiagnoser,
  explains: [
    // Ten times as many are refused as are served late.
    { groups: [REFUSED, { ...HANGING, succeededLatency: someEnd(100) }], files },
    // Now and then more of them end in an hour.
    {
      groups: [
        REFUSED,
        {
          ...{ ...HANGING, succeededLatency: someEnd(100) },
          history: withPast((hour) => (hour % 12 === 0 ? 21_000 : 9000)),
        },
      ],
      files,
    },
    // A few end where somebody waits longer, but for each of all that hang five are refused.
    {
      groups: [
        { ...REFUSED, failures: 1000, succeededLatency: someEndLater(20) },
        { ...HANGING, history: withPast(() => 25_000) },
      ],
      files,
    },
    { groups: [REFUSED, HANGING], files },
    { groups: [HANGING, REFUSED], files },
  ],
  passesOver: [
    { groups: [REFUSED, HANGING] },
    { groups: [REFUSED], files },
    { groups: [HANGING], files },
    // Refused whether others hang or not.
    { groups: [{ ...REFUSED, history: minutes(() => 2) }, HANGING], files },
    // Refused while others hung, but not any more: that was another time, and maybe another limit.
    {
      groups: [
        { ...REFUSED, history: [...hoursBefore(400), ...minutes(() => 2)] },
        { ...HANGING, history: [...hoursBefore(100), ...HANGING.history!] },
      ],
      files,
    },
    // Not far beyond what successes take.
    { groups: [REFUSED, { ...HANGING, failedLatency: latencies([9000, 2000]) }], files },
    // Whoever waits longer gets an answer: they are slow, and do not hang.
    {
      groups: [
        { ...REFUSED, succeededLatency: latencies([1500, 3000], [4000, 900], [600_000, 100]) },
        HANGING,
      ],
      files,
    },
    // They ended while the limit was longer.
    {
      groups: [
        REFUSED,
        {
          ...HANGING,
          history: [
            ...hoursBefore(0).map((hour) => ({ ...hour, timedMs: 300 * 30_000 })),
            ...HANGING.history!,
          ],
        },
      ],
      files,
    },
    // Twice as many are served late as could be for what is refused.
    {
      groups: [
        { ...REFUSED, failures: 300 },
        { ...HANGING, succeededLatency: someEnd(100) },
      ],
      files,
    },
    // Some end today, and far more did while the limit was longer.
    {
      groups: [
        REFUSED,
        {
          ...{ ...HANGING, succeededLatency: someEnd(100) },
          history: withPast(() => 25_000),
        },
      ],
      files,
    },
    // They hold little of the time.
    { groups: [REFUSED, { ...HANGING, failedLatency: latencies([404_000, 2]) }], files },
    // Twice what successes need is nearly the limit: a shorter one frees little, and cuts off what may end.
    {
      groups: [REFUSED, { ...HANGING, succeededLatency: latencies([1500, 3000], [110_000, 30]) }],
      files,
    },
    // Slow failures are not refusals.
    { groups: [{ ...REFUSED, failedLatency: latencies([3000, 2000]) }, HANGING], files },
  ],
});

test('the value of whoever waits is blamed, with one that is enough and at most four times shorter', () => {
  const all = mergeAlike([group(REFUSED), group(HANGING)]);
  const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
  const evidence = {
    window: WINDOW,
    all,
    settings,
    commit: COMMIT,
    commits: [],
    failureShare: 0.02,
  };
  const [cause] = heldSlotsDiagnoser.explain(all[0]!, evidence);
  expect(cause!.subject).toMatchObject({
    file: 'agents/researcher.yaml',
    path: ['web_search', 'timeout_ms'],
    aim: { value: 100_000 },
  });
});
