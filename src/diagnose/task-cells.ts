/**
 * Failures that totals hide: rare among all calls, and nearly everything for one task. Each task is tested against the
 * share that may fail, all of them under one budget. Pure.
 */
import type { TaskCell } from '../facts/index.ts';
import { benjaminiHochberg, binomialSf } from '../stats/index.ts';
import type { DiagnoseLimits, Failure } from './types.ts';
import { count, percent, shown } from './wording.ts';

const ALPHA = 0.01;
const CALLS_MIN = 5;
/** A task of which less fails is not lost for whoever asks for it. */
const SHARE_MIN = 0.3;

/** The task that it hits most; undefined where it hits none so. */
export function hitTask(
  { tasks = [], failures, calls }: Pick<Failure, 'tasks' | 'failures' | 'calls'>,
  { minOccurrences, failureShare }: DiagnoseLimits,
): TaskCell | undefined {
  if (tasks.length === 0) return undefined;
  const chances = tasks.map((one) =>
    one.failures === 0 ? 1 : binomialSf(one.failures - 1, one.calls, failureShare),
  );
  const { found } = benjaminiHochberg(chances, ALPHA);
  return tasks
    .filter(
      (one, at) =>
        found[at] === true &&
        one.failures >= minOccurrences &&
        one.calls >= CALLS_MIN &&
        one.failures >= SHARE_MIN * one.calls &&
        // In every task alike it is no matter of one of them.
        one.failures / one.calls > (3 * failures) / Math.max(1, calls),
    )
    .sort((a, b) => b.failures / b.calls - a.failures / a.calls)[0];
}

/** `all 12 calls of the task export fail` */
export function taskWords({ task, failures, calls }: TaskCell): string {
  const share =
    failures === calls ? `all ${count(calls)}` : `${percent(failures / calls)} of ${count(calls)}`;
  return `${share} calls of the task ${shown(task, 60)}`;
}
