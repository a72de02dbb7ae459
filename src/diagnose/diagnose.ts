/**
 * From failures that were counted to patterns worth acting on. Pure. A healthy system is left alone:
 * a failure that is rare, or may be rare by what was seen, is passed over with the reason.
 */
import type { Pattern, SettingRef } from '../facts/index.ts';
import { fairShare, wilsonInterval } from '../stats/index.ts';
import { mergeAlike } from './identity.ts';
import { attribute } from './layers.ts';
import { patternOf, scoreOf, titleOf } from './pattern-of.ts';
import { reachOf } from './reach.ts';
import type { DiagnoseInput, DiagnoseLimits, Diagnosis, Failure, Setting } from './types.ts';
import { count, percent, shown } from './wording.ts';

/** Each is compared with every setting; nobody acts on more in one cycle. */
export const PATTERNS_MAX = 100;

export function diagnose(input: DiagnoseInput): Diagnosis {
  const { window, settings, limits, known } = input;
  const all = mergeAlike(
    input.groups.filter(({ failures }) => failures > 0),
    known,
  );
  const passedOver: { title: string; why: string }[] = [];
  const passOver = (failure: Failure, why: string) =>
    passedOver.push({ title: titleOf(failure), why });

  const acting: Failure[] = [];
  for (const failure of all) {
    const why = whyPassedOver(failure, all, limits);
    if (why === undefined) acting.push(failure);
    else passOver(failure, why);
  }
  const scored = acting
    .map((failure) => ({ failure, scored: scoreOf(failure, window) }))
    .sort((a, b) => (a.failure.id < b.failure.id ? -1 : 1));
  const { kept, folded } = fairShare(scored, {
    max: PATTERNS_MAX,
    worth: (one) => one.scored.score,
    owners: [({ failure }) => failure.sources, ({ failure }) => [failure.agent]],
  });
  for (const { failure } of folded)
    passOver(failure, `one cycle looks at ${PATTERNS_MAX} patterns, and others came before it`);

  const patterns = kept.map(({ failure, scored: numbers }) => {
    const attribution = attribute({ failure, all, settings, window });
    const setting = attribution.setting && settingRef(attribution.setting, failure, input);
    return patternOf(failure, numbers, attribution, setting);
  });
  return {
    patterns: markConflicts(patterns),
    passedOver,
    summary: summaryOf(patterns.length, passedOver.length),
  };
}

function settingRef(
  setting: Setting,
  failure: Failure,
  { settings, commit }: DiagnoseInput,
): SettingRef {
  const { file, line, path, value } = setting;
  return { file, line, path: [...path], value, commit, reach: reachOf(setting, settings, failure) };
}

/** Undefined when it is worth acting on. Counts and kinds decide, nothing else is looked at. */
export function whyPassedOver(
  failure: Failure,
  all: readonly Failure[],
  limits: DiagnoseLimits,
): string | undefined {
  return reasonToPassOver(failure, limits) ?? consequence(failure, all);
}

function reasonToPassOver(failure: Failure, limits: DiagnoseLimits): string | undefined {
  const { failures, calls } = failure;
  const { minOccurrences, failureShare } = limits;
  if (failures < minOccurrences)
    return `${count(failures)} of ${count(calls)} calls: fewer than ${minOccurrences} failures`;
  const share = failures / calls;
  const { low } = wilsonInterval({ failures, events: calls });
  if (low > failureShare) return undefined;
  const seen = `${count(failures)} of ${count(calls)} calls, ${percent(share)}`;
  return share <= failureShare
    ? `${seen}: below ${percent(failureShare)}`
    : `${seen}: too few calls to be sure that it is above ${percent(failureShare)}`;
}

/** Of a task's failures, the share that failed calls must account for. */
const EXPLAINED_SHARE = 0.8;

/** A task fails because a call did: the call is the pattern, the task only shows it. */
function consequence(failure: Failure, all: readonly Failure[]): string | undefined {
  if (failure.tool !== '') return undefined;
  const causes = all.filter(
    (one) =>
      one.tool !== '' &&
      one.agent === failure.agent &&
      one.kind === failure.kind &&
      (one.kind !== 'other' || one.errorCode === failure.errorCode),
  );
  const explained = causes.reduce((sum, { failures }) => sum + failures, 0);
  if (explained < EXPLAINED_SHARE * failure.failures) return undefined;
  const [largest] = [...causes].sort((a, b) => b.failures - a.failures);
  return `it follows from another: ${titleOf(largest!)}`;
}

/** Two patterns that blame one value may want opposite things of it; both are kept, and say so. */
function markConflicts(patterns: readonly Pattern[]): readonly Pattern[] {
  const place = ({ setting }: Pattern) =>
    setting && JSON.stringify([setting.file, setting.line, setting.path]);
  return patterns.map((pattern) => {
    const other = patterns.find(
      (one) => one !== pattern && place(one) !== null && place(one) === place(pattern),
    );
    if (other === undefined) return pattern;
    const mark = `The same value is blamed for another pattern, ${other.id}: ${shown(other.title)}.`;
    return { ...pattern, reasons: [...pattern.reasons.slice(0, 19), mark] };
  });
}

function summaryOf(patterns: number, passedOver: number): string {
  if (patterns + passedOver === 0) return 'Nothing failed in the window: there is nothing to do.';
  const seen = patterns + passedOver;
  const looked =
    seen === 1 ? 'One kind of failure was seen' : `${count(seen)} kinds of failure were seen`;
  if (patterns === 0) return `${looked}, not worth acting on: there is nothing to do.`;
  return `${looked}, ${count(patterns)} worth acting on.`;
}
