/**
 * What a person signs: everything that the decision is about, in canonical JSON. It is kept with its signature
 * beside the attestation, so that anybody can verify it later with `ssh-keygen` alone. A signature counts only
 * for the attestation that says the same: for another proposal, content, evidence, allowance or target it proves
 * nothing.
 */
import { z } from 'zod';
import { type Artifact, ArtifactError, makeArtifact, readArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime } from '../base/index.ts';
import type { Attestation } from '../facts/index.ts';
import type { Store } from '../store/index.ts';

const MEDIA_TYPE = 'application/vnd.hone.signed-decision+json';
/** The time between signing and recording: one wait for a person, then the record is made at once. */
const SIGNED_BEFORE_MS_MAX = 10 * 60_000;

export interface SignedDecision {
  readonly statement: string;
  readonly signature: string;
}

type Stated = Pick<
  Attestation<'decision'>,
  | 'proposalId'
  | 'contentDigest'
  | 'evidenceDigest'
  | 'verdict'
  | 'allows'
  | 'tier'
  | 'target'
  | 'actor'
>;

/** The text that is signed; `atMs` is when. */
export function decisionStatement(decision: Stated, atMs: number): string {
  const { proposalId, contentDigest, evidenceDigest, verdict, allows, tier, target, actor } =
    decision;
  return canonicalJson({
    v: 1,
    statement: 'hone-decision',
    proposalId,
    contentDigest,
    evidenceDigest,
    verdict,
    allows,
    tier,
    target,
    personId: actor.id,
    at: isoTime(atMs),
  });
}

export function signedDecisionFile({ statement, signature }: SignedDecision): Artifact {
  return makeArtifact(canonicalJson({ statement, signature }), MEDIA_TYPE);
}

const fileSchema = z.strictObject({ statement: z.string(), signature: z.string() });
const timeSchema = z.object({ at: z.iso.datetime() });

/** What was signed for this decision; undefined if nothing was, or something else. */
export async function readSignedDecision(
  store: Store,
  decision: Attestation<'decision'>,
): Promise<SignedDecision | undefined> {
  for (const digest of decision.artifacts) {
    const file = await readOrNone(store, digest);
    if (file?.mediaType !== MEDIA_TYPE) continue;
    const signed = fileSchema.parse(JSON.parse(Buffer.from(file.content).toString()));
    if (isAbout(decision, signed.statement)) return signed;
  }
  return undefined;
}

function isAbout(decision: Attestation<'decision'>, statement: string): boolean {
  const time = timeSchema.safeParse(parsed(statement));
  if (!time.success) return false;
  const atMs = Date.parse(time.data.at);
  if (Math.abs(decision.atMs - atMs) > SIGNED_BEFORE_MS_MAX) return false;
  return statement === decisionStatement(decision, atMs);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readOrNone(store: Store, digest: string) {
  try {
    return await readArtifact(store, digest);
  } catch (error) {
    if (error instanceof ArtifactError) return undefined;
    throw error;
  }
}
