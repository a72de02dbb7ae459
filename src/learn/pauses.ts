/**
 * When Hone should hold back (PROP-7). Several rejections in a row say that changes of this generator are not what people
 * want; a change that did harm, or whose deployment failed, says that its kind of change is not understood. Both are read
 * from the records, so nothing has to be set or lifted.
 */
import { isoTime } from '../base/index.ts';
import type { FixOutcome, ProposalContent } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { type Fix, readFixes } from './learn.ts';

export interface PauseLimits {
  readonly rejectionsBeforePause: number;
  readonly rejectionPauseMs: number;
  readonly failurePauseMs: number;
}

export interface Pause {
  /** What pauses: the changes of one generator, or of one category. */
  readonly of: { readonly generator: string } | { readonly category: Category };
  readonly untilMs: number;
  /** Why, in a clause. */
  readonly why: string;
}

type Category = ProposalContent['category'];
/** What a change is paused by. */
export type Paused = Pick<ProposalContent, 'type' | 'category' | 'madeBy'>;

/** A decision on a change of one generator. */
export interface Decided {
  readonly generator: string;
  readonly atMs: number;
  readonly rejected: boolean;
}

export interface PauseQuestion {
  readonly nowMs: number;
  readonly limits: PauseLimits;
  /** Approvals of changes that have not ended yet: they too interrupt a series of rejections. */
  readonly underWay: readonly Decided[];
}

/** What was submitted, and what is on record from before generators were, goes by its type. */
export function generatorOf({ madeBy, type }: Pick<Paused, 'madeBy' | 'type'>): string {
  return madeBy?.generator ?? type;
}

/** All that pause now, the longest first. */
export async function pausesNow(store: Store, question: PauseQuestion): Promise<Pause[]> {
  const fixes = await readFixes(store, '', []);
  return [...afterRejections(fixes, question), ...afterFailures(fixes, question)]
    .filter(({ untilMs }) => untilMs > question.nowMs)
    .sort((a, b) => b.untilMs - a.untilMs);
}

/** The pause of this change that lasts longest, or undefined. */
export async function pauseOf(
  store: Store,
  change: Paused,
  question: PauseQuestion,
): Promise<Pause | undefined> {
  const generator = generatorOf(change);
  return (await pausesNow(store, question)).find(({ of }) =>
    'generator' in of ? of.generator === generator : of.category === change.category,
  );
}

function afterRejections(
  fixes: readonly Fix[],
  { limits, underWay }: PauseQuestion,
): readonly Pause[] {
  const ended = fixes.flatMap(({ madeBy, proposalType, decidedAtMs, outcome }): Decided[] => {
    if (decidedAtMs === null) return [];
    const generator = generatorOf({ madeBy, type: proposalType });
    return [{ generator, atMs: decidedAtMs, rejected: outcome === 'rejected' }];
  });
  const newest = [...ended, ...underWay].sort((a, b) => b.atMs - a.atMs);
  const number = limits.rejectionsBeforePause;
  return [...new Set(newest.map(({ generator }) => generator))].flatMap((generator) => {
    const row = newest.filter((one) => one.generator === generator).slice(0, number);
    if (row.length < number || !row.every(({ rejected }) => rejected)) return [];
    const untilMs = row[0]!.atMs + limits.rejectionPauseMs;
    const why = `${rejections(number, generator)}, so it pauses until ${minute(untilMs)} UTC`;
    return [{ of: { generator }, untilMs, why }];
  });
}

const FAILED: Readonly<Partial<Record<FixOutcome, string>>> = {
  failed: 'did harm and was taken back',
  undeployed: 'could not be deployed',
};

function afterFailures(fixes: readonly Fix[], { limits }: PauseQuestion): readonly Pause[] {
  const newest = new Map<Category, Pause>();
  for (const { category, outcome, atMs, proposalId } of fixes) {
    const did = FAILED[outcome];
    if (did === undefined || newest.has(category)) continue;
    const untilMs = atMs + limits.failurePauseMs;
    const why = `${proposalId} ${did}, so ${category} changes pause until ${minute(untilMs)} UTC`;
    newest.set(category, { of: { category }, untilMs, why });
  }
  return [...newest.values()];
}

function rejections(number: number, generator: string): string {
  return number === 1
    ? `the last proposal of ${generator} was rejected`
    : `the last ${number} proposals of ${generator} were rejected`;
}

function minute(atMs: number): string {
  return isoTime(atMs).slice(0, 16).replace('T', ' ');
}
