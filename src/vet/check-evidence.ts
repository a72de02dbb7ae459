/** Claims need evidence (rule 5): events that exist, of a failure that recurs. */
import type { ProposalContent } from '../facts/index.ts';
import { judged, quoted } from './check-result.ts';
import type { CheckResult, KnownPattern, VetInput } from './types.ts';

const EVENTS_MIN = 3;
const OCCURRENCES_MIN = 3;
/** How many references are looked up; citations beyond that do not count. */
const LOOKED_UP_MAX = 100;
const EVENT_REFERENCE = /^event:[^\p{Cc}\p{Cs}]{1,300}$/u;

/** The distinct events that a proposal cites; the same one three times is one. */
export function citedEvents({ evidence }: ProposalContent): string[] {
  const events = evidence.filter((reference) => EVENT_REFERENCE.test(reference));
  return [...new Set(events)].slice(0, LOOKED_UP_MAX);
}

export function eventId(reference: string): string {
  return reference.slice('event:'.length);
}

export function checkEvidence({ content, cited, existing, pattern }: VetInput): CheckResult {
  const reasons: string[] = [];
  if (existing.length < EVENTS_MIN)
    reasons.push(
      `It needs ${EVENTS_MIN} different events as evidence; it cites ${cited.length}, of which ${existing.length} exist.`,
    );
  if (content.patternId !== null)
    reasons.push(...patternProblems(content.patternId, pattern, existing));
  else if (content.proposer.kind !== 'human')
    reasons.push('It answers no pattern; only a person may propose without one.');
  return judged('failed', reasons, `${existing.length} of ${cited.length} cited events exist.`);
}

function patternProblems(
  id: string,
  pattern: KnownPattern | undefined,
  existing: readonly string[],
): string[] {
  if (pattern === undefined) return [`There is no pattern ${quoted(id)}.`];
  const known = new Set(pattern.evidence);
  return [
    ...(pattern.occurrences < OCCURRENCES_MIN
      ? [`Its pattern occurred ${pattern.occurrences} times; ${OCCURRENCES_MIN} are needed.`]
      : []),
    ...(existing.some((reference) => known.has(reference))
      ? []
      : ['None of its events belongs to the pattern that it answers.']),
  ];
}
