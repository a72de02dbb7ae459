/** The nouns of the room. */
import type { Artifact } from '../artifact/index.ts';
import type { EvidenceFact, EvidenceKind, EvidenceNeed, EvidenceOrigin } from '../facts/index.ts';

/** A file as it was handed in, or came out of a run. */
export interface EvidenceFile {
  readonly name: string;
  readonly text: string;
}

/** How a command of Hone's own run ended. */
export interface RunEnd {
  readonly command: readonly string[];
  /** The file that it writes its results to; null where its output is all there is. */
  readonly report: string | null;
  readonly ended: string;
  readonly exitCode: number | null;
  readonly wallMs: number;
  /** By what each limit of the sandbox was kept. */
  readonly kept: Readonly<Record<string, string>>;
}

export interface Judged {
  readonly isValid: boolean;
  /** Why it is not valid, as a sentence; null when it is. */
  readonly problem: string | null;
  /** What it shows, in figures. */
  readonly found: Readonly<Record<string, number | string>>;
}

/** What makes evidence of a kind right. Pure: the same file is judged the same, today and when it is verified. */
export interface EvidenceValidator {
  readonly kind: EvidenceKind;
  readonly about: string;
  readonly mediaType: string;
  /** `run`: how Hone's own run ended; undefined for what was handed in. */
  judge(file: EvidenceFile, need: EvidenceNeed, run: RunEnd | undefined): Judged;
}

/** Where it belongs. */
export interface EvidencePlace {
  readonly taskId: string;
  readonly phase: string;
  readonly round: number;
  /** The task's version: the order among the task's entries. */
  readonly position: number;
}

export interface Manifest {
  readonly v: 1;
  readonly task: string;
  readonly phase: string;
  readonly round: number;
  readonly kind: EvidenceKind;
  readonly name: string;
  readonly origin: EvidenceOrigin;
  readonly commit: string | null;
  readonly need: EvidenceNeed;
  readonly run: RunEnd | null;
  readonly files: readonly {
    readonly name: string;
    readonly mediaType: string;
    readonly digest: string;
    readonly sizeBytes: number;
  }[];
  readonly isValid: boolean;
  readonly problem: string | null;
  readonly found: Readonly<Record<string, number | string>>;
}

/** A piece of evidence before it is stored: what was judged, and the files that it consists of. */
export interface Pack {
  readonly fact: Omit<EvidenceFact, 'actor' | 'atMs'>;
  readonly manifest: Artifact;
  readonly files: readonly Artifact[];
}
