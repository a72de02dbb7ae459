import type { FailureGroup, PlaceBin } from '../../../facts/index.ts';
import { diagnoserContract, saying } from '../../diagnoser-contract.test-support.ts';
import { latencies, WINDOW } from '../../failures.test-support.ts';
import { refusedAccess } from './refused-access.ts';

/** Well for half a day, then so many of ten calls fail. */
const history = (bad: number): PlaceBin[] =>
  Array.from({ length: 1440 }, (_, minute) => ({
    ...{ atMs: WINDOW.fromMs + minute * 60_000, bad: minute < 720 ? 0 : bad, all: 10 },
    ...{ timed: 5, timedMs: 500, toolCalls: 10, othersCalls: 0, othersFailed: 0 },
  }));
const UNSAID: Partial<FailureGroup> = {
  errorCode: 'E77',
  template: 'request <*> was turned down',
  ...saying('request 7 was turned down'),
  failedLatency: latencies([20, 400]),
  history: history(10),
};
const SAID = { errorCode: 'http_401', template: 'no', ...saying('key of billing has expired') };

diagnoserContract({
  diagnoser: refusedAccess,
  explains: [{ groups: [SAID] }, { groups: [UNSAID] }, { groups: [{ ...UNSAID, ...SAID }] }],
  passesOver: [
    { groups: [{}] },
    // Only some of them, or as slowly as successes.
    { groups: [{ ...UNSAID, history: history(5) }] },
    { groups: [{ ...UNSAID, failedLatency: latencies([400, 400]) }] },
    { groups: [{ ...SAID, event: 'log_line' }] },
  ],
});
