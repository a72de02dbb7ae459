/** The nouns of vetting: what a check sees, what it answers, and what the room asks of others. */
import type { Digest } from '../base/index.ts';
import type { Pattern, ProposalContent, VerdictOf } from '../facts/index.ts';
import type { FilePatch } from '../git/index.ts';
import type { Switched } from '../policy/index.ts';
import type { HiddenInDiff } from '../sanitise/index.ts';

export type KnownPattern = Pick<Pattern, 'occurrences' | 'layer' | 'evidence'>;

export interface VetLimits {
  readonly filesMax: number;
  /** Added and removed lines together. */
  readonly changedLinesMax: number;
}

export interface VetPorts {
  /** The artifact's text; throws `ArtifactError` when there is none. */
  diffText(digest: Digest): Promise<string>;
  readonly limits: VetLimits;
  /** Globs of the files that are declared as agents' files. */
  readonly agentFiles: readonly string[];
  /**
   * Proposals that passed vetting and are not finished. Drafts and quarantined ones do not count:
   * they would wait for each other.
   */
  readonly openProposals: number;
  readonly openProposalsMax: number;
  /** The gates that vetting asks, as they are at this moment. */
  readonly switches: { readonly vetting: Switched; readonly limits: Switched };
  eventExists(id: string): Promise<boolean>;
  patternOf(id: string): Promise<KnownPattern | undefined>;
  /**
   * Whether a person let this very content out of quarantine: a vetting attestation `released` about
   * this digest, by a human. Without this port nobody can.
   */
  releasedByPerson?(proposalId: string, digest: string): Promise<boolean>;
  readonly nowMs: number;
}

/** A line of the diff that brings something in, with its number there. */
export interface DiffLine {
  readonly number: number;
  readonly text: string;
}

/** The diff as far as it could be read. `incoming` and `hidden` are there even when it is no patch. */
export type DiffReading = {
  readonly incoming: readonly DiffLine[];
  /** Secrets and personal data in it. */
  readonly hidden: readonly HiddenInDiff[];
} & (
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | { readonly ok: false; readonly why: string }
);

/** Everything the checks look at, read before they run, so that they are pure. */
export interface VetInput {
  readonly content: ProposalContent;
  readonly diff: DiffReading;
  readonly limits: VetLimits;
  readonly agentFiles: readonly string[];
  /** Distinct event references that were looked for, and those of them that exist. */
  readonly cited: readonly string[];
  readonly existing: readonly string[];
  /** Undefined when the proposal names none, or when there is none of that name. */
  readonly pattern: KnownPattern | undefined;
}

/** What a check or the whole rubric says; only a person says `released`. */
export type CheckOutcome = Exclude<VerdictOf<'vetting'>, 'released'>;

export type CheckResult = {
  readonly outcome: CheckOutcome;
  /** Plain sentences, at least one. They never repeat a secret and hold no control characters. */
  readonly reasons: readonly string[];
  /** What a person should know of it whatever the outcome. */
  readonly note?: string;
};

export interface Check {
  readonly name: string;
  /** The rule of the constitution that it enforces. */
  readonly rule: number | null;
  /** It judges quality alone: the mode of the gate `vetting` says what its no means. */
  readonly obeysSwitch?: true;
  readonly asks: string;
  readonly run: (input: VetInput) => CheckResult;
}

export interface Rubric {
  readonly version: number;
  readonly checks: readonly Check[];
}
