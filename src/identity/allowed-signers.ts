/**
 * Whose signatures count. The file lies in the repository, where agents can write; so it counts only with the
 * content that was accepted: its digest is in the configuration, which needs a person to accept it and an
 * operator to weaken (ADR 021).
 */
import { readFile, stat } from 'node:fs/promises';
import { type Digest, digestOfBytes, errorMessage } from '../base/index.ts';
import type { Environment } from './types.ts';

const FILE_BYTES_MAX = 1024 * 1024;

export interface AllowedSigners {
  /** An absolute path. */
  readonly file: string;
  /** Of the content that was accepted; empty: none was. */
  readonly digest: Digest | '';
}

export type SignatureAnswer = { readonly ok: true } | { readonly ok: false; readonly why: string };

export interface SignatureClaim {
  readonly text: string;
  readonly signature: string;
  readonly person: string;
}

/** Whether an allowed signer of that name signed exactly this text, for a decision. */
export async function verifyAllowed(
  claim: SignatureClaim,
  allowed: AllowedSigners,
  environment: Environment,
): Promise<SignatureAnswer> {
  const read = await readAllowed(allowed);
  if (!read.ok) return read;
  const { verifyText } = await import('./ssh-keygen.ts');
  return verifyText({ ...claim, allowedSigners: read.content }, environment);
}

async function readAllowed({
  file,
  digest,
}: AllowedSigners): Promise<{ ok: true; content: string } | { ok: false; why: string }> {
  let bytes: Uint8Array;
  try {
    // Not a pipe, which would be waited for, nor something endless.
    const found = await stat(file);
    if (!found.isFile() || found.size > FILE_BYTES_MAX) {
      return no(`${file} is not a file of at most 1 MiB.`);
    }
    bytes = await readFile(file);
  } catch (error) {
    return no(`The allowed signers cannot be read: ${errorMessage(error)}.`);
  }
  const actual = digestOfBytes(bytes);
  if (actual === digest) return { ok: true, content: Buffer.from(bytes).toString() };
  const what =
    digest === ''
      ? `Nobody has accepted the allowed signers in ${file}.`
      : `${file} is not the file that was accepted.`;
  return no(
    `${what} Look at the file; then set identity.allowedSignersDigest in hone.yaml to ${actual} and run "hone config accept".`,
  );
}

const no = (why: string) => ({ ok: false, why }) as const;
