/**
 * What was tried for a pattern: what is known to help, and changes that are not tried again, and why.
 *
 * | it ended as | closed | for |
 * |---|---|---|
 * | own harm | the setting in that direction by a step as large, whatever the pattern | good |
 * | held | further steps of the setting in that direction, whatever the pattern | 30 days |
 * | a trial that brought nothing | further trials of the setting by a step as large, whatever the pattern | 30 days |
 * | rejected, taken back by a person, refused by a check, given up, not deployed | the same change for that pattern | `refusalHolds` |
 * | taken back in doubt | the same change for that pattern, until it is known what it was | `refusalHolds`; twice, good |
 * | proven, inconclusive, taken back for an outage or for a change below it, overtaken | nothing | |
 *
 * A value that was taken back is what it was before, and what was seen in the meantime says nothing of it: on that
 * evidence it is changed in no direction (`restored`).
 */
import { isoTime } from '../base/index.ts';
import {
  type Change,
  changeKey,
  type FixOutcome,
  isAsLarge,
  type Pattern,
  type Step,
} from '../facts/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { helpedAgainst, type KnownFixes, knownFixes } from './knowledge.ts';
import { type Fix, listFixes, readFixes } from './learn.ts';

export interface ClosedChange {
  readonly change: string;
  /** Only steps as large as this; undefined: every one. */
  readonly step: Step | undefined;
  /** One plain sentence, with the reason given then. */
  readonly why: string;
  /** It was a trial that brought nothing: it closes trials alone. */
  readonly isTrial?: true;
  /** It was taken back for harm, its own or perhaps not: what it changed is likely read. */
  readonly isRead?: true;
}

const SENTENCES: Readonly<Partial<Record<FixOutcome, string>>> = {
  failed: 'This change was made before, did harm and was taken back',
  rejected: 'A person rejected this change',
  withdrawn: 'A person took this change back',
  unproven: 'The checks before a decision did not accept this change',
  aborted: 'This change was given up on its way',
  undeployed: 'The deployment of this change failed',
  doubtful: 'This change was taken back when something failed that may not be its fault',
  held: 'This value was changed in this direction, and that it helped was not shown',
  vain: 'Tried before, and it brought nothing',
};

/** A value that is what it was before a change. */
interface RestoredValue {
  /** The change that was taken back, by its recorded key. */
  readonly change: string;
  readonly proposalId: string;
  readonly atMs: number;
}

/** Ends after which the value is what it was before; one that was not to blame may come back at once. */
const RESTORED: ReadonlySet<FixOutcome> = new Set(['failed', 'doubtful', 'withdrawn', 'vain']);
/** Nobody is harmed by what no agent reads. */
const HARMFUL: ReadonlySet<FixOutcome> = new Set(['failed', 'doubtful']);
/** Longer than any evidence that a pattern is made of. */
const EVIDENCE_MS = 14 * 86_400_000;

/** A step that did not show its worth is not followed by a larger one before this, nor tried again. */
const HELD_MS = 30 * 86_400_000;
const HELD: ReadonlySet<FixOutcome> = new Set(['held', 'vain']);
/** Steps of other sizes stay open after these. */
const BY_SIZE: ReadonlySet<FixOutcome> = new Set(['failed', 'vain']);

/** Changes that are ruled out, by recorded key, and what is known to help. */
export interface TriedChanges {
  readonly closedChanges: readonly ClosedChange[];
  readonly knownFixes: KnownFixes;
  /** Ways that were measured better against the known pattern that this one is like. */
  readonly helpedAlike: ReadonlySet<string>;
  /** Whatever the pattern. */
  readonly restored: readonly RestoredValue[];
}

export async function triedChanges(
  store: Store,
  { id, kind, like }: Pick<Pattern, 'id' | 'kind' | 'like'>,
  hold: { nowMs: number; refusalHoldsMs: number },
): Promise<TriedChanges> {
  const fixes = await listFixes(store, id);
  // Those that still close something: older ones would crowd them out.
  const anywhere = await readFixes(
    store,
    "WHERE outcome = 'failed' OR (outcome IN ('held', 'vain') AND at_ms > ?)",
    [hold.nowMs - HELD_MS],
  );
  const restored = await readFixes(
    store,
    `WHERE at_ms > ? AND outcome IN (${[...RESTORED].map(() => '?').join(', ')})`,
    [hold.nowMs - EVIDENCE_MS, ...RESTORED],
  );
  return {
    closedChanges: closedChanges([...fixes, ...anywhere], hold),
    knownFixes: await knownFixes(store, kind),
    helpedAlike: like === undefined ? new Set() : helpedAgainst(await listFixes(store, like.id)),
    restored: restored.map(({ changeKey: change, proposalId, atMs }) => ({
      change,
      proposalId,
      atMs,
    })),
  };
}

function closedChanges(
  fixes: readonly Fix[],
  { nowMs, refusalHoldsMs }: { nowMs: number; refusalHoldsMs: number },
): ClosedChange[] {
  const doubts = (of: string) =>
    fixes.filter(({ changeKey, outcome }) => changeKey === of && outcome === 'doubtful').length;
  const closed = new Map<string, ClosedChange>();
  for (const fix of fixes) {
    const isForGood =
      fix.outcome === 'failed' || (fix.outcome === 'doubtful' && doubts(fix.changeKey) > 1);
    const holdsMs = HELD.has(fix.outcome) ? HELD_MS : refusalHoldsMs;
    const untilMs = isForGood ? null : fix.atMs + holdsMs;
    const sentence = SENTENCES[fix.outcome];
    if (sentence === undefined || (untilMs !== null && untilMs <= nowMs)) continue;
    // The newest first; being ruled out for good outweighs being ruled out for a while. Steps that did harm are closed each by
    // its own size: the smallest of them counts.
    const { changeKey: change } = fix;
    const step = BY_SIZE.has(fix.outcome) ? fix.step : undefined;
    const isTrial = fix.outcome === 'vain';
    const size = step === undefined ? change : `${change} ${step.from} ${step.to}`;
    const key = isTrial ? `${size} trial` : size;
    if (isForGood || !closed.has(key))
      closed.set(key, {
        ...{ change, step, why: words(sentence, fix, untilMs) },
        ...(HARMFUL.has(fix.outcome) ? { isRead: true } : {}),
        ...(isTrial ? { isTrial } : {}),
      });
  }
  return [...closed.values()];
}

/** Why this change, which is no trial, is not tried now; undefined where nothing closes it. */
export function whyClosed(change: Change, closed: readonly ClosedChange[]): string | undefined {
  const key = recordedText(changeKey(change));
  const isIt = (one: ClosedChange) => one.change === key && isAsLarge(change, one.step);
  return closed.find((one) => one.isTrial !== true && isIt(one))?.why;
}

function words(
  sentence: string,
  { atMs, reason, proposalId }: Fix,
  untilMs: number | null,
): string {
  const said = reason === '' ? '' : `: ${reason.replace(/[.\s]+$/, '')}`;
  const again =
    untilMs === null ? 'not proposed again' : `proposed again from ${day(untilMs)} at the earliest`;
  return `${sentence} on ${day(atMs)} (${proposalId})${said}. It is ${again}.`;
}

function day(atMs: number): string {
  return isoTime(atMs).slice(0, 10);
}
