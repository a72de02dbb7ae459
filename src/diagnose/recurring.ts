/**
 * Which failures a diagnosis would act on, from their counts: the same ids, without scores, causes and
 * evidence. It is asked every few minutes, so it reads examples and known patterns only where a failure's
 * code and template do not tell what it is.
 */
import type { CountedFailure, FailureGroup } from '../facts/index.ts';
import { fairShare } from '../stats/index.ts';
import { PATTERNS_MAX, whyPassedOver } from './diagnose.ts';
import { kindWithoutExamples } from './failure-kind.ts';
import { mergeAlike } from './identity.ts';
import type { DiagnoseLimits, KnownPattern } from './types.ts';

export interface Recurring {
  readonly counted: readonly CountedFailure[];
  readonly limits: DiagnoseLimits;
  readonly known: () => Promise<readonly KnownPattern[]>;
}

/** The ids of the patterns; no more than a cycle would keep, with the same share for each owner. */
export async function recurringPatterns({ counted, limits, known }: Recurring): Promise<string[]> {
  const groups: FailureGroup[] = [];
  let areAllTold = true;
  for (const failure of counted.filter(({ failures }) => failures > 0)) {
    const isTold = kindWithoutExamples(failure) !== 'other';
    areAllTold &&= isTold;
    groups.push({ ...failure, ...UNREAD, examples: isTold ? [] : await failure.examples() });
  }
  const all = mergeAlike(groups, areAllTold ? [] : await known());
  const acting = all.filter((failure) => whyPassedOver(failure, all, limits) === undefined);
  const { kept } = fairShare(
    acting.sort((a, b) => (a.id < b.id ? -1 : 1)),
    {
      max: PATTERNS_MAX,
      worth: ({ failures }) => failures,
      owners: [({ sources }) => sources, ({ agent }) => [agent]],
    },
  );
  return kept.map(({ id }) => id);
}

/** What neither the id nor the decision to act depends on. */
const UNREAD = { sessions: 0, failedLatency: null, succeededLatency: null } as const;
