/**
 * Which cause wins. Every diagnoser is asked; causes that blame the same thing are one. All of them compete, and with
 * them that it is none of them: how likely each is follows from its clues (`clues.ts`, `weigh.ts`). If several are
 * equally good, they are tried in turn. Without any answer the cause is unknown, with low confidence.
 */
import {
  CAUSE_LAYERS,
  type CauseLayer,
  type Pattern,
  type SettingSubject,
  type Subject,
  type SubjectOf,
} from '../facts/index.ts';
import { type Line, onLine } from '../stats/index.ts';
import { withClueReasons } from './clue-reasons.ts';
import { type Clues, cluesOf, hitsOthers, type NamedCause, saidBy } from './clues.ts';
import { consideredOf, somethingElse, whatSettles } from './considered.ts';

import { DIAGNOSERS } from './diagnosers.ts';
import { isLeftBehind, likelyReadFirst, usedOnly } from './likely-read.ts';
import { isInFiles, subjectKey, subjectName, subjectNoun } from './subjects.ts';
import { CAUSES_MAX, type Cause, type Diagnoser, type Evidence, type Failure } from './types.ts';
import { type Among, sharesOf, withinRoom } from './weigh.ts';
import { courseOfFailure } from './why-now.ts';

/** The answer if nothing shows where it begins. */
const NO_EVIDENCE_CONFIDENCE = 0.1;
const REASONS_MAX = 20;
const NAMED_MAX = 5;
const CONSIDERED_MAX = 9;
/** With more that explain it equally well, trying them one by one is guessing. */
const TRIED_MAX = 4;
const UNKNOWN: Subject = { kind: 'unknown' };

/** A cause with what was seen of it and how likely that makes it. */
export interface WeighedCause extends NamedCause {
  readonly clues: Clues;
  /** With whom it was counted as one; null for one that competes with nobody. */
  readonly among: Among | null;
  /** 0 to 1; those of all causes of a failure add up to less than 1. */
  readonly likelihood: number;
  /** What it would be without outcomes of this installation. */
  readonly byClues: number;
}

export interface RootCause {
  readonly subject: Subject;
  /** Others that explain it as well, in the order in which they should be tried. */
  readonly alternatives: readonly Subject[];
  readonly layer: CauseLayer;
  readonly confidence: number;
  /** What it would be without outcomes of this installation. */
  readonly byClues: number;
  /** Plain sentences, the strongest first. */
  readonly reasons: readonly string[];
  /** The events behind it, by their ids. */
  readonly events: readonly string[];
  /** Every cause that was thought of, the likeliest first. */
  readonly considered: NonNullable<Pattern['considered']>;
  /** What would tell them apart, in a sentence. */
  readonly settledBy: string;
  /** What was weighed, the likeliest first. */
  readonly weighed: readonly WeighedCause[];
}

export function rootCauseOf(
  failure: Failure,
  evidence: Evidence,
  diagnosers: readonly Diagnoser[] = DIAGNOSERS,
): RootCause {
  const causes = rankedCauses(failure, evidence, diagnosers);
  const [best] = causes;
  if (best === undefined) {
    const reasons = ['Nothing shows where it begins; this layer is only where it appears.'];
    const confidence = NO_EVIDENCE_CONFIDENCE;
    const nothing = { subject: UNKNOWN, alternatives: [], events: [], considered: [], weighed: [] };
    const settledBy = whatSettles([], [], failure);
    return { ...nothing, layer: 'behavior', confidence, byClues: confidence, reasons, settledBy };
  }
  const equals = likelyReadFirst(
    causes.filter((one) => isEqual(one, best)),
    evidence,
  );
  const rivals = causes.filter((one) => !equals.includes(one));
  const isTooMany = equals.length > TRIED_MAX;
  // They are tried one after the other, so that it is enough if one of them is it.
  const stated = (of: 'likelihood' | 'byClues') => {
    const sum = equals.reduce((total, one) => total + one[of], 0) * (isTooMany ? 0.5 : 1);
    return Math.round(sum * 1000) / 1000;
  };
  const [first, ...others] = equals.map(({ subject }) => subject);
  return {
    subject: isTooMany ? UNKNOWN : first!,
    alternatives: isTooMany ? [] : [...others, ...insteadOf(equals, causes)],
    layer: best.layer,
    confidence: stated('likelihood'),
    byClues: stated('byClues'),
    reasons: reasonsOf(equals, rivals),
    events: equals.flatMap(({ reasons }) => reasons.flatMap(({ events }) => events)),
    considered: [
      ...[...equals, ...rivals].slice(0, CONSIDERED_MAX).map(consideredOf),
      somethingElse(causes),
    ],
    settledBy: whatSettles(equals, rivals, failure),
    weighed: causes,
  };
}

/** The same values as others blame them: tried where putting back what they had been is refused, or was no cure. */
function insteadOf(equals: readonly WeighedCause[], causes: readonly WeighedCause[]): Subject[] {
  const cures = new Set(equals.filter(hasPast).map(({ among }) => among?.cure));
  return causes
    .filter((one) => !equals.includes(one) && one.among !== null && cures.has(one.among.cure))
    .map(({ subject }) => subject)
    .slice(0, TRIED_MAX);
}

/** Neither is more likely than the other, and both name something that could be changed. */
function isEqual(one: WeighedCause, best: WeighedCause): boolean {
  if (one === best) return true;
  return (
    one.layer === best.layer &&
    one.confidence === best.confidence &&
    one.subject.kind !== 'unknown' &&
    best.subject.kind !== 'unknown'
  );
}

/**
 * One value that two want to move in the same direction, or of which one does not say where to; or a value and the lines
 * in which a commit wrote it, under another name or in another unit, as far as these are to be what they were.
 */
function isSameCure(one: Subject, other: Subject, edits: Evidence['edits']): boolean {
  if (one.kind === 'rule' && other.kind === 'setting') return isWrittenIn(other, one, edits);
  if (one.kind === 'setting' && other.kind === 'rule') return isWrittenIn(one, other, edits);
  if (one.kind !== 'setting' || other.kind !== 'setting') return false;
  const isPlace = one.file === other.file && one.path.join('\n') === other.path.join('\n');
  const [up, isUp] = [directionOf(one), directionOf(other)];
  return isPlace && (up === undefined || isUp === undefined || up === isUp);
}

function isWrittenIn(
  { file, path }: SettingSubject,
  { before, ...lines }: SubjectOf<'rule'>,
  edits: Evidence['edits'] = [],
): boolean {
  return edits.some(
    (edit) =>
      edit.kind === 'lines' &&
      edit.file === file &&
      edit.file === lines.file &&
      edit.commit === before?.commit &&
      edit.line === before.line &&
      edit.settings.some((one) => one.path.join('\n') === path.join('\n')),
  );
}

/** What a commit wrote right before it began, and what that had been is known. */
const hasPast = ({ subject }: Pick<Cause, 'subject'>) =>
  'before' in subject && subject.before !== undefined;

/** Whether it should grow, as far as the diagnosis says it. */
function directionOf({ value, aim, before }: SettingSubject): boolean | undefined {
  const wanted = aim?.value ?? before?.value;
  if (typeof wanted !== 'number' || typeof value !== 'number') return undefined;
  return wanted > value;
}

/**
 * The likeliest first; of equals the one that its diagnoser is surer of, then the deeper layer: what agents are given
 * before what they show. A cause that names nothing but a layer rivals none that names more; that several agents fail at
 * a tool says nothing of the tool where a value is thought of by which they would as well.
 */
function rankedCauses(
  failure: Failure,
  evidence: Evidence,
  diagnosers: readonly Diagnoser[],
): WeighedCause[] {
  const found = diagnosers.flatMap(({ name, explain }) =>
    usedOnly(explain(failure, evidence), evidence)
      .slice(0, CAUSES_MAX)
      .filter(({ subject }) => !isLeftBehind(subject, failure, evidence))
      .map((cause): NamedCause => ({ ...cause, by: name })),
  );
  const causes = joined(found.some(isMeasured) ? found.filter(isNoEcho) : found);
  const course = courseOfFailure(failure, evidence.failureShare, evidence.all);
  const seen = causes.map((cause) => ({
    ...cause,
    clues: cluesOf(cause, { failure, evidence, course, causes }),
  }));
  const isShared = seen.some(
    (cause) => isInFiles(cause.subject) && hitsOthers(cause, { failure, evidence }),
  );
  // That an agent runs in circles is how it fails. What it was told then, and is not told any more, is why.
  const isUntold = seen.some((cause) => cause.by === 'regression' && hasPast(cause));
  const isRival = ({ subject, by }: NamedCause) =>
    subject.kind !== 'unknown' &&
    !(isShared && by === 'shared-tool') &&
    !(isUntold && by === 'endless-loop' && !isInFiles(subject));
  const named = competing(seen.filter(isRival), evidence.edits);
  const layers = seen.filter((cause) => !isRival(cause));
  const byClues = pastFirst(named, sharesOf(named));
  const shares =
    evidence.learnt === undefined ? byClues : learntShares(named, byClues, evidence.learnt);
  const weighed = named.map((cause, at) => ({
    ...withClueReasons(cause),
    likelihood: shares[at]!,
    byClues: byClues[at]!,
  }));
  const left = 1 - shares.reduce((sum, one) => sum + one, 0);
  return [
    ...weighed.sort(
      (a, b) =>
        b.likelihood - a.likelihood ||
        b.confidence - a.confidence ||
        CAUSE_LAYERS.indexOf(b.layer) - CAUSE_LAYERS.indexOf(a.layer),
    ),
    ...layers
      .map((cause) => {
        const likelihood = cause.confidence * left;
        return { ...cause, among: null, likelihood, byClues: likelihood };
      })
      .sort((a, b) => b.likelihood - a.likelihood),
  ];
}

/**
 * Of those that are counted as one, the one that knows what the value was before it began stands for all: that was well,
 * while any other number is computed. As likely as the likeliest of them.
 */
function pastFirst(
  causes: readonly (NamedCause & { readonly among: Among })[],
  shares: readonly number[],
): readonly number[] {
  const result = [...shares];
  for (const group of Map.groupBy(causes.keys(), (at) => causes[at]!.among.cure).values()) {
    const stands = group.findIndex((at) => shares[at]! > 0);
    const past = group.find((at) => hasPast(causes[at]!));
    if (stands < 0 || past === undefined || hasPast(causes[group[stands]!]!)) continue;
    result[past] = shares[group[stands]!]!;
    result[group[stands]!] = 0;
  }
  return result;
}

/** Only what stands in files was ever changed, so only of that it is known how often it was right. */
function learntShares(
  causes: readonly NamedCause[],
  byClues: readonly number[],
  learnt: Line,
): readonly number[] {
  return withinRoom(
    byClues.map((share, at) =>
      share > 0 && isInFiles(causes[at]!.subject) ? onLine(share, learnt) : share,
    ),
  );
}

/** With whom each is counted as one: who wants the same of the same value, copies of it, and other places of one mechanism. */
function competing<T extends NamedCause>(
  causes: readonly T[],
  edits: Evidence['edits'],
): (T & { readonly among: Among })[] {
  const cures: T[] = [];
  return causes.map((cause) => {
    const { subject, layer, confidence, share, by } = cause;
    const known = cures.findIndex((one) => isSameCure(one.subject, subject, edits));
    const cure = known < 0 ? cures.push(cause) - 1 : known;
    const copy = share === undefined ? JSON.stringify([layer, confidence, saidBy(subject)]) : by;
    return { ...cause, among: { cure, copy, ...(share !== undefined && { share }) } };
  });
}

/** A limit on load was shown call by call, and its diagnoser weighs whose it is. */
const isMeasured = ({ by }: NamedCause) => by === 'load-limit';

/** That other tools or agents fail in the same minutes is what a limit does that they share: it says nothing of whose it is. */
const isNoEcho = ({ by }: NamedCause) => by !== 'outside-service' && by !== 'shared-tool';

/** A service is one cause, in whichever layer it is seen. */
function joined(causes: readonly NamedCause[]): NamedCause[] {
  const merged = new Map<string, NamedCause>();
  for (const cause of causes) {
    const { layer, subject } = cause;
    const key = `${subject.kind === 'service' ? '' : layer} ${subjectKey(subject)}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? cause : together(before, cause));
  }
  return [...merged.values()];
}

function together(one: NamedCause, other: NamedCause): NamedCause {
  const surer = other.confidence > one.confidence ? other : one;
  const { share: _, ...rest } = one;
  return {
    ...rest,
    ...(surer.share !== undefined && { share: surer.share }),
    ...((one.isByLoad ?? other.isByLoad) && { isByLoad: true }),
    // Each may know something of the same place: what it was before, what it limits.
    subject: { ...other.subject, ...one.subject } as Subject,
    layer: surer.layer,
    by: surer.by,
    confidence: surer.confidence,
    reasons: [...one.reasons, ...other.reasons],
    against: [...one.against, ...other.against],
  };
}

/** The root's reasons first, then evidence for others, then the layers without evidence. */
function reasonsOf(equals: readonly WeighedCause[], rivals: readonly WeighedCause[]): string[] {
  const [best] = equals;
  const own = equals.length > 1 ? [tieText(equals), ...textsOf(best!)] : textsOf(best!);
  const others = rivals.flatMap((rival) => {
    const what =
      rival.layer === best!.layer ? subjectName(rival.subject) : `the ${rival.layer} layer`;
    return rival.reasons.map(({ text }) => `It could also be ${what}: ${text}`);
  });
  const without = CAUSE_LAYERS.filter(
    (layer) => ![...equals, ...rivals].some((one) => one.layer === layer),
  );
  const none = without.length === 0 ? [] : [`There is no evidence for ${without.join(', ')}.`];
  return [...own, ...others].slice(0, REASONS_MAX - none.length).concat(none);
}

function textsOf({ reasons, against }: WeighedCause): string[] {
  return [
    ...reasons.map(({ text }) => text),
    ...against.map(({ text }) => `Evidence against it: ${text}`),
  ];
}

function tieText(equals: readonly WeighedCause[]): string {
  const subjects = equals.map(({ subject }) => subject);
  const names = subjects.slice(0, NAMED_MAX).map(subjectName);
  const number = equals.length < CAUSES_MAX ? equals.length : `${CAUSES_MAX} or more`;
  const what = `${number} ${subjectNoun(subjects)}s explain it equally well`;
  if (equals.length > TRIED_MAX) return `${what}, so none is blamed: ${names.join(', ')}.`;
  return `${what}: ${names.join(', ')}. They are tried in this order.`;
}
