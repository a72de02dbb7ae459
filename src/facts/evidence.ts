/** Evidence of a task, as the rooms that ask for it and the room that judges it share it. */
import type { Actor } from './actor.ts';

/**
 * `tests`, `build` and `coverage` are results of commands; `diff` is a change; `rubric` is a review by points;
 * `document` is Markdown with sections.
 */
export const EVIDENCE_KINDS = ['tests', 'build', 'coverage', 'diff', 'rubric', 'document'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** `own`: made by Hone itself at a commit. `claimed`: handed in, so it opens nothing that needs proof. */
export const EVIDENCE_ORIGINS = ['own', 'claimed'] as const;
export type EvidenceOrigin = (typeof EVIDENCE_ORIGINS)[number];

/** What a gate asks for. */
export interface EvidenceNeed {
  readonly evidence: EvidenceKind;
  /** Only evidence of this name counts, such as `plan.md`; any, if absent. */
  readonly name?: string | undefined;
  /** Only a run that Hone made itself, at the task's commit, counts. */
  readonly own?: boolean | undefined;
  /** Not asked for where the accepted configuration names no command that makes it. */
  readonly ifConfigured?: boolean | undefined;
  /** From somebody who handed in nothing in the phases before. */
  readonly independent?: boolean | undefined;
  /** Headings that a document must have, each with text below it. */
  readonly sections?: readonly string[] | undefined;
  /** The least share of covered lines, or of points of a rubric, from 0 to 1. */
  readonly min?: number | undefined;
}

/** What a gate knows of a piece of evidence. */
export interface EvidenceFact {
  readonly id: string;
  readonly kind: EvidenceKind;
  readonly name: string;
  readonly origin: EvidenceOrigin;
  readonly phase: string;
  /** How often the task had gone back when it came in. */
  readonly round: number;
  /** The commit that it is about; null for a document. */
  readonly commit: string | null;
  readonly isValid: boolean;
  /** Why it is not valid. */
  readonly problem: string | null;
  /** Of its manifest, which names every file in it by digest. */
  readonly manifestDigest: string;
  readonly actor: Actor;
  readonly atMs: number;
}
