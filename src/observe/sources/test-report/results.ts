/** The results of a report as events. */
import type { CaseResult } from '../../../report/index.ts';
import { event, refused, stemOf } from '../../reading/records.ts';
import type { Decoded, StreamAbout } from '../../types.ts';

/** All results of a file are one session: a run. */
export function resultEvents(results: readonly CaseResult[], about: StreamAbout): Decoded[] {
  const { modifiedMs } = about;
  const first = results.find(({ atMs }) => atMs !== undefined)?.atMs ?? modifiedMs;
  if (first === null || first === undefined)
    return results.length === 0
      ? []
      : [refused('The report has no time, nor has its file.', 'wrong_time')];
  // A report's time often names no zone: nothing in it happened after the file was written.
  const limit = (ms: number) => (modifiedMs !== null && ms > modifiedMs ? modifiedMs : ms);
  const session = `${stemOf(about.name)} ${new Date(limit(first)).toISOString()}`;
  return results.map(({ atMs, ...result }) =>
    event<'test_result'>({ kind: 'test_result', atMs: limit(atMs ?? first), session, ...result }),
  );
}
