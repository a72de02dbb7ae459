import { expect, test } from 'vitest';
import type { FailureGroup, PlaceBin, RecentCall } from '../../../facts/index.ts';
import { callsWithSizes } from '../../calls.test-support.ts';
import {
  type DiagnoserCase,
  diagnosed,
  diagnoserContract,
} from '../../diagnoser-contract.test-support.ts';
import { examples, HOUR_MS, latencies, overTheDay, WINDOW } from '../../failures.test-support.ts';
import { lostAttempts } from './lost-attempts.ts';

/** One call in eight, hour after hour; `bad` says how many of an hour's eighty. */
const history = (bad: (hour: number) => number): PlaceBin[] =>
  Array.from({ length: 24 }, (_, hour) => ({
    ...{ atMs: WINDOW.fromMs + hour * HOUR_MS, bad: bad(hour), all: 80 },
    ...{ timed: 70, timedMs: 7000, toolCalls: 80, othersCalls: 0, othersFailed: 0 },
  }));
const LOST: Partial<FailureGroup> = {
  errorCode: 'connection_reset',
  template: 'read ECONNRESET <*>',
  failures: 240,
  calls: 1920,
  examples: examples('read ECONNRESET 10.0.0.1:443', overTheDay(20)),
  failedLatency: latencies([60, 240]),
  history: history((hour) => 9 + (hour % 3)),
};
const FILES = {
  'agents/researcher.yaml': 'name: researcher\ntools:\n  web_search:\n    retries: 0\n',
};
const UNTOLD = 'web_search: { again: 0, k1: 9000, temperature: 0 }\n';
const CHAINS = [{ failed: 1, count: 240 }];
const ONE_TRY = { fromMs: WINDOW.fromMs, bins: [], chains: CHAINS };
const REFUSED = examples('403: not allowed for this account', overTheDay(20));

const SHARED = {
  'clinic/settings.py': 'ATTEMPTS = 1\nBREATHER = 300\n',
  'clinic/reception.py': 'call("web_search", tries=settings.ATTEMPTS, of="researcher")\n',
  'scripts/seed.py': 'ATTEMPTS = 1\n',
};

test.each([
  ['a constant that counts tries', { 'bots/researcher.py': 'GOES = 1\n' }, ['bots/researcher.py']],
  ['what a program about the tool uses', SHARED, ['clinic/settings.py']],
])('%s is blamed, less surely than a setting that says what it is', (_, files, blamed) => {
  const causesOf = (given: DiagnoserCase) => {
    const { failure, evidence } = diagnosed(given);
    return lostAttempts.explain(failure, evidence);
  };
  const causes = causesOf({ groups: [{ ...LOST, tries: ONE_TRY }], files });
  expect(causes.map(({ subject }) => 'file' in subject && subject.file)).toEqual(blamed);
  const [told] = causesOf({ groups: [LOST], files: FILES });
  expect(causes[0]!.confidence).toBeLessThan(told!.confidence);
});

/** Words that nobody knows. */
const GARBLED: Partial<FailureGroup> = {
  ...{ ...LOST, errorCode: 'garbled', template: 'frame check failed', tries: ONE_TRY },
  examples: examples('frame check failed on 7', overTheDay(20)),
};
/** What it succeeds with comes near the duration at which it fails. */
const GATEWAY: Partial<FailureGroup> = {
  failedLatency: latencies([820, 240]),
  succeededLatency: latencies([400, 900], [600, 500], [800, 280]),
};
const again = (succeeded: number, failed: number) => ({
  ...ONE_TRY,
  chains: [
    { failed: 1, count: succeeded },
    { failed: 2, count: failed },
  ],
});
const ONE_MORE = { 'agents/researcher.yaml': 'web_search: { tries: 2 }\n' };
const task = (name: string, failures: number) => ({ task: name, failures, calls: 960 });

test('further tries that were measured say more than words', () => {
  const sureOf = (more: Partial<FailureGroup>, files = FILES) => {
    const { failure, evidence } = diagnosed({ groups: [{ ...GARBLED, ...more }], files });
    return lostAttempts.explain(failure, evidence)[0]?.confidence;
  };
  const [unknown, often] = [sureOf({})!, { failures: 800, calls: 2000 }];
  expect(unknown).toBeGreaterThan(0.5);
  expect(sureOf({ ...often, tries: again(300, 240) }, ONE_MORE)).toBeGreaterThan(unknown + 0.1);
  expect(sureOf({ ...often, tries: again(5, 390) }, ONE_MORE)).toBeUndefined();
});

test('that each try fails by itself is stated only where further tries fared so', () => {
  const textOf = (group: Partial<FailureGroup>, files = FILES) => {
    const { failure, evidence } = diagnosed({ groups: [group], files });
    return lostAttempts.explain(failure, evidence)[0]!.reasons[0]!.text;
  };
  for (const group of [LOST, GARBLED])
    expect(textOf(group)).toContain('If the next one has the chance of the first');
  const tried = { ...GARBLED, failures: 800, calls: 2000, tries: again(300, 240) };
  expect(textOf(tried, ONE_MORE)).toContain('all the time and each by itself');
});

test.each([
  ['NOT_FOUND', 'item 7 has no content', false],
  ['E1', 'HTTP status 404: item 7', false],
  ['E1', 'item 7 does not exist', false],
  ['CLIENT_CLOSED', 'whoever asked is gone', false],
  ['E1', 'the request was canceled', false],
  ['E1', 'item 404 is garbled', true],
])(
  'nobody finds out by a further try what the answer says: %s, %s',
  (errorCode, message, isTried) => {
    const asked = { errorCode, template: message, examples: examples(message, overTheDay(20)) };
    const { failure, evidence } = diagnosed({ groups: [{ ...GARBLED, ...asked }], files: FILES });
    const isBlamed = lostAttempts.explain(failure, evidence).length > 0;
    expect(isBlamed).toBe(isTried);
    const measured = { ...asked, failures: 800, calls: 2000, tries: again(300, 240) };
    const tried = diagnosed({ groups: [{ ...GARBLED, ...measured }], files: ONE_MORE });
    expect(lostAttempts.explain(tried.failure, tried.evidence)).not.toEqual([]);
  },
);

test.each(['BrokenPipe', 'broken_pipe', 'UNAVAILABLE', 'ConnectionReset', 'frame_check'])(
  'a code says that it passes, however it is written: %s',
  (errorCode) => {
    const { failure, evidence } = diagnosed({ groups: [{ ...GARBLED, errorCode }], files: FILES });
    const [cause] = lostAttempts.explain(failure, evidence);
    expect(cause!.confidence > 0.8).toBe(errorCode !== 'frame_check');
  },
);

test('few further tries are enough to show that what failed fails again', () => {
  const causesIn = (chains: { failed: number; count: number }[], files = FILES, more = {}) => {
    const group = { ...GARBLED, failures: 240, calls: 800, tries: { ...ONE_TRY, chains }, ...more };
    const { failure, evidence } = diagnosed({ groups: [group], files });
    return lostAttempts.explain(failure, evidence);
  };
  // Five rows of four: fifteen tries, all in vain.
  expect(causesIn([{ failed: 4, count: 5 }])).toEqual([]);
  expect(causesIn([{ failed: 2, count: 3 }])).not.toEqual([]);
  // Words say that it passes, and it does not.
  const reset = { errorCode: LOST.errorCode, examples: LOST.examples, template: LOST.template };
  expect(causesIn([{ failed: 2, count: 3 }], FILES, reset)).not.toEqual([]);
  expect(causesIn([{ failed: 2, count: 16 }], FILES, reset)).toEqual([]);
});

test('where calls are tried again already, it is waited until that says something', () => {
  const again = { ...GARBLED, failures: 600, calls: 2000, tries: null };
  const causes = ({ 'agents/researcher.yaml': text }: Record<string, string>) => {
    const files = { 'agents/researcher.yaml': text! };
    const { failure, evidence } = diagnosed({ groups: [again], files });
    return lostAttempts.explain(failure, evidence);
  };
  expect(causes(ONE_MORE)).toEqual([]);
  expect(causes(FILES)).not.toEqual([]);
});

/** Of eighty first tries that failed, so many were saved by a second one. */
const triedCalls = ({
  healed,
  attempt = 2,
}: {
  healed: number;
  attempt?: number;
}): RecentCall[] => {
  const call = (at: number, failedWith: string | null, tried: number): RecentCall => {
    const startMs = WINDOW.fromMs + at * 60_000;
    const times = { startMs, endMs: startMs + 100 };
    return { agent: 'researcher', tool: 'web_search', ...times, failedWith, attempt: tried };
  };
  return Array.from({ length: 640 }, (_, at) => {
    const isFailed = at % 8 === 0;
    const again = isFailed && at / 8 < healed ? [call(at, null, attempt)] : [];
    return [call(at, isFailed ? 'garbled' : null, 1), ...again];
  }).flat();
};

diagnoserContract({
  diagnoser: lostAttempts,
  explains: [
    // Some are lost all the same; or tries have no numbers that say it.
    { groups: [GARBLED], files: FILES, calls: triedCalls({ healed: 50 }) },
    { groups: [GARBLED], files: FILES, calls: triedCalls({ healed: 80, attempt: 1 }) },
    // Nobody tried again: to try is the way to find out.
    { groups: [GARBLED], files: FILES },
    { groups: [{ ...GARBLED, tasks: [task('a', 100), task('b', 140)] }], files: FILES },
    { groups: [LOST], files: FILES },
    { groups: [LOST], files: { 'agents/researcher.yaml': 'web_search: { extra_tries: 0 }\n' } },
    // Its key says nothing, and its value is what is seen: no failed call is tried again.
    { groups: [{ ...LOST, tries: ONE_TRY }], files: { 'agents/researcher.yaml': UNTOLD } },
    // As a constant that counts all tries, in the agent's own program.
    {
      groups: [{ ...LOST, tries: ONE_TRY }],
      files: { 'bots/researcher.py': 'GOES = 1\nWAIT = 9\n' },
    },
    // In a file of nobody's that the agent's program uses; the other is a decoy.
    { groups: [{ ...LOST, tries: ONE_TRY }], files: SHARED },
    // The only one there is, and it is what is seen.
    { groups: [{ ...LOST, tries: ONE_TRY }], files: { 'conf/http.yaml': 'max_attempts: 1\n' } },
  ],
  passesOver: [
    { groups: [LOST] },
    // The further tries that are made save nearly all.
    { groups: [GARBLED], files: FILES, calls: triedCalls({ healed: 80 }) },
    // A gateway gives up what is nearly done: the next try takes as long.
    { groups: [{ ...LOST, ...GATEWAY }], files: FILES },
    // Cut off at two limits, because somebody moved it.
    { groups: [{ ...GARBLED, failedLatency: latencies([820, 120], [1640, 120]) }], files: FILES },
    { groups: [LOST], files: { 'agents/researcher.yaml': UNTOLD } },
    // Two that may be it.
    {
      groups: [{ ...LOST, tries: ONE_TRY }],
      files: { 'agents/researcher.yaml': 'web_search: { k2: 0, k3: 0 }\n' },
    },
    // As tries and as retries: nobody knows which.
    {
      groups: [{ ...LOST, tries: ONE_TRY }],
      files: { 'agents/researcher.yaml': 'web_search: { k2: 0, k3: 1 }\n' },
    },
    // Everybody's number of tries is not what is seen.
    { groups: [{ ...LOST, tries: ONE_TRY }], files: { 'conf/http.yaml': 'max_attempts: 2\n' } },
    { groups: [LOST], files: { 'conf/http.yaml': 'max_attempts: 1\n' } },
    // Failed calls are tried again, and most succeed then.
    {
      groups: [{ ...LOST, tries: { ...ONE_TRY, chains: [...CHAINS, { failed: 2, count: 30 }] } }],
      files: { 'agents/researcher.yaml': UNTOLD },
    },
    // Enough tries already: what is lost after all of them is rare.
    { groups: [LOST], files: { 'agents/researcher.yaml': 'web_search: { retries: 1 }\n' } },
    { groups: [LOST], files: { 'agents/researcher.yaml': 'web_search: { retry_delay: 0 }\n' } },
    // What hangs now and then, far beyond what calls take.
    {
      groups: [
        {
          ...GARBLED,
          failedLatency: latencies([9000, 240]),
          succeededLatency: latencies([300, 1680]),
        },
      ],
      files: FILES,
    },
    // Cut off a little too early: the limit is to blame.
    {
      groups: [
        {
          ...GARBLED,
          failedLatency: latencies([900, 240]),
          succeededLatency: latencies([300, 1000], [700, 500], [880, 180]),
        },
      ],
      files: FILES,
    },
    // The same where further tries were measured.
    {
      groups: [
        {
          ...{ ...GARBLED, errorCode: 'TIMEOUT', tries: again(200, 30) },
          failedLatency: latencies([900, 240]),
          succeededLatency: latencies([300, 1000], [700, 500], [880, 180]),
        },
      ],
      files: { 'agents/researcher.yaml': 'web_search: { retries: 0 }\n' },
    },
    // Everything fails, at every try.
    {
      groups: [{ ...GARBLED, failures: 480, calls: 480, tries: again(0, 240) }],
      files: { 'agents/researcher.yaml': 'web_search: { retries: 1 }\n' },
    },
    // Answers are cut where they reach a length, at every try.
    {
      groups: [{ ...GARBLED, errorCode: 'length' }],
      calls: callsWithSizes({ cut: 700 }),
      files: FILES,
    },
    // What is asked decides it.
    { groups: [{ ...GARBLED, tasks: [task('a', 10), task('b', 230)] }], files: FILES },
    // Others at the tool try again, and in vain.
    {
      groups: [GARBLED, { ...GARBLED, agent: 'writer', tries: again(5, 235) }],
      files: FILES,
    },
    // The next try meets the same.
    {
      groups: [{ ...LOST, errorCode: 'forbidden', examples: REFUSED, template: '403' }],
      files: FILES,
    },
    // All at once: something is down, and tries meet the same trouble.
    { groups: [{ ...LOST, history: history((hour) => (hour === 4 ? 80 : 3)) }], files: FILES },
    { groups: [{ ...LOST, history: [] }], files: FILES },
  ],
});
