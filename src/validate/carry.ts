/**
 * What validation says about two bases of the same change: which files its commands can read, and whether something that it
 * measured got worse. For decisions that are carried over; both are judged by what is sure, and in doubt against it.
 */
import type { Json } from '../base/index.ts';
import { matchingPath } from '../policy/index.ts';
import { MODES } from './modes.ts';
import type { Measure, ValidatePorts } from './types.ts';

/**
 * Whether a command or replay that gives evidence can read this file. Commands see the files of `validate.files` and no
 * others (`target-runner/written-out.ts`); a replay without a list of its own may read everything.
 */
export function canBeRead(
  path: string,
  { replay, settings }: Pick<ValidatePorts, 'replay' | 'settings'>,
): boolean {
  const { prepare, test, eval: evaluation, replay: replayed, files } = settings;
  const isRun = [prepare, test, evaluation, replayed].some((argv) => argv.length > 0);
  if (isRun && matchingPath(path, files) !== undefined) return true;
  return (
    replay !== undefined &&
    (replay.reads === undefined || matchingPath(path, replay.reads) !== undefined)
  );
}

/** What this mode measured then and measures worse now, by its two reports; a measure that is gone is worse. */
export function worseMeasures(mode: string, before: Json, now: Json): string[] {
  const measures = MODES.find(({ name }) => name === mode)?.measures;
  if (measures === undefined) return [];
  const after = new Map(measures(now).map((one) => [one.name, one.value]));
  return measures(before)
    .filter((one) => !isKept(one, after.get(one.name)))
    .map(({ name }) => `${mode}: ${name}`);
}

function isKept({ value, better }: Measure, now: number | undefined): boolean {
  if (now === undefined) return false;
  return better === 'higher' ? now >= value : now <= value;
}
