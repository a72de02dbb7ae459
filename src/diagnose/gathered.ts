/**
 * How many failures there were since the blamed value is what it is, which may be days where the window is one: a place with little
 * traffic never has in a day what a large step needs, and what is still cut off after a first step was seen under the value of that step
 * alone. Counted by the record, within the present level, and not before the file was last committed to. Pure.
 */

import type { RootCause } from './causes.ts';
import type { Course } from './course.ts';
import type { Evidence, Failure } from './types.ts';

/** Undefined where it is no more than what the window has. */
export function gatheredFailures(
  { failures, history }: Failure,
  { kind, episode }: Pick<Course, 'kind' | 'episode'>,
  { subject }: Pick<RootCause, 'subject'>,
  { commits }: Pick<Evidence, 'commits'>,
): number | undefined {
  const file = 'file' in subject ? subject.file : null;
  if (file === null || kind === 'ended') return undefined;
  const setAtMs = commits
    .filter(({ paths }) => paths.includes(file))
    .reduce((latest, { atMs }) => Math.max(latest, atMs), Number.NEGATIVE_INFINITY);
  const fromMs = Math.max(setAtMs, episode?.fromMs ?? Number.NEGATIVE_INFINITY);
  const gathered = history
    .filter(({ atMs }) => atMs >= fromMs)
    .reduce((sum, { bad }) => sum + bad, 0);
  return gathered > failures ? gathered : undefined;
}
