/**
 * Reads the diff's bytes once for all checks. The bytes are attacker-controlled: what is not exactly
 * what git would have written is refused (`parsePatch`), and its size is bounded before that.
 */
import { ArtifactError } from '../artifact/index.ts';
import { type Digest, digestOfBytes } from '../base/index.ts';
import { parsePatch } from '../git/index.ts';
import { maskDiff } from '../sanitise/index.ts';
import type { DiffLine, DiffReading } from './types.ts';

/** Sixty changed lines fit many times over. */
const DIFF_BYTES_MAX = 1024 * 1024;

export async function readDiff(
  digest: Digest,
  diffText: (digest: Digest) => Promise<string>,
): Promise<DiffReading> {
  let text: string;
  try {
    text = await diffText(digest);
  } catch (error) {
    // Bytes that are gone are the proposal's fault; a store that cannot be read is nobody's.
    if (error instanceof ArtifactError) return unread('its bytes are not kept here');
    throw error;
  }
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > DIFF_BYTES_MAX)
    return unread(`it has ${sizeBytes} bytes; the limit is ${DIFF_BYTES_MAX}`);
  const incoming = incomingLines(text);
  const { hidden } = maskDiff(text);
  if (digestOfBytes(text) !== digest)
    return {
      ok: false,
      why: 'its bytes do not match the digest in the proposal',
      incoming,
      hidden,
    };
  const parsed = parsePatch(text);
  return { ...parsed, incoming, hidden };
}

function unread(why: string): DiffReading {
  return { ok: false, why, incoming: [], hidden: [] };
}

/**
 * Everything but context and removed lines, without the sign, so also file names and the words behind a hunk's header,
 * which people see. What is only removed may hold anything: taking a secret out is no offence.
 */
function incomingLines(text: string): DiffLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter(({ text: line }) => line !== '' && !/^(?: |-(?!-- ))/.test(line))
    .map((line) => ({ ...line, text: line.text.replace(/^\+(?!\+\+ )/, '') }));
}
