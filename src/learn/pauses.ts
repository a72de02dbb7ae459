/**
 * When Hone should hold back (PROP-7). Several rejections in a row say that changes of this type are not what
 * people want; a change that did harm says that its kind of change is not understood. Both are read from
 * the records, so nothing has to be set or lifted.
 */
import { isoTime } from '../base/index.ts';
import type { ProposalContent } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { type Fix, readFixes } from './learn.ts';

export interface PauseLimits {
  readonly rejectionsBeforePause: number;
  readonly rejectionPauseMs: number;
  readonly failurePauseMs: number;
}

export interface Pause {
  readonly untilMs: number;
  /** Why, in a clause. */
  readonly why: string;
}

/** A decision on a change of one type. */
export interface Decided {
  readonly proposalType: ProposalContent['type'];
  readonly atMs: number;
  readonly rejected: boolean;
}

export interface PauseQuestion {
  readonly proposalType: ProposalContent['type'];
  readonly category: ProposalContent['category'];
  readonly nowMs: number;
  readonly limits: PauseLimits;
  /** Approvals of changes that have not ended yet: they too interrupt a series of rejections. */
  readonly underWay: readonly Decided[];
}

/** The pause that lasts longest, or undefined. */
export async function pauseOf(store: Store, question: PauseQuestion): Promise<Pause | undefined> {
  const { nowMs, category, proposalType } = question;
  const fixes = await readFixes(store, 'WHERE proposal_type = ? OR category = ?', [
    proposalType,
    category,
  ]);
  const pauses = [afterRejections(fixes, question), afterHarm(fixes, question)];
  return pauses
    .filter((pause) => pause !== undefined)
    .filter(({ untilMs }) => untilMs > nowMs)
    .sort((a, b) => b.untilMs - a.untilMs)[0];
}

function afterRejections(
  fixes: readonly Fix[],
  { proposalType, limits, underWay }: PauseQuestion,
): Pause | undefined {
  const ended = fixes
    .filter((fix) => fix.proposalType === proposalType && fix.decidedAtMs !== null)
    .map((fix) => ({ atMs: fix.decidedAtMs!, rejected: fix.outcome === 'rejected' }));
  const open = underWay.filter((one) => one.proposalType === proposalType);
  const newest = [...ended, ...open].sort((a, b) => b.atMs - a.atMs);
  const row = newest.slice(0, limits.rejectionsBeforePause);
  const isRow =
    row.length === limits.rejectionsBeforePause && row.every(({ rejected }) => rejected);
  if (!isRow) return undefined;
  const untilMs = row[0]!.atMs + limits.rejectionPauseMs;
  return {
    untilMs,
    why: `${rejections(row.length, proposalType)}, so it pauses until ${minute(untilMs)} UTC`,
  };
}

function afterHarm(fixes: readonly Fix[], { category, limits }: PauseQuestion): Pause | undefined {
  const harmful = fixes.find((fix) => fix.category === category && fix.outcome === 'failed');
  if (harmful === undefined) return undefined;
  const untilMs = harmful.atMs + limits.failurePauseMs;
  return {
    untilMs,
    why: `${harmful.proposalId} did harm and was taken back, so ${category} changes pause until ${minute(untilMs)} UTC`,
  };
}

function rejections(number: number, proposalType: string): string {
  return number === 1
    ? `the last proposal of ${proposalType} was rejected`
    : `the last ${number} proposals of ${proposalType} were rejected`;
}

function minute(atMs: number): string {
  return isoTime(atMs).slice(0, 16).replace('T', ' ');
}
