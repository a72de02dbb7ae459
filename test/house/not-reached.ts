/**
 * What `main.ts` does not reach, and why it is there all the same. A pattern is a file or a folder; one that names
 * nothing any more fails the test, so the list only shrinks.
 */
export const NOT_REACHED: Readonly<Record<string, string>> = {
  'src/git/test-repositories.ts': 'makes the repositories of tests, in several rooms',
  'src/ledger/merkle-reference.ts':
    'the definition of RFC 6962, which tests compare the fast way with',
  'src/stats/season-profile.ts': 'when to look for an onset (DIAG-3)',
  'src/stats/online-detector.ts': 'when to look for an onset (DIAG-3)',
  'src/stats/alarm-gate.ts': 'when to look for an onset (DIAG-3)',
  'src/stats/detector-sheet.ts': 'when to look for an onset (DIAG-3)',
  'src/stats/tail-history.ts': 'when to look for an onset (DIAG-3)',
  'src/stats/bounded-mean.ts': 'watching cost and latency (MON-5)',
  'src/stats/sequences.ts': 'watching cost and latency (MON-5)',
  'src/stats/rate-trial.ts': 'A/B trials (VAL-3)',
};
