/**
 * Which failures are worth acting on. Pure, and by counts and kinds alone, so that the answer is the same whether
 * causes are looked for afterwards or not. A healthy system is left alone: a failure that is rare, or may be
 * rare given the counts, is passed over with the reason.
 */
import type { FailureGroup } from '../facts/index.ts';
import { fairShare, wilsonInterval } from '../stats/index.ts';
import { mergeAlike } from './identity.ts';
import type { MergedPatterns } from './merged-patterns.ts';
import { titleOf } from './pattern-of.ts';
import { hitTask } from './task-cells.ts';
import type { DiagnoseLimits, Failure, KnownPattern, PassedOver } from './types.ts';
import { count, countedNoun, percent, shown } from './wording.ts';

/** Each is compared with every setting; nobody acts on more in one cycle. */
const PATTERNS_MAX = 100;

export interface RecurringFailures {
  /** Most failures first. */
  readonly acting: readonly Failure[];
  /** Everything that fails, acted on or not. */
  readonly all: readonly Failure[];
  readonly passedOver: readonly PassedOver[];
}

/** What earlier cycles and people said. */
export interface EarlierPatterns {
  readonly known: readonly KnownPattern[];
  readonly ignored?: ReadonlyMap<string, { readonly reason: string }>;
  readonly merged?: MergedPatterns;
}

export function recurringFailures(
  groups: readonly FailureGroup[],
  limits: DiagnoseLimits,
  { known, ignored, merged }: EarlierPatterns,
): RecurringFailures {
  const all = mergeAlike(
    groups.filter(({ failures }) => failures > 0),
    known,
    merged,
  );
  const passedOver: PassedOver[] = [];
  const acting: Failure[] = [];
  for (const failure of all) {
    const why =
      reasonToPassOver(failure, limits) ??
      ignoredBecause(ignored?.get(failure.id)) ??
      consequence(failure, all);
    if (why === undefined) acting.push(failure);
    else passedOver.push({ title: titleOf(failure), why });
  }
  const { kept, folded } = fairShare(
    acting.sort((a, b) => (a.id < b.id ? -1 : 1)),
    {
      max: PATTERNS_MAX,
      worth: ({ failures }) => failures,
      owners: [({ sources }) => sources, ({ agent }) => [agent]],
    },
  );
  const why = `one cycle examines ${PATTERNS_MAX} patterns, and others came first`;
  for (const failure of folded) passedOver.push({ title: titleOf(failure), why });
  return { acting: kept, all, passedOver };
}

function reasonToPassOver(failure: Failure, limits: DiagnoseLimits): string | undefined {
  const { failures, calls } = failure;
  const { minOccurrences, failureShare } = limits;
  const noun = countedNoun(failure.event);
  if (failures < minOccurrences)
    return `${count(failures)} of ${count(calls)} ${noun}: fewer than ${minOccurrences} failures`;
  const share = failures / calls;
  const { low } = wilsonInterval({ failures, events: calls });
  if (low > failureShare || hitTask(failure, limits) !== undefined) return undefined;
  const seen = `${count(failures)} of ${count(calls)} ${noun}, ${percent(share)}`;
  return share <= failureShare
    ? `${seen}: below ${percent(failureShare)}`
    : `${seen}: too few ${noun} to be sure that it is above ${percent(failureShare)}`;
}

function ignoredBecause(wish: { readonly reason: string } | undefined): string | undefined {
  return wish && `a person wants it ignored: ${shown(wish.reason)}`;
}

/** Of the failures that follow from others, the share that failed calls must account for. */
const EXPLAINED_SHARE = 0.8;

/**
 * A task, a span or a line fails because a call did: the call is the pattern, the others only show it. Tests say
 * something of their own.
 */
function consequence(failure: Failure, all: readonly Failure[]): string | undefined {
  if (isCall(failure) || failure.event === 'test_result') return undefined;
  const isCorrected = failure.event === 'user_correction';
  const causes = all.filter(
    (one) =>
      one.agent === failure.agent &&
      // People correct what failed, whatever they call it.
      (isCorrected
        ? one.event !== 'user_correction' && one.event !== 'log_line'
        : isCall(one) && isAlike(one, failure)),
  );
  const explained = causes.reduce((sum, { failures }) => sum + failures, 0);
  if (explained < EXPLAINED_SHARE * failure.failures) return undefined;
  const [largest] = [...causes].sort((a, b) => b.failures - a.failures);
  return `it follows from another: ${titleOf(largest!)}`;
}

function isCall({ event, tool }: Failure): boolean {
  return (event ?? 'tool_call') === 'tool_call' && tool !== '';
}

/** Lines have no code: they are alike by their words. */
function isAlike(one: Failure, other: Failure): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind !== 'other') return true;
  return other.event === 'log_line'
    ? one.template === other.template
    : one.errorCode === other.errorCode;
}
