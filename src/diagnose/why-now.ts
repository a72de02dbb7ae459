/**
 * Why a failure is there now, and whether that lets anything be changed. A setting that did not change explains a new
 * failure only by what it meets: more load than ever, or somebody else's trouble, which may end by itself. Pure.
 */
import { isoTime } from '../base/index.ts';
import type { SettingSubject, Subject, WhyNow } from '../facts/index.ts';
import { quotedName } from '../text/index.ts';
import { type Course, courseOf } from './course.ts';
import { triedAgainOf } from './tries-again.ts';
import type { Cause, Failure, TargetCommit, TargetEdit } from './types.ts';
import { waitMs } from './wait-gate.ts';
import { percent } from './wording.ts';

const HOUR_MS = 3_600_000;
/** A change shows at once, or when its agents are next started: rarely later than this. */
const LAG_MS = 6 * HOUR_MS;
/** What is not known to have changed the value must show at once. */
const AT_ONCE_MS = HOUR_MS / 4;

export interface Now {
  readonly nowMs: number;
  readonly commits: readonly TargetCommit[];
  /** What those of them changed that came right before some failure began; undefined where the file alone counts. */
  readonly edits?: readonly TargetEdit[] | undefined;
}

/** With what else fails, others at the tool make no load by trying again: each agent tries as often as its own settings say. */
export function courseOfFailure(
  { history, tries, agent, tool }: Failure,
  failureShare: number,
  all: readonly Failure[] = [],
): Course {
  const own = triedAgainOf(tries);
  let [failed, again] = [0, 0];
  for (const other of all) {
    if (other.tool !== tool || other.agent === agent) continue;
    failed += other.failures;
    again += other.failures * triedAgainOf(other.tries);
  }
  return courseOf(history, failureShare, { own, others: failed === 0 ? own : again / failed });
}

/** Load that only tries after failures make is why for whoever blames the number of tries. Else it follows from the failure. */
export function isByLoad(
  { load }: Course,
  { subject, isByLoad: isMeasured = false }: Pick<Cause, 'subject' | 'isByLoad'>,
): boolean {
  if (load === 'asked' || isMeasured) return true;
  const isTooMany =
    subject.kind === 'setting' && subject.limits === 'tries' && subject.aim !== undefined;
  return load === 'tries' && isTooMany;
}

export function whyNow(
  course: Course,
  cause: Pick<Cause, 'subject' | 'isByLoad'>,
  { nowMs, commits, edits }: Now,
): WhyNow {
  const { subject } = cause;
  const { kind, episode, during, otherwise } = course;
  const counted = { during, otherwise };
  if (kind === 'steady' || episode === null)
    return { trigger: 'none', since: null, endedAtMs: null, ...counted, wait: null };
  const { fromMs, fromLowMs, fromHighMs, toMs } = episode;
  const since = { atMs: fromMs, lowMs: fromLowMs, highMs: fromHighMs };
  const commit = commitBefore(since, subject, { commits, edits });
  const isLoad = isByLoad(course, cause);
  const trigger = commit !== undefined ? 'change' : isLoad ? 'load' : 'outside';
  const told = { trigger, since, endedAtMs: toMs, ...counted } as const;
  if (commit !== undefined) return { ...told, commit: commit.id, wait: null };
  // A name that a tool does not take any more does not come back by itself.
  const isName = subject.kind === 'setting' && subject.becomes !== undefined;
  if (isLoad || (isName && toMs === null)) return { ...told, wait: null };
  if (toMs !== null)
    return {
      ...told,
      wait: `It ended by itself at ${isoTime(toMs)}, after ${span(toMs - fromMs)}; nothing is changed for it.`,
    };
  const untilMs = fromMs + waitMs(course.pastMs);
  if (nowMs >= untilMs) return { ...told, wait: null };
  return {
    ...told,
    wait: `It began at ${isoTime(fromMs)} (${percent(otherwise)} failed before, ${percent(during)} since), and no change of the target's files explains it: it may end by itself. A change is proposed if it is still there at ${isoTime(untilMs)}.`,
  };
}

/** The blamed commit, or the newest change of what is blamed that came before it, shortly enough. */
function commitBefore(
  { lowMs, highMs }: { readonly lowMs: number; readonly highMs: number },
  subject: Subject,
  { commits, edits }: Pick<Now, 'commits' | 'edits'>,
): TargetCommit | undefined {
  const file = 'file' in subject ? subject.file : null;
  if (file === null) return undefined;
  const blamed = 'before' in subject ? subject.before?.commit : undefined;
  const near = commits
    .filter(({ atMs, paths }) => atMs <= highMs && atMs >= lowMs - LAG_MS && paths.includes(file))
    .filter(({ id, atMs }) => {
      if (id === blamed || edits === undefined || subject.kind !== 'setting') return true;
      const own = edits.filter(({ commit }) => commit === id);
      return own.length === 0 ? atMs >= lowMs - AT_ONCE_MS : isChangeOf(subject, own);
    })
    .sort((a, b) => b.atMs - a.atMs);
  return near.find(({ id }) => id === blamed) ?? near[0];
}

/**
 * Whether a commit that changed the file of a value changed the value, or what a program does with it: another number of the same file
 * that somebody moved an hour before an outage is not why. One that was not read, is Hone's own, or brought the file may be why where it
 * came right before: what went well with it for an hour had the same value then.
 */
function isChangeOf(subject: SettingSubject, edits: readonly TargetEdit[]): boolean {
  const key = subject.path.join('\n');
  return edits.some((edit) => {
    if (edit.file !== subject.file || edit.kind === 'text') return false;
    if (edit.kind === 'value') return edit.path.join('\n') === key;
    return edit.settings.length === 0 || edit.settings.some(({ path }) => path.join('\n') === key);
  });
}

/** Sentences for whoever reads the pattern. */
export function whyNowReasons(
  { trigger, since, commit }: WhyNow,
  { slower }: Course,
  commits: readonly TargetCommit[],
): string[] {
  if (since === null) return [];
  const began = `It began at ${isoTime(since.atMs)} (95 % sure: ${isoTime(since.lowMs)} to ${isoTime(since.highMs)}).`;
  const by = {
    none: '',
    change: `Right before, ${commitName(commit, commits)} changed the file.`,
    load: 'It is there only when the tool gets more calls than it otherwise ever does.',
    outside: 'No change of the target’s files explains it.',
  }[trigger];
  const latency =
    slower === null || slower < 1.1
      ? []
      : [`Calls that succeed take ${slower.toFixed(1)} times as long since then.`];
  return [[began, by].join(' '), ...latency];
}

function commitName(id: string | undefined, commits: readonly TargetCommit[]): string {
  const title = commits.find((one) => one.id === id)?.title ?? '';
  return `the commit ${(id ?? '').slice(0, 12)} (${quotedName(title, 60)})`;
}

function span(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
