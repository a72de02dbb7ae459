import type { Attestation, ProposalContent, ProposalState } from '../facts/index.ts';

export interface Proposal {
  readonly id: string;
  /** Grows with every change; a plan expects the version its maker saw. */
  readonly version: number;
  readonly state: ProposalState;
  /** Digest of the content, and so the name of the artifact that holds it. */
  readonly digest: string;
  readonly title: string;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** A proposal with what judges it. */
export interface Dossier {
  readonly proposal: Proposal;
  readonly content: ProposalContent;
  /** All of them, in the order they were made, including those about earlier content. */
  readonly attestations: readonly Attestation[];
}
