/**
 * What was said with an attestation, from the files that it keeps: the reason a person gave, and what a watch
 * measured. Shown to people wherever the attestation is; other files are ignored.
 */
import { z } from 'zod';
import { ArtifactError, readArtifact } from '../artifact/index.ts';
import type { Attestation } from '../facts/index.ts';
import type { Store } from '../store/index.ts';

const LINES_MAX = 10;

export interface Said {
  /** One sentence, or what a person typed; empty when nothing was said. */
  readonly reason: string;
  /** A watch's numbers, a line for each series. */
  readonly numbers: readonly string[];
}

const fileSchema = z.object({
  reason: z.string().optional(),
  sentence: z.string().nullish(),
  numbers: z.array(z.string()).optional(),
});

export async function readSaid(store: Store, attestation: Attestation): Promise<Said> {
  const isByPerson = attestation.actor.kind === 'human';
  if (!isByPerson && attestation.kind !== 'monitoring') return { reason: '', numbers: [] };
  for (const digest of attestation.artifacts) {
    const file = fileSchema.safeParse(await readJson(store, digest));
    if (!file.success) continue;
    const { reason, sentence, numbers = [] } = file.data;
    const words = reason ?? sentence ?? '';
    if (words === '' && numbers.length === 0) continue;
    return { reason: words, numbers: numbers.slice(0, LINES_MAX) };
  }
  return { reason: '', numbers: [] };
}

/** By the attestation's id; only for attestations with a reason or numbers. */
export async function readAllSaid(
  store: Store,
  attestations: readonly Attestation[],
): Promise<ReadonlyMap<string, Said>> {
  const said = new Map<string, Said>();
  for (const one of attestations) {
    const words = await readSaid(store, one);
    if (words.reason !== '' || words.numbers.length > 0) said.set(one.id, words);
  }
  return said;
}

/** Undefined if it is missing or not JSON: an unreadable reason must not keep anybody from acting. */
async function readJson(store: Store, digest: string): Promise<unknown> {
  try {
    const { mediaType, content } = await readArtifact(store, digest);
    return mediaType === 'application/json'
      ? JSON.parse(Buffer.from(content).toString())
      : undefined;
  } catch (error) {
    if (error instanceof ArtifactError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
