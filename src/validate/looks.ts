/**
 * A replay that shows nothing yet is repeated when more sessions were recorded, before a person is asked (VAL-5). Every look at the
 * same content may err, so each has half the chance that was left to the one before: a twentieth in all, however often it is looked
 * at and whatever the looks share. Where all that differ got better, a further look costs one session more.
 *
 * The looks are the attestations of the record: whoever goes on after a kill knows how many there were, and a validation that is
 * begun again has no more chances than one that goes on.
 */
import { formatDuration } from '../config/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { DrawnSessions, ValidateSettings } from './types.ts';

/** The fifth has a thirty-second of the chance: by then about twice the sessions are needed that one look needs. */
const LOOKS_MAX = 5;

const HOUR_MS = 3_600_000;

/** Words of `Unjudged` by which nothing was compared: no chance was used. */
const NOT_LOOKED: readonly string[] = [
  'touches_judge',
  'too_few_sessions',
  'unsteady_base',
  'no_answer',
];

export interface Looks {
  /** Times that it was tried. */
  readonly tried: number;
  /** Of these, in which sides were compared without a pass. After a pass nothing is left to be found by chance. */
  readonly spent: number;
  /** Null before the first. */
  readonly sinceMs: number | null;
}

/** Those of a mode at the present content, by the record. */
export function looksOf({ proposal, attestations }: Dossier, mode: string): Looks {
  const tried = attestations.filter(
    (one) =>
      one.kind === 'validation' && one.mode === mode && one.contentDigest === proposal.digest,
  );
  const spent = tried.filter(
    (one) =>
      one.verdict !== 'passed' &&
      !(one.kind === 'validation' && NOT_LOOKED.includes(one.unjudged ?? '')),
  );
  return { tried: tried.length, spent: spent.length, sinceMs: tried[0]?.atMs ?? null };
}

/** The chance to err that a look has when the one before had `chance`. */
export function chanceOfNext(chance: number): number {
  return chance / 2;
}

/** How sure the next look has to be. */
export function significanceOfLook({ spent }: Looks, significance: number): number {
  let chance = chanceOfNext(1 - significance);
  for (let look = 0; look < spent; look++) chance = chanceOfNext(chance);
  return 1 - chance;
}

interface LookAgain {
  /** Sessions that would settle it, with those that were asked. */
  readonly settledBy: number;
  readonly asked: number;
  readonly drawn: DrawnSessions;
  readonly looks: Looks;
  readonly settings: Pick<ValidateSettings, 'sessions' | 'extend'>;
  readonly nowMs: number;
}

/** When enough will be there at the present rate, or only why nobody waits for it. */
export function lookAgain({ settledBy, asked, drawn, looks, settings, nowMs }: LookAgain): {
  readonly dueAtMs?: number;
  readonly words: string;
} {
  const more = Math.max(1, settledBy - asked);
  const { perHour } = drawn;
  if (settledBy > settings.sessions)
    return { words: `validate.sessions allows ${settings.sessions}.` };
  if (perHour <= 0) return { words: 'No more come at present, so nobody waits for them.' };
  const waitMs = Math.ceil((more / perHour) * HOUR_MS);
  const takes = `${more} more take about ${hoursWords(waitMs)} at the present rate of ${Number(perHour.toPrecision(2))} an hour`;
  if (looks.tried + 1 >= LOOKS_MAX)
    return { words: `${takes}; it was replayed ${looks.tried + 1} times, and is not again.` };
  const endMs = (looks.sinceMs ?? nowMs) + settings.extend;
  if (nowMs + waitMs > endMs)
    return { words: `${takes}, longer than validate.extend (${formatDuration(settings.extend)}).` };
  return { words: `${takes}; then it is replayed again.`, dueAtMs: nowMs + waitMs };
}

function hoursWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 100) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `${Math.ceil(ms / HOUR_MS)} hours`;
}
