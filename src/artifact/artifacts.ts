/**
 * Content-addressed files (evidence, diffs, reports), kept in the database so that every machine
 * sees them. An artifact's name is the digest of its bytes; it is checked on every read.
 */
import { type Digest, digestOfBytes } from '../base/index.ts';
import type { Store, Write } from '../store/index.ts';
import { ArtifactError } from './errors.ts';

const TABLE = 'artifact_blobs';

export const ARTIFACT_BYTES_MAX = 16 * 1024 * 1024;

export interface Artifact {
  readonly digest: Digest;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** Names the bytes, or refuses what is too large to keep. */
export function makeArtifact(content: Uint8Array | string, mediaType: string): Artifact {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  if (bytes.length > ARTIFACT_BYTES_MAX) {
    throw new ArtifactError(
      'too_large',
      `An artifact of ${bytes.length} bytes is larger than the ${ARTIFACT_BYTES_MAX} that are kept.`,
      { hint: 'Keep the part that matters, or split it.' },
    );
  }
  return { digest: digestOfBytes(bytes), mediaType, content: bytes };
}

/** Goes into the plan whose entry names it, so that no entry names bytes that are not there. */
export function artifactWrite(artifact: Artifact, nowMs: number): Write {
  return {
    insert: TABLE,
    row: {
      digest: artifact.digest,
      media_type: artifact.mediaType,
      size_bytes: artifact.content.length,
      content: artifact.content,
      created_at_ms: nowMs,
    },
    onConflict: 'ignore',
  };
}

export async function readArtifact(store: Store, digest: string): Promise<Artifact> {
  const [row] = await store.all(`SELECT media_type, content FROM ${TABLE} WHERE digest = ?`, [
    digest,
  ]);
  if (row === undefined) {
    throw new ArtifactError('missing', `There is no artifact ${digest}.`, {
      hint: 'It may have passed its retention (see retention in hone.yaml).',
    });
  }
  const content = row['content'] as Uint8Array;
  if (digestOfBytes(content) !== digest) {
    throw new ArtifactError('altered', `The bytes of artifact ${digest} do not match its id.`, {
      hint: 'Somebody or something changed the database. Run hone ledger verify and restore a backup.',
    });
  }
  return { digest: digest as Digest, mediaType: row['media_type'] as string, content };
}
