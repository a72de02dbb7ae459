/** The forms that the room's answers have in common. */
import { type Artifact, makeArtifact } from '../artifact/index.ts';
import { canonicalJson, type Json } from '../base/index.ts';
import type { VerdictOf } from '../facts/index.ts';
import { GitError } from '../git/index.ts';
import { type Dossier, latest, type ProposalStep } from '../proposal/index.ts';

/** Somebody has to act first, or it resolves itself. */
const LOOK_AGAIN_MS = 60_000;

export function jsonFile(value: Json): Artifact {
  return makeArtifact(canonicalJson(value), 'application/json');
}

/** Nothing changes; the sentence says what it waits for. */
export function wait(did: string, nowMs: number): ProposalStep {
  return { did, dueAtMs: nowMs + LOOK_AGAIN_MS };
}

interface Failure {
  readonly dossier: Dossier;
  readonly kind: 'backup' | 'rollback';
  readonly did: string;
  /** No times in it: the same failure is the same file, and is attested once. */
  readonly about: Json;
  readonly nowMs: number;
}

/** It failed and is tried again; a person can read why. */
export function failed({ dossier, kind, did, about, nowMs }: Failure): ProposalStep {
  const file = jsonFile(about);
  const newest = latest(dossier.attestations, kind, dossier.proposal.digest);
  const verdict: VerdictOf<'backup' | 'rollback'> = 'failed';
  const known = newest?.verdict === verdict && newest.artifacts.includes(file.digest);
  return {
    ...wait(did, nowMs),
    ...(known ? {} : { attestations: [{ kind, verdict, files: [file] }] }),
  };
}

/** What git could not do, as a sentence. Closing is not an answer: the step is taken again after a restart. */
export async function gitProblem<T>(work: () => Promise<T>): Promise<T | { readonly why: string }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'closed') throw error;
    return { why: error.message };
  }
}
