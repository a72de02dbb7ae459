/**
 * Failures that were gone after their fix and are back (LRN-4). What was fixed was not the root: the cause is looked for below
 * the layer of the fix, unless somebody changed the target since and that explains it, or what was set then is outgrown: a limit
 * that is met again at its new value was the right one for what there was. Pure.
 */
import { isoTime } from '../base/index.ts';
import {
  CAUSE_LAYERS,
  type CauseLayer,
  changePlace,
  type PlaceBin,
  SEVERITIES,
} from '../facts/index.ts';
import { type RootCause, rootCauseOf } from './causes.ts';
import type { Course } from './course.ts';
import { DIAGNOSERS } from './diagnosers.ts';
import type { Cause, EarlierFix, Evidence, Failure } from './types.ts';

/** What comes every day was not gone at night. */
const GONE_MS = 24 * 3_600_000;
/** So many failures would have been expected while it was gone. */
const MISSED_MIN = 3;

/** The deepest fix after which it was gone and came back; undefined where it was never fixed, or never gone. */
export function returnedAfter(
  fixes: readonly EarlierFix[],
  { history }: Failure,
  { kind, episode, during }: Course,
  acceptable: number,
): EarlierFix | undefined {
  if (kind !== 'began' || episode === null || fixes.length === 0) return undefined;
  const goneFromMs = episode.fromLowMs - GONE_MS;
  if (!wasGone(history, { fromMs: goneFromMs, toMs: episode.fromLowMs }, { during, acceptable }))
    return undefined;
  return fixes
    .filter(({ atMs }) => atMs <= goneFromMs)
    .sort((a, b) => depthOf(b.layer) - depthOf(a.layer) || b.atMs - a.atMs)[0];
}

function wasGone(
  history: readonly PlaceBin[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { during, acceptable }: { readonly during: number; readonly acceptable: number },
): boolean {
  let [bad, all] = [0, 0];
  for (const bin of history) {
    if (bin.atMs < fromMs || bin.atMs >= toMs) continue;
    bad += bin.bad;
    all += bin.all;
  }
  return all * during >= MISSED_MIN && bad <= all * acceptable;
}

/** The cause of a failure that is back. */
export function deeperCause(failure: Failure, evidence: Evidence, fix: EarlierFix): RootCause {
  const isLeft = (cause: Cause) =>
    depthOf(cause.layer) > depthOf(fix.layer) ||
    isChangedSince(cause, fix, evidence) ||
    isOutgrown(cause, fix);
  const diagnosers = DIAGNOSERS.map(({ name, explain }) => ({
    name,
    explain: (one: Failure, seen: Evidence) => explain(one, seen).filter(isLeft),
  }));
  const cause = rootCauseOf(failure, evidence, diagnosers);
  const isNothing = cause.weighed.length === 0;
  return {
    ...cause,
    layer: isNothing ? layerBelow(fix.layer) : cause.layer,
  };
}

/** Whoever changed the blamed place after the fix may have broken it again: that is no deeper cause. */
function isChangedSince({ subject }: Cause, { atMs }: EarlierFix, { commits }: Evidence): boolean {
  const blamed = 'before' in subject ? subject.before?.commit : undefined;
  return commits.some((commit) => commit.id === blamed && commit.atMs > atMs);
}

/** It blames the very value that the fix set, by what is seen at that value, and wants more of the same. */
function isOutgrown({ subject }: Cause, { set }: EarlierFix): boolean {
  if (set === undefined || subject.kind !== 'setting' || subject.before !== undefined) return false;
  const { file, path, value } = subject;
  const place = changePlace({ kind: 'set_value', file, path, from: value, to: value });
  return place === set.place && value === set.to;
}

const depthOf = (layer: CauseLayer) => CAUSE_LAYERS.indexOf(layer);

function layerBelow(layer: CauseLayer): CauseLayer {
  return CAUSE_LAYERS[Math.min(depthOf(layer) + 1, CAUSE_LAYERS.length - 1)]!;
}

export function returnedWords({ proposalId, layer, atMs }: EarlierFix): string {
  return `It is BACK: ${proposalId} fixed it in the ${layer} layer on ${isoTime(atMs).slice(0, 10)}, and it was gone for a day at least. The cause is looked for below that layer, or where what was set then is met again.`;
}

/** One step worse: what was taken for its cure was none. */
export function escalated<S extends (typeof SEVERITIES)[number]>(severity: S) {
  return SEVERITIES[Math.min(SEVERITIES.indexOf(severity) + 1, SEVERITIES.length - 1)]!;
}
