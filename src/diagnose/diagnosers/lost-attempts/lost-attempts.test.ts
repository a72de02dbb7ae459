import type { FailureGroup, PlaceBin } from '../../../facts/index.ts';
import { diagnoserContract } from '../../diagnoser-contract.test-support.ts';
import { examples, HOUR_MS, overTheDay, WINDOW } from '../../failures.test-support.ts';
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
  history: history((hour) => 9 + (hour % 3)),
};
const FILES = {
  'agents/researcher.yaml': 'name: researcher\ntools:\n  web_search:\n    retries: 0\n',
};
const UNTOLD = 'web_search: { again: 0, k1: 9000, temperature: 0 }\n';
const CHAINS = [{ failed: 1, count: 240 }];
const ONE_TRY = { fromMs: WINDOW.fromMs, bins: [], chains: CHAINS };
const REFUSED = examples('403: not allowed for this account', overTheDay(20));

diagnoserContract({
  diagnoser: lostAttempts,
  explains: [
    { groups: [LOST], files: FILES },
    { groups: [LOST], files: { 'agents/researcher.yaml': 'web_search: { extra_tries: 0 }\n' } },
    // Its key says nothing, and its value is what is seen: no failed call is tried again.
    { groups: [{ ...LOST, tries: ONE_TRY }], files: { 'agents/researcher.yaml': UNTOLD } },
  ],
  passesOver: [
    { groups: [LOST] },
    { groups: [LOST], files: { 'agents/researcher.yaml': UNTOLD } },
    // Two that may be it.
    {
      groups: [{ ...LOST, tries: ONE_TRY }],
      files: { 'agents/researcher.yaml': 'web_search: { k2: 0, k3: 0 }\n' },
    },
    // Failed calls are tried again, and most succeed then.
    {
      groups: [{ ...LOST, tries: { ...ONE_TRY, chains: [...CHAINS, { failed: 2, count: 30 }] } }],
      files: { 'agents/researcher.yaml': UNTOLD },
    },
    // Enough tries already: what is lost after all of them is rare.
    { groups: [LOST], files: { 'agents/researcher.yaml': 'web_search: { retries: 1 }\n' } },
    { groups: [LOST], files: { 'agents/researcher.yaml': 'web_search: { retry_delay: 0 }\n' } },
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
