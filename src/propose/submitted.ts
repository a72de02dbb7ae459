/** The text of a change that a person or an agent submits: their words, quoted, and around them what every change says. */
import type { Actor, Change, Pattern, ProposalContent } from '../facts/index.ts';
import { placeOf, planOf, rollbackOf } from './content.ts';
import { shown } from './wording.ts';

export interface SubmittedInput {
  readonly title: string;
  readonly rationale: string;
  readonly category: ProposalContent['category'];
  readonly diffDigest: ProposalContent['diffDigest'];
  readonly baseCommit: string;
  readonly files: readonly string[];
  readonly change: Change;
  /** Whether it is about files that judge changes, and nothing else. */
  readonly isMeta: boolean;
  /** What it answers; undefined for a person's own idea. */
  readonly pattern: Pattern | undefined;
  /** Events beside those of the pattern. */
  readonly evidence: readonly string[];
  readonly proposer: Actor;
}

const TEXT_MAX = 4000;
const EVIDENCE_MAX = 1000;

/** Never a `constant_tune`: no generator stands for it, so a person always decides. */
export function submittedContent(input: SubmittedInput): ProposalContent {
  const { pattern, proposer, change } = input;
  const evidence = [...new Set([...input.evidence, ...(pattern?.evidence ?? [])])];
  return {
    title: shown(input.title, 120),
    type: input.isMeta ? 'meta' : 'behavior_fix',
    category: input.category,
    severity: pattern?.severity ?? 'medium',
    risk: 'medium',
    diffDigest: input.diffDigest,
    baseCommit: input.baseCommit,
    files: [...input.files],
    change,
    reach: null,
    rationale: `Submitted by ${proposer.kind} ${proposer.id}, who says: ${shown(input.rationale, TEXT_MAX)}`,
    rootCause: causeOf(pattern),
    riskAndMitigation:
      'Nobody but its proposer has said what it does. A person decides on it; after the deployment the failures are watched, and it is taken back when they grow.',
    rollback: rollbackOf(change),
    validationPlan:
      pattern === undefined
        ? `The patch applies to the base commit, and ${shown(change.file)} is sound. After the deployment failures are watched.`
        : planOf(pattern, change),
    evidence: evidence.slice(0, EVIDENCE_MAX),
    patternId: pattern?.id ?? null,
    proposer,
  };
}

function causeOf(pattern: Pattern | undefined): string {
  if (pattern === undefined) return 'Its proposer names no pattern; the rationale says why.';
  const because = pattern.reasons.map((reason) => shown(reason, 1000)).join(' ');
  return `Its proposer says that it answers "${shown(pattern.title)}" of ${placeOf(pattern)}. ${because}`.trim();
}
