/** What proposing needs, and what it gives. */
import type { Artifact } from '../artifact/index.ts';
import type {
  Actor,
  Attestation,
  Pattern,
  ProposalContent,
  ProposalState,
} from '../facts/index.ts';
import type { CommitId, Signature, TargetRepository } from '../git/index.ts';

export type Author = Omit<Signature, 'atMs'>;

export interface ProposePorts {
  readonly repository: TargetRepository;
  /** The target branch's head: what the change is made on. */
  readonly head: CommitId;
  readonly author: Author;
  readonly nowMs: number;
  /** Changes that are not tried again for this pattern now, each with the reason in a sentence. */
  readonly closedChanges: readonly { readonly change: string; readonly why: string }[];
  /** Changes that are open or watched, for whatever pattern. */
  readonly openChanges: readonly string[];
  /** Changes that helped before; they score higher. */
  readonly provenChanges?: readonly string[];
  readonly proposer: Actor;
  readonly minConfidence: number;
}

export interface Proposed {
  readonly content: ProposalContent;
  /** The unified diff; the content names it by its digest. */
  readonly diff: Artifact;
  readonly score: number;
}

export type Answer = { readonly proposed: Proposed } | { readonly declined: string };

/** The new value of a setting, and how it was found. */
export interface Tuning {
  readonly value: number;
  /** How many times larger (or smaller) than the old one; at least 1. */
  readonly factor: number;
  /** The wish was larger than what is changed at once. */
  readonly capped: boolean;
  /** Plain sentences with the numbers it comes from. */
  readonly why: string;
}

export type TuningPattern = Pick<
  Pattern,
  'kind' | 'setting' | 'occurrences' | 'failedLatency' | 'succeededLatency'
>;

/** A proposal as its page shows it. */
export interface PageInput {
  readonly proposal: {
    readonly id: string;
    readonly title: string;
    readonly createdAtMs: number;
  };
  readonly version: number;
  readonly state: ProposalState;
  readonly content: ProposalContent;
  readonly diffText: string;
  /** Those made up to this version, in their order. */
  readonly attestations: readonly Attestation[];
  /** What was said with them, by their id: a person's reason, a watch's numbers. */
  readonly said: ReadonlyMap<
    string,
    { readonly reason: string; readonly numbers: readonly string[] }
  >;
}

/** A proposal as the index lists it. */
export interface IndexRow {
  readonly id: string;
  readonly title: string;
  readonly state: ProposalState;
  readonly createdAtMs: number;
  /** Null where it is not known. */
  readonly severity: Pattern['severity'] | null;
  /** Relative to the index; null where there is no page yet. */
  readonly page: string | null;
}

/** What the pages' branch is made of, read when an effect is sent. */
export interface PagePorts {
  readonly repository: TargetRepository;
  readonly author: Author;
  /** The proposal with its attestations of a position below `version`. */
  page(
    id: string,
    version: number,
  ): Promise<
    Pick<PageInput, 'content' | 'diffText' | 'attestations' | 'said'> & {
      readonly proposal: PageInput['proposal'] & { readonly changedAtMs: number };
    }
  >;
  /** Every proposal, as it is now. */
  list(): Promise<readonly Omit<IndexRow, 'severity' | 'page'>[]>;
}
