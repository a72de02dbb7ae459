/**
 * What began together at one tool ends together. An outage refuses calls and makes others run into their limits: the refusals are many
 * and soon known to be over, the others few, and would go on for hours as far as their own counts tell. Pure.
 */
import { poissonSf } from '../stats/index.ts';
import type { Course, Episode } from './course.ts';
import type { Failure } from './types.ts';
import { courseOfFailure } from './why-now.ts';

/** It goes on where it fails more than may be ignored, beyond this chance: as rare as what a watch calls ill. */
const CHANCE = 0.01;

interface Beside {
  /** Everything that fails. */
  readonly all: readonly Failure[];
  readonly failureShare: number;
}

/** The same course, over where another failure of the tool began with it and is over, unless it is seen to go on. */
export function endedTogether(failure: Failure, course: Course, beside: Beside): Course {
  const { kind, episode } = course;
  if (kind !== 'began' || episode === null || failure.tool === '') return course;
  const { all, failureShare } = beside;
  const ends = all
    .filter((one) => one !== failure && one.tool === failure.tool)
    .map((one) => courseOfFailure(one, failureShare))
    .flatMap((other) => (isTogether(other.episode, episode) ? (other.episode?.toMs ?? []) : []));
  if (ends.length === 0) return course;
  const toMs = Math.max(...ends);
  return isSeenAfter(toMs, failure, failureShare)
    ? course
    : { ...course, kind: 'ended', episode: { ...episode, toMs } };
}

function isTogether(one: Episode | null, other: Episode): boolean {
  return one !== null && one.fromLowMs <= other.fromHighMs && other.fromLowMs <= one.fromHighMs;
}

function isSeenAfter(fromMs: number, { history }: Failure, failureShare: number): boolean {
  let [bad, all] = [0, 0];
  for (const bin of history) {
    if (bin.atMs < fromMs) continue;
    bad += bin.bad;
    all += bin.all;
  }
  return bad > 0 && poissonSf(bad - 1, all * failureShare) < CHANCE;
}
