/** From failures that were counted to patterns with their causes. Pure. */
import type { FailureGroup, Pattern } from '../facts/index.ts';
import { inert } from '../text/index.ts';
import { attributesOf, attributeWords, type Goes } from './attributes.ts';
import { rootCauseOf, type WeighedCause } from './causes.ts';
import { endedTogether } from './ended-together.ts';
import { gatheredFailures } from './gathered.ts';
import { patternOf, scoreOf } from './pattern-of.ts';
import { type Likeness, recognised } from './recognise.ts';
import { type EarlierPatterns, recurringFailures } from './recurring.ts';
import { deeperCause, returnedAfter, returnedWords } from './returned.ts';
import { isInFiles, subjectKey, subjectNoun } from './subjects.ts';
import { hitTask, taskWords } from './task-cells.ts';
import { trialOf } from './trial.ts';
import type { DiagnoseLimits, Diagnosis, EarlierFix, Evidence, Failure } from './types.ts';
import { courseOfFailure, whyNow, whyNowReasons } from './why-now.ts';
import { percent, shown } from './wording.ts';

export interface PatternsInput extends Omit<Evidence, 'all' | 'failureShare'>, EarlierPatterns {
  readonly groups: readonly FailureGroup[];
  readonly limits: DiagnoseLimits;
  /** By pattern, the fixes that stayed at the target. */
  readonly fixed?: ReadonlyMap<string, readonly EarlierFix[]>;
}

export function findPatterns(
  input: PatternsInput,
): Pick<Diagnosis, 'patterns' | 'passedOver' | 'weighed'> {
  const { groups, limits, known, ignored, merged, fixed = new Map(), ...rest } = input;
  const earlier = {
    known,
    ...(ignored === undefined ? {} : { ignored }),
    ...(merged === undefined ? {} : { merged }),
  };
  const { acting, all, passedOver } = recurringFailures(groups, limits, earlier);
  const found = patternsOf(
    acting,
    { limits, fixed, alike: recognised(acting, known), attributes: attributesOf(acting) },
    { ...rest, all, failureShare: limits.failureShare },
  );
  return {
    patterns: markConflicts(found.map(({ pattern }) => pattern)),
    weighed: found.map(({ pattern: { id, agent }, weighed }) => ({ id, agent, causes: weighed })),
    passedOver,
  };
}

interface Remembered extends Pick<PatternsInput, 'limits'>, Required<Pick<PatternsInput, 'fixed'>> {
  readonly alike: ReadonlyMap<string, Likeness>;
  readonly attributes: ReadonlyMap<string, readonly Goes[]>;
}

/** The highest score first. */
function patternsOf(
  acting: readonly Failure[],
  { limits, fixed, alike, attributes }: Remembered,
  evidence: Evidence,
): { readonly pattern: Pattern; readonly weighed: readonly WeighedCause[] }[] {
  const scored = acting
    .map((failure) => ({ failure, numbers: scoreOf(failure, evidence.window) }))
    .sort((a, b) => b.numbers.score - a.numbers.score || (a.failure.id < b.failure.id ? -1 : 1));
  return scored.map(({ failure, numbers }) => {
    const own = courseOfFailure(failure, evidence.failureShare, evidence.all);
    const course = endedTogether(failure, own, evidence);
    const like = alike.get(failure.id);
    const fixes = fixed.get(failure.id) ?? [];
    const returned = returnedAfter(fixes, failure, course, evidence.failureShare);
    const cause =
      returned === undefined
        ? rootCauseOf(failure, evidence)
        : deeperCause(failure, evidence, returned);
    const { commits, edits, window } = evidence;
    const blamed = cause.weighed.find(({ subject }) => subject === cause.subject) ?? cause;
    const now = whyNow(course, blamed, { commits, edits, nowMs: window.toMs });
    const task = hitTask(failure, limits);
    const reasons = [
      ...(returned === undefined ? [] : [returnedWords(returned)]),
      ...(task === undefined ? [] : [`It hits ${taskWords(task)}.`]),
      ...whyNowReasons(now, course, commits),
      ...likeWords(like),
      ...(attributes.get(failure.id) ?? []).map(attributeWords),
      ...cause.reasons,
    ];
    const told = { ...cause, reasons: reasons.slice(0, 20) };
    const gathered = gatheredFailures(failure, course, cause, evidence);
    const trial = trialOf(failure, cause, now, evidence);
    const pattern = {
      ...patternOf(failure, numbers, { ...told, returned, like }, { now, window }),
      ...(gathered === undefined ? {} : { gathered }),
      ...(trial === undefined ? {} : { trial }),
    };
    return { pattern, weighed: cause.weighed };
  });
}

function likeWords(like: Likeness | undefined): string[] {
  if (like === undefined) return [];
  return [`It is like a known pattern, ${like.id} (${percent(like.similarity)} alike).`];
}

/** Two patterns that blame one place may want opposite things of it; both are kept, and say so. */
function markConflicts(patterns: readonly Pattern[]): Pattern[] {
  return patterns.map((pattern) => {
    const { subject } = pattern;
    if (!isInFiles(subject)) return pattern;
    const key = subjectKey(subject);
    const other = patterns.find((one) => one !== pattern && subjectKey(one.subject) === key);
    if (other === undefined) return pattern;
    const mark = `The same ${subjectNoun([subject])} is blamed for another pattern, ${other.id}: ${inert(shown(other.title))}.`;
    return { ...pattern, reasons: [...pattern.reasons.slice(0, 19), mark] };
  });
}
