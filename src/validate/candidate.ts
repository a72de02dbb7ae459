/**
 * The candidate: the base commit with the diff applied exactly, as a commit that no ref names. Its id
 * depends on the base and the diff alone, so making it again makes the same one.
 */
import { ArtifactError } from '../artifact/index.ts';
import { digestOfBytes } from '../base/index.ts';
import { decodeText } from '../document/index.ts';
import type { ProposalContent } from '../facts/index.ts';
import { type CommitId, type FilePatch, GitError, parsePatch } from '../git/index.ts';
import { readStructure } from './structure.ts';
import type { FileSide, TouchedFile, ValidatePorts } from './types.ts';

export type Candidate =
  | { readonly ok: true; readonly commit: CommitId; readonly files: readonly TouchedFile[] }
  | { readonly ok: false; readonly why: string };

type Ports = Pick<ValidatePorts, 'repository' | 'diffText'>;
type Content = Pick<ProposalContent, 'baseCommit' | 'diffDigest'>;

/** Of Hone's own changes, unless others are given. */
const LIMITS = { bytes: 1024 * 1024, files: 200 };

export async function makeCandidate(
  content: Content,
  ports: Ports,
  limits = LIMITS,
): Promise<Candidate> {
  const read = await readPatch(content, ports, limits);
  if (!read.ok) return read;
  try {
    return await commitCandidate(content, read, ports);
  } catch (error) {
    // The proposer names the base: one that is missing or too large is not a fault of the world.
    const refused = ['unknown_commit', 'too_large', 'bad_path', 'bad_change'];
    if (error instanceof GitError && refused.includes(error.code))
      return { ok: false, why: error.message.replace(/\.$/, '') };
    throw error;
  }
}

type Patch =
  | { readonly ok: true; readonly text: string; readonly files: readonly FilePatch[] }
  | { readonly ok: false; readonly why: string };

async function readPatch(
  { diffDigest: diff }: Content,
  ports: Ports,
  limits: typeof LIMITS,
): Promise<Patch> {
  let text: string;
  try {
    text = await ports.diffText(diff);
  } catch (error) {
    if (error instanceof ArtifactError) return { ok: false, why: 'its bytes are not kept here' };
    throw error;
  }
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > limits.bytes)
    return { ok: false, why: `it has ${sizeBytes} bytes; the limit is ${limits.bytes}` };
  if (digestOfBytes(text) !== diff)
    return { ok: false, why: 'its bytes do not match the digest in the proposal' };
  const parsed = parsePatch(text);
  if (!parsed.ok) return parsed;
  if (parsed.files.length > limits.files)
    return { ok: false, why: `it touches more than ${limits.files} files` };
  return { ok: true, text, files: parsed.files };
}

async function commitCandidate(
  { baseCommit, diffDigest: diff }: Content,
  patch: Patch & { readonly ok: true },
  { repository }: Ports,
): Promise<Candidate> {
  const base = await repository.commitInfo(baseCommit);
  const applied = await repository.applyPatch(base.id, patch.text);
  if (!applied.ok) return { ok: false, why: `it does not apply to its base: ${applied.why}` };
  const commit = await repository.commit({
    tree: applied.tree,
    parents: [base.id],
    message: `Candidate ${diff}\n`,
    author: { name: 'hone', email: 'hone@localhost', atMs: Math.max(0, base.author.atMs) },
  });
  const files: TouchedFile[] = [];
  for (const one of patch.files) {
    const [before, after] = [
      await repository.readFile(base.id, one.path),
      await repository.readFile(commit, one.path),
    ];
    files.push({
      path: one.path,
      patch: one,
      before: before && sideOf(one.path, before),
      after: after && sideOf(one.path, after),
    });
  }
  return { ok: true, commit, files };
}

export function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}

function sideOf(path: string, bytes: Uint8Array): FileSide {
  const text = decodeText(bytes);
  return { text, structure: text === undefined ? undefined : readStructure(path, text) };
}
