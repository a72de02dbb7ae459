/** A file that an agent hands in. Nothing about it is trusted: neither its name, nor its kind, nor its size. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { ARTIFACT_BYTES_MAX } from '../artifact/index.ts';
import { errorCode, errorMessage } from '../base/index.ts';
import { EvidenceError } from './errors.ts';
import type { EvidenceFile } from './types.ts';

const bad = (path: string, why: string) =>
  new EvidenceError('bad_file', `${path} is not evidence: ${why}`, {
    hint: 'Hand in a plain text file that a tool wrote.',
  });

/** A link is not followed: it may lead to a file that the agent cannot read itself. */
export async function readEvidenceFile(path: string): Promise<EvidenceFile> {
  // Not to wait for a pipe.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, flags).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ELOOP' || code === 'EMLINK') throw bad(path, 'it is a link.');
    if (code === 'ENOENT') throw bad(path, 'there is no such file.');
    throw bad(path, `it cannot be read (${errorMessage(error)}).`);
  });
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw bad(path, 'it is a folder.');
    if (!found.isFile()) throw bad(path, 'it is no plain file.');
    if (found.size > ARTIFACT_BYTES_MAX)
      throw bad(
        path,
        `it has ${found.size} bytes, and ${ARTIFACT_BYTES_MAX} is the most that is kept.`,
      );
    const bytes = await file.readFile();
    return { name: basename(path), text: evidenceText(bytes, path) };
  } finally {
    await file.close();
  }
}

/** Text alone is judged: bytes that are none are refused, wherever they come from. */
export function evidenceText(bytes: Uint8Array, path: string): string {
  if (bytes.length > ARTIFACT_BYTES_MAX) throw bad(path, 'it is too large.');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below.
  }
  throw bad(path, 'it is binary, or not UTF-8 text.');
}

/** Undefined for bytes that are no text. */
export function evidenceTextOf(bytes: Uint8Array): string | undefined {
  try {
    return evidenceText(bytes, 'file');
  } catch {
    return undefined;
  }
}
