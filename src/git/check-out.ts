/**
 * A commit's files as real files, in a folder that was empty. The tree is attacker-controlled, so nothing
 * in it decides where bytes land: every folder is made here, every file must not exist before it is
 * opened, and links are made last, when nothing is written any more. A link may only lead to a place in
 * the folder. No index, no filters, no line-ending conversion: the bytes are the blobs.
 */
import { lstat, mkdir, open, readdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorMessage } from '../base/index.ts';
import { GitError } from './errors.ts';
import type { GitLimits } from './limits.ts';
import { type Entry, isRegular } from './objects.ts';
import { shownPath, treePathProblem } from './paths.ts';

export interface CheckOutFile extends Entry {
  readonly path: string;
}

export interface CheckOutSource<File extends CheckOutFile> {
  readonly limits: GitLimits;
  sizeOf(file: File): number;
  /** The blobs of these files, in their order. */
  read(batch: readonly File[]): Promise<readonly Uint8Array[]>;
}

const BATCH_BYTES = 16 * 1024 * 1024;
const BATCH_FILES = 1_000;
const FILES_AT_ONCE = 32;

export async function checkOutFiles<File extends CheckOutFile>(
  folder: string,
  files: readonly File[],
  source: CheckOutSource<File>,
): Promise<void> {
  refuseHostile(files, source);
  const links = files.filter((file) => file.mode === '120000');
  const targets = await readLinks(links, source);
  const root = await emptyFolder(folder);
  try {
    await makeFolders(root, files);
    for (const batch of batches(
      files.filter((file) => isRegular(file.mode)),
      source,
    )) {
      const contents = await source.read(batch);
      for (let at = 0; at < batch.length; at += FILES_AT_ONCE) {
        const some = batch.slice(at, at + FILES_AT_ONCE);
        await Promise.all(some.map((file, nth) => writeFile(root, file, contents[at + nth]!)));
      }
    }
    for (const [path, target] of targets) await symlink(target, join(root, path));
  } catch (error) {
    if (error instanceof GitError) throw error;
    const taken = errorCode(error) === 'EEXIST';
    throw new GitError(
      taken ? 'bad_path' : 'io',
      taken
        ? `Two paths of the commit have the same name on this file system: ${errorMessage(error)}.`
        : `The files cannot be written: ${errorMessage(error)}.`,
      { cause: error },
    );
  }
}

function refuseHostile<File extends CheckOutFile>(
  files: readonly File[],
  source: CheckOutSource<File>,
) {
  let totalBytes = 0;
  for (const file of files) {
    const problem = treePathProblem(file.path);
    if (problem !== undefined) {
      throw new GitError(
        'bad_path',
        `${shownPath(file.path)} cannot be written to disk: ${problem}.`,
      );
    }
    if (file.mode !== '160000') totalBytes += source.sizeOf(file);
  }
  if (totalBytes <= source.limits.checkOutBytesMax) return;
  throw new GitError(
    'too_large',
    `The commit's ${totalBytes} bytes exceed the limit of ${source.limits.checkOutBytesMax} for a checkout.`,
  );
}

async function readLinks<File extends CheckOutFile>(
  links: readonly File[],
  source: CheckOutSource<File>,
) {
  const targets: (readonly [string, string])[] = [];
  for (const batch of batches(links, source)) {
    const contents = await source.read(batch);
    for (const [at, { path }] of batch.entries()) {
      const target = Buffer.from(contents[at]!).toString('utf8');
      if (!staysInside(path, target)) {
        throw new GitError(
          'bad_path',
          `The link ${shownPath(path)} leads out of the folder, to ${shownPath(target)}.`,
          {
            hint: 'Links must be relative and stay within the repository.',
          },
        );
      }
      targets.push([path, target]);
    }
  }
  return targets;
}

/**
 * Up over real folders first, then down, and never up again: after a name that may itself be a link, `..`
 * is not where it looks to be. Each link that is met on the way down keeps the same rule.
 */
export function staysInside(path: string, target: string): boolean {
  if (!/^(?:\.\/)?(?:\.\.\/)*(?:\.\.|[^/]+(?:\/[^/]+)*\/?)$/.test(target)) return false;
  if (/[\0\\]/.test(target) || /^[A-Za-z]:/.test(target)) return false;
  const parts = target.split('/').filter((part) => part !== '.' && part !== '');
  const ups = parts.findIndex((part) => part !== '..');
  const [up, down] = ups < 0 ? [parts.length, []] : [ups, parts.slice(ups)];
  return up <= path.split('/').length - 1 && treePathProblem(down.join('/') || 'x') === undefined;
}

/** The folder's real path. It is made when only it is missing. */
async function emptyFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw new GitError(
        'bad_folder',
        `The folder ${folder} cannot be made: ${errorMessage(error)}.`,
        { cause: error },
      );
    }
  }
  const isFolder = (await lstat(folder)).isDirectory();
  if (!isFolder || (await readdir(folder)).length > 0) {
    throw new GitError('bad_folder', `${folder} is not an empty folder.`, {
      hint: 'Give a new or empty folder.',
    });
  }
  return realpath(folder);
}

async function makeFolders(root: string, files: readonly CheckOutFile[]): Promise<void> {
  const made = new Set<string>();
  for (const { path, mode } of files) {
    const ends = [...path.matchAll(/\//g)].map((slash) => slash.index);
    // A submodule's commit is somewhere else; like git, leave an empty folder in its place.
    if (mode === '160000') ends.push(path.length);
    for (const end of ends) {
      const folder = path.slice(0, end);
      if (made.has(folder)) continue;
      await mkdir(join(root, folder));
      made.add(folder);
    }
  }
}

async function writeFile(root: string, file: CheckOutFile, content: Uint8Array): Promise<void> {
  const handle = await open(join(root, file.path), 'wx', file.mode === '100755' ? 0o755 : 0o644);
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

function* batches<File extends CheckOutFile>(
  files: readonly File[],
  source: CheckOutSource<File>,
): Iterable<readonly File[]> {
  let batch: File[] = [];
  let bytes = 0;
  for (const file of files) {
    const sizeBytes = source.sizeOf(file);
    if (batch.length > 0 && (batch.length >= BATCH_FILES || bytes + sizeBytes > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += sizeBytes;
  }
  if (batch.length > 0) yield batch;
}
