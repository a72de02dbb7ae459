/**
 * Which cause wins. Every diagnoser is asked; causes that blame the same thing in the same layer are one. The most
 * likely one is the root, and evidence for the next lowers the confidence. If several are equally good, none is
 * blamed. Without any answer the cause is unknown, with low confidence.
 */
import {
  CAUSE_LAYERS,
  type CauseLayer,
  type Pattern,
  type SettingSubject,
  type Subject,
} from '../facts/index.ts';
import { consideredOf, whatSettles } from './considered.ts';
import { DIAGNOSERS } from './diagnosers.ts';
import { likelyReadFirst } from './likely-read.ts';
import { subjectKey, subjectName, subjectNoun } from './subjects.ts';
import { CAUSES_MAX, type Cause, type Diagnoser, type Evidence, type Failure } from './types.ts';

/** The answer if nothing shows where it begins. */
const NO_EVIDENCE_CONFIDENCE = 0.1;
const REASONS_MAX = 20;
const NAMED_MAX = 5;
const CONSIDERED_MAX = 10;
/** With more that explain it equally well, trying them one by one is guessing. */
const TRIED_MAX = 4;
const UNKNOWN: Subject = { kind: 'unknown' };

export interface RootCause {
  readonly subject: Subject;
  /** Others that explain it as well, in the order in which they should be tried. */
  readonly alternatives: readonly Subject[];
  readonly layer: CauseLayer;
  readonly confidence: number;
  /** Plain sentences, the strongest first. */
  readonly reasons: readonly string[];
  /** The events behind it, by their ids. */
  readonly events: readonly string[];
  /** Every cause that was thought of, the likeliest first. */
  readonly considered: NonNullable<Pattern['considered']>;
  /** What would tell them apart, in a sentence. */
  readonly settledBy: string;
}

export function rootCauseOf(
  failure: Failure,
  evidence: Evidence,
  diagnosers: readonly Diagnoser[] = DIAGNOSERS,
): RootCause {
  const causes = rankedCauses(
    diagnosers.flatMap((one) => one.explain(failure, evidence).slice(0, CAUSES_MAX)),
  );
  const [best] = causes;
  if (best === undefined) {
    const reasons = ['Nothing shows where it begins; this layer is only where it appears.'];
    const confidence = NO_EVIDENCE_CONFIDENCE;
    const nothing = { subject: UNKNOWN, alternatives: [], events: [], considered: [] };
    const settledBy = whatSettles([], [], failure);
    return { ...nothing, layer: 'behavior', confidence, reasons, settledBy };
  }
  const equals = likelyReadFirst(
    causes.filter((one) => isEqual(one, best)),
    evidence,
  );
  const rivals = causes.filter((one) => !equals.includes(one));
  const isTooMany = equals.length > TRIED_MAX;
  // Who blames the same value, and wants the same of it, is no rival.
  const rival = rivals.find((one) => !isSameCure(one.subject, best.subject));
  const confidence = best.confidence * (1 - (rival?.confidence ?? 0) / 2) * (isTooMany ? 0.5 : 1);
  const [first, ...others] = equals.map(({ subject }) => subject);
  return {
    subject: isTooMany ? UNKNOWN : first!,
    alternatives: isTooMany ? [] : others,
    layer: best.layer,
    confidence: Math.round(confidence * 1000) / 1000,
    reasons: reasonsOf(equals, rivals),
    events: equals.flatMap(({ reasons }) => reasons.flatMap(({ events }) => events)),
    considered: [...equals, ...rivals].slice(0, CONSIDERED_MAX).map(consideredOf),
    settledBy: whatSettles(equals, rivals, failure),
  };
}

/** Neither is more likely than the other, and both name something that could be changed. */
function isEqual(one: Cause, best: Cause): boolean {
  if (one === best) return true;
  return (
    one.layer === best.layer &&
    one.confidence === best.confidence &&
    one.subject.kind !== 'unknown' &&
    best.subject.kind !== 'unknown'
  );
}

/** One value that two want to move in the same direction, or of which one does not say where to. */
function isSameCure(one: Subject, other: Subject): boolean {
  if (one.kind !== 'setting' || other.kind !== 'setting') return false;
  const isPlace = one.file === other.file && one.path.join('\n') === other.path.join('\n');
  const [up, isUp] = [directionOf(one), directionOf(other)];
  return isPlace && (up === undefined || isUp === undefined || up === isUp);
}

/** Whether it should grow, as far as the diagnosis says it. */
function directionOf({ value, aim, before }: SettingSubject): boolean | undefined {
  const wanted = aim?.value ?? before?.value;
  if (typeof wanted !== 'number' || typeof value !== 'number') return undefined;
  return wanted > value;
}

/** The most likely first; of equals the deeper layer: what agents are given before what they show. */
function rankedCauses(causes: readonly Cause[]): Cause[] {
  const merged = new Map<string, Cause>();
  for (const cause of causes) {
    const key = `${cause.layer} ${subjectKey(cause.subject)}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? cause : together(before, cause));
  }
  return [...merged.values()].sort(
    (a, b) =>
      b.confidence - a.confidence || CAUSE_LAYERS.indexOf(b.layer) - CAUSE_LAYERS.indexOf(a.layer),
  );
}

function together(one: Cause, other: Cause): Cause {
  return {
    ...one,
    // Each may know something of the same place: what it was before, what it limits.
    subject: { ...other.subject, ...one.subject } as Subject,
    confidence: Math.max(one.confidence, other.confidence),
    reasons: [...one.reasons, ...other.reasons],
    against: [...one.against, ...other.against],
  };
}

/** The root's reasons first, then evidence for others, then the layers without evidence. */
function reasonsOf(equals: readonly Cause[], rivals: readonly Cause[]): string[] {
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

function textsOf({ reasons, against }: Cause): string[] {
  return [
    ...reasons.map(({ text }) => text),
    ...against.map(({ text }) => `Evidence against it: ${text}`),
  ];
}

function tieText(equals: readonly Cause[]): string {
  const subjects = equals.map(({ subject }) => subject);
  const names = subjects.slice(0, NAMED_MAX).map(subjectName);
  const number = equals.length < CAUSES_MAX ? equals.length : `${CAUSES_MAX} or more`;
  const what = `${number} ${subjectNoun(subjects)}s explain it equally well`;
  if (equals.length > TRIED_MAX) return `${what}, so none is blamed: ${names.join(', ')}.`;
  return `${what}: ${names.join(', ')}. They are tried in this order.`;
}
