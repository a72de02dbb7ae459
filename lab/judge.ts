/** Whether a scenario came out as it should, judged by the files and by what the fleet did. Pure. */
import type { JsonlEvent } from '../src/observe/index.ts';
import type { Expectation, FixExpected, TriedPlace } from './expect-schema.ts';
import {
  expectationsOf,
  rightPlaces,
  triedPlaces,
  wantedRates,
  wantedSettings,
} from './expected.ts';
import type { Harmed } from './harm.ts';
import { labelOf, type MissLabel } from './labels.ts';
import { amountIn, findPlace, type Place, shownPlace, type TargetFiles } from './places.ts';
import type { JudgedProposal } from './proposals-made.ts';
import { rateOf } from './rates.ts';
import type { Scenario } from './scenario.ts';
import type { ToldThing } from './told.ts';
import { isWithin, touchedBetween } from './touched.ts';

const HOUR_MS = 3_600_000;

/** When the target's files changed, and what they were then. */
export interface Change {
  readonly atMs: number;
  readonly files: TargetFiles;
  /** As they would be at this time without Hone. */
  readonly own: TargetFiles;
}

export interface JudgeInput {
  readonly scenario: Scenario;
  readonly changes: readonly Change[];
  readonly events: readonly JsonlEvent[];
  readonly startMs: number;
  readonly endMs: number;
  readonly proposals: readonly JudgedProposal[];
  readonly told: readonly ToldThing[];
  /** Against the same world without Hone; null where that was not played. */
  readonly harmed: Harmed | null;
}

export interface Verdict {
  readonly ok: boolean;
  /** In one plain sentence. */
  readonly why: string;
  /** A change that hurts, or was not to be made, is in place at the end. */
  readonly harmLeft: boolean;
  /** From the onset to the change that stayed; null when none did. */
  readonly hoursToImprovement: number | null;
}

export interface Judged extends Verdict {
  /** Times that Hone changed the target's files. */
  readonly changes: number;
  /** Why it was missed; null where nothing was. */
  readonly label: MissLabel | null;
}

export function judge(input: JudgeInput): Judged {
  const expectations = expectationsOf(input.scenario);
  const verdicts = expectations.map((expected) => ({ expected, ...judgeOne(input, expected) }));
  const missed = verdicts.filter(({ ok }) => !ok);
  const hours = verdicts.flatMap(({ hoursToImprovement }) => hoursToImprovement ?? []);
  const [first] = missed;
  return {
    ok: missed.length === 0,
    why: (missed.length > 0 ? missed : verdicts).map(({ why }) => why).join('; '),
    harmLeft: verdicts.some(({ harmLeft }) => harmLeft) || input.harmed !== null,
    hoursToImprovement: hours.length === 0 ? null : Math.max(...hours),
    changes: honesChanges(input.changes).length,
    label: first === undefined ? null : labelOf(input, first.expected, first),
  };
}

function judgeOne(input: JudgeInput, expected: Expectation): Verdict {
  switch (expected.outcome) {
    case 'fixed':
      return judgeFix(input, expected);
    case 'untouched':
      return judgeUntouched(input);
    case 'told':
      return judgeTold(input, expected);
    case 'taken_back':
      return judgeTakenBack(input, expected.places);
  }
}

/** Somebody may commit what Hone did already: the files stay as they are, and nothing of them is Hone's any more. */
export function isNews({ files, own }: Change, last: Change | undefined): boolean {
  return last === undefined || !sameFiles(files, last.files) || !sameFiles(own, last.own);
}

/** Changes that Hone made or took back: what people commit moves both versions alike. */
export function honesChanges(changes: readonly Change[]): Change[] {
  return changes.filter((change, index) => {
    const before = changes[index - 1];
    if (before === undefined || sameFiles(change.files, before.files)) return false;
    return !(sameFiles(change.files, change.own) && sameFiles(before.files, before.own));
  });
}

function judgeUntouched(input: JudgeInput): Verdict {
  const { changes } = input;
  // What other expectations of the same scenario want changed is theirs to judge.
  const others = expectationsOf(input.scenario);
  const wanted = others.flatMap(rightPlaces);
  const tried = others.flatMap(triedPlaces);
  const isStray = ({ files, own }: Change, allowed: readonly Place[]) =>
    !sameFiles(files, own) && !isWithin(touchedBetween(own, files), allowed, own);
  const stray = changes.filter((change) => isStray(change, [...tried, ...wanted]));
  const last = changes.at(-1)!;
  const harmLeft = isStray(last, [...wanted, ...tried.filter((place) => !mayHurt(last, place))]);
  const ok = stray.length === 0 && !harmLeft;
  const why = ok
    ? honesChanges(changes).length === 0
      ? 'nothing was changed'
      : 'nothing but what may be tried was changed'
    : 'a healthy fleet was changed';
  return { ok, why, harmLeft, hoursToImprovement: null };
}

function judgeTold(
  input: JudgeInput,
  expected: Extract<Expectation, { outcome: 'told' }>,
): Verdict {
  const untouched = judgeUntouched(input);
  if (!untouched.ok) return { ...untouched, why: 'what only a person can cure was changed' };
  const { agent, tool, about, within_hours, onset_hour } = expected;
  const onsetMs = input.startMs + onset_hour * HOUR_MS;
  const untilMs = within_hours === undefined ? Infinity : onsetMs + within_hours * HOUR_MS;
  const said = input.told.find(
    (one) =>
      (agent === undefined || one.agent === agent || one.words.includes(agent)) &&
      (tool === undefined || one.tool === tool || one.words.includes(tool)) &&
      (about === undefined || new RegExp(about, 'i').test(one.words)) &&
      one.atMs <= untilMs,
  );
  return {
    ok: said !== undefined,
    why: said === undefined ? 'nobody was told' : `told: ${said.words.slice(0, 120)}`,
    harmLeft: false,
    hoursToImprovement: null,
  };
}

/** Unless its value moved the other way from where it hurts. */
function mayHurt({ files, own }: Change, place: TriedPlace): boolean {
  if (place.hurts === undefined) return true;
  const [now, was] = [files, own].map((some) => amountIn(findPlace(some, place)?.value));
  if (now === undefined || was === undefined) return true;
  return place.hurts === 'up' ? now > was : now < was;
}

function judgeTakenBack({ changes }: JudgeInput, tried?: readonly TriedPlace[]): Verdict {
  const last = changes.at(-1)!;
  const { files, own } = last;
  const touched = touchedBetween(own, files);
  const places = tried?.filter((place) => mayHurt(last, place));
  const isBack = touched.size === 0 || (places !== undefined && !isAnyWithin(touched, places, own));
  const why = !isBack
    ? 'a change that hurts was left in place'
    : honesChanges(changes).length === 0
      ? 'nothing was deployed'
      : 'the change was taken back';
  return { ok: isBack, why, harmLeft: !isBack, hoursToImprovement: null };
}

function isAnyWithin(
  touched: ReturnType<typeof touchedBetween>,
  places: readonly Place[],
  files: TargetFiles,
): boolean {
  return [...touched].some(([file, lines]) =>
    [...lines].some((line) => isWithin(new Map([[file, new Set([line])]]), places, files)),
  );
}

function judgeFix(input: JudgeInput, expected: FixExpected): Verdict {
  const { changes, events, startMs, endMs } = input;
  const last = changes.at(-1)!;
  const missing = missingParts(last, expected);
  if (missing !== undefined) return no(missing, isWrongLeft(input, last));
  const sinceMs = metSince(changes, expected);
  const hours = (sinceMs - startMs) / HOUR_MS;
  if (hours > expected.within_hours) return no(`fixed only after ${hours.toFixed(1)} hours`, false);
  const shown: string[] = [];
  for (const { below, to_hour, ...asked } of wantedRates(expected)) {
    const toMs = to_hour === undefined ? endMs : Math.min(endMs, startMs + to_hour * HOUR_MS);
    const rate = rateOf(events, asked, { fromMs: sinceMs, toMs });
    const what = asked.tool ?? asked.task ?? asked.agent ?? asked.of;
    if (rate >= below)
      return no(`${what} still fails ${(rate * 100).toFixed(1)} % of the time`, false);
    shown.push(`${(rate * 100).toFixed(2)} % fail after it`);
  }
  const became = wantedSettings(expected).map((place) => {
    const [from, to] = [last.own, last.files].map((files) => findPlace(files, place)?.value);
    return `${String(from)} became ${String(to)}`;
  });
  return {
    ok: true,
    why: [...became, ...shown].join('; '),
    harmLeft: false,
    hoursToImprovement: Math.max(0, hours - expected.onset_hour),
  };
}

/**
 * Whether something of Hone's is in place that none of the expectations wants: elsewhere, or at a wanted place and not as
 * wanted. One failure that was not mended does not turn the right change of another into harm.
 */
function isWrongLeft({ scenario }: JudgeInput, last: Change): boolean {
  const { files, own } = last;
  const touched = touchedBetween(own, files);
  if (touched.size === 0) return false;
  const expectations = expectationsOf(scenario);
  const harmless = expectations.flatMap(triedPlaces).filter((place) => !mayHurt(last, place));
  if (!isWithin(touched, [...expectations.flatMap(rightPlaces), ...harmless], own)) return true;
  return expectations.some(
    (expected) =>
      expected.outcome === 'fixed' &&
      isAnyWithin(touched, rightPlaces(expected), own) &&
      missingParts(last, expected) !== undefined,
  );
}

function no(why: string, harmLeft: boolean): Verdict {
  return { ok: false, why, harmLeft, hoursToImprovement: null };
}

/** From when on everything that was to change is as it should be, to the end. */
function metSince(changes: readonly Change[], expected: FixExpected): number {
  let since = changes.at(-1)!;
  for (const change of changes.toReversed()) {
    if (missingParts(change, expected) !== undefined) break;
    since = change;
  }
  return since.atMs;
}

/** What is not yet as it should be, in words; undefined when everything is. */
function missingParts(change: Change, expected: FixExpected): string | undefined {
  const parts = [
    ...wantedSettings(expected).map((setting) => settingMissing(change, setting)),
    ...(expected.texts ?? []).map((text) => textMissing(change, text)),
  ];
  const missing = parts.filter((one) => one !== undefined);
  if (expected.one_suffices) return missing.length === parts.length ? missing[0] : undefined;
  return missing[0];
}

function settingMissing(
  { files, own }: Change,
  setting: ReturnType<typeof wantedSettings>[number],
): string | undefined {
  const value = findPlace(files, setting)?.value;
  const [now, was] = [amountIn(value), amountIn(findPlace(own, setting)?.value)];
  const { direction, becomes, at_least = -Infinity, at_most = Infinity } = setting;
  const where = setting.path?.join('.') ?? shownPlace(setting);
  if (becomes !== undefined && String(value) !== String(becomes))
    return `${where} is ${String(value ?? 'gone')}, not ${becomes}`;
  if (direction === undefined && becomes === undefined && now === undefined)
    return `${where} is gone`;
  if (direction !== undefined) {
    const isMoved =
      now !== undefined && was !== undefined && (direction === 'up' ? now > was : now < was);
    if (!isMoved) return `${where} is ${String(value ?? 'gone')}, as before`;
  }
  if (now !== undefined && (now < at_least || now > at_most))
    return `${where} is ${now}, which is out of range`;
  return undefined;
}

function textMissing(
  { files }: Change,
  { file, contains, lacks }: NonNullable<FixExpected['texts']>[number],
): string | undefined {
  const text = files.get(file) ?? '';
  if (contains !== undefined && !new RegExp(contains, 'm').test(text))
    return `${file} does not say ${contains}`;
  if (lacks !== undefined && new RegExp(lacks, 'm').test(text))
    return `${file} still says ${lacks}`;
  return undefined;
}

export function sameFiles(one: TargetFiles, other: TargetFiles): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
}
