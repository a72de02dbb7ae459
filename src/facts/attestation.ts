/**
 * What is said about a proposal: a union by kind. Each kind has its verdicts and its scope, the fields that
 * only make sense there. The gates read the scope: a verdict of one mode of validation says nothing about
 * another, and a decision that allows one thing allows nothing else.
 */
import type { z } from 'zod';
import type { Actor } from './actor.ts';
import type { allowanceSchema, attestationScopes } from './attestation-schema.ts';

export const ATTESTATION_VERDICTS = {
  /** `released`: a person lets it out of quarantine, to be vetted once more. */
  vetting: ['passed', 'failed', 'held', 'released'],
  validation: ['passed', 'failed', 'inconclusive'],
  /**
   * `changes_requested`: not as it is; it holds until its maker approves or the content changes. `escalated`: it
   * needs the highest tier from now on. `carried`: an approval of the same change counts on a base that moved.
   */
  decision: ['approved', 'rejected', 'changes_requested', 'escalated', 'carried'],
  /** A person keeps it where it is, whatever its content becomes; `resumed` ends that. */
  hold: ['paused', 'resumed'],
  backup: ['made', 'failed'],
  /** `outside`: somebody else brought it to the target, whatever was decided. */
  deployment: ['done', 'failed', 'outside'],
  /** From the branch to the agents. `awaited`: hooks or checks are still to come. */
  arrival: ['awaited', 'done', 'failed'],
  /**
   * The watch's own verdict; a person's request is `rollback: requested`. `inconclusive`: too little was seen for as long as
   * anything is watched. `closed`: a person ended the watch before it had a verdict.
   */
  monitoring: ['stable', 'degraded', 'inconclusive', 'closed'],
  /**
   * `requested`: a person calls for it, whatever the watch says. `waived`: it could not be taken back, and a
   * person says that it stays.
   */
  rollback: ['requested', 'done', 'failed', 'waived'],
} as const;
export type AttestationKind = keyof typeof ATTESTATION_VERDICTS;
export type VerdictOf<K extends AttestationKind> = (typeof ATTESTATION_VERDICTS)[K][number];
export type Verdict = VerdictOf<AttestationKind>;

/** What a decision allows, or refuses: the deployment, or a trial on a share of the traffic for a time. */
export type Allowance = z.infer<typeof allowanceSchema>;

type Scopes = typeof attestationScopes;
type Inferred<Field> = Field extends z.ZodType ? z.infer<Field> : never;
/** The fields that only this kind has. */
export type ScopeOf<K extends AttestationKind> = {
  readonly [Field in keyof Scopes[K] as Scopes[K][Field] extends z.ZodOptional
    ? never
    : Field]: Inferred<Scopes[K][Field]>;
} & {
  readonly [Field in keyof Scopes[K] as Scopes[K][Field] extends z.ZodOptional
    ? Field
    : never]?: Inferred<Scopes[K][Field]>;
};

interface Statement<K extends AttestationKind> {
  readonly id: string;
  readonly proposalId: string;
  readonly kind: K;
  /** The digest of its content; an attestation about other bytes does not count. */
  readonly contentDigest: string;
  readonly verdict: VerdictOf<K>;
  /** Digests of the files that belong to it. */
  readonly artifacts: readonly string[];
  readonly actor: Actor;
  readonly atMs: number;
}

/** A statement by somebody about one exact content. Attestations are only ever added. */
export type Attestation<K extends AttestationKind = AttestationKind> = {
  [Kind in K]: Statement<Kind> & ScopeOf<Kind>;
}[K];

/** What one says, whoever says it and wherever it is kept. */
type Said = { readonly verdict: Verdict } & (
  | { readonly kind: Exclude<AttestationKind, 'validation' | 'decision'> }
  | { readonly kind: 'validation'; readonly mode: string }
  | { readonly kind: 'decision'; readonly allows: Allowance }
);

/** `validation by replay passed`: how people are told of one. */
export function statementText(one: Said): string {
  if (one.kind === 'validation') return `${one.kind} by ${one.mode} ${one.verdict}`;
  if (one.kind !== 'decision' || one.allows.what === 'deployment')
    return `${one.kind} ${one.verdict}`;
  return `${one.kind} on ${allowanceText(one.allows)} ${one.verdict}`;
}

/** `the deployment`, or `a canary of 10 % for 4 hours`. */
export function allowanceText(allows: Allowance): string {
  if (allows.what === 'deployment') return 'the deployment';
  const trial = allows.what === 'canary' ? 'a canary' : 'an A/B trial';
  const percent = Number((allows.share * 100).toFixed(2));
  const hours = Number((allows.durationMs / 3_600_000).toFixed(2));
  return `${trial} of ${percent} % for ${hours} hours`;
}
