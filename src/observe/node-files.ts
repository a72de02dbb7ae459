/**
 * The machine's own files. In a folder only plain files count: a link could lead out of it, and whoever
 * may write there need not be whoever may read what it points to. A path that the configuration names
 * itself may be a link: its owner wrote it.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { errorCode } from '../base/index.ts';
import type { Listing, OpenFile, SourceFile, SourceFiles } from './types.ts';

const FILES_MAX = 10_000;
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);
/** Links are resolved when listing. Not blocking: opening a pipe would wait for whoever writes to it. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Relative paths are below `root`. */
export function nodeSourceFiles(root: string): SourceFiles {
  return {
    list: (path) => list(resolve(root, path)),
    open: (path) => openFile(path),
  };
}

async function list(path: string): Promise<Listing> {
  const real = await realpath(path).catch(unlessGone);
  const found = real === undefined ? undefined : await stat(real).catch(unlessGone);
  if (real === undefined || found === undefined) return { exists: false, files: [], notes: [] };
  if (found.isDirectory()) return listFolder(real);
  const notes = found.isFile() ? [] : ['It is neither a file nor a folder.'];
  return {
    exists: true,
    files: found.isFile() ? [{ name: basename(path), path: real }] : [],
    notes,
  };
}

async function listFolder(folder: string): Promise<Listing> {
  const entries = await readdir(folder, { withFileTypes: true });
  // A file that was rotated to `a.jsonl.1` is read to its end: cursors know files, not names.
  const named = entries.filter(({ name }) => /\.jsonl(?:\.\d{1,4})?$/.test(name));
  const files: SourceFile[] = named
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, path: join(folder, name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const notes: string[] = [];
  const links = named.filter((entry) => entry.isSymbolicLink()).length;
  if (links > 0) notes.push(`Links left out: ${links}. Only files of the folder itself are read.`);
  if (files.length > FILES_MAX)
    notes.push(`Only the first ${FILES_MAX} of ${files.length} files are read.`);
  return { exists: true, files: files.slice(0, FILES_MAX), notes };
}

async function openFile(path: string): Promise<OpenFile | undefined> {
  const handle = await open(path, FLAGS).catch(unlessGone);
  if (handle === undefined) return undefined;
  const stats = await handle.stat();
  if (stats.isFile()) return opened(handle, stats);
  await handle.close();
  return undefined;
}

function opened(handle: FileHandle, stats: Stats): OpenFile {
  return {
    identity: `${stats.dev}:${stats.ino}`,
    sizeBytes: stats.size,
    async read(fromByte, lengthBytes) {
      const buffer = Buffer.allocUnsafe(lengthBytes);
      let filled = 0;
      while (filled < lengthBytes) {
        const left = lengthBytes - filled;
        const { bytesRead } = await handle.read(buffer, filled, left, fromByte + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** What was moved away between looking and opening is simply not there. */
function unlessGone(error: unknown): undefined {
  if (GONE.has(errorCode(error) ?? '')) return undefined;
  throw error;
}
