/** The room's only contact with the file system: read-only and bounded. */
import { Buffer } from 'node:buffer';
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  opendirSync,
  openSync,
  readSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorMessage } from '../base/index.ts';
import { ConfigError } from './errors.ts';
import { FILE_BYTES_MAX } from './file-size.ts';
import type { ReadOnlyTree, TreeEntry } from './types.ts';

/** Throws when the root itself cannot be listed; below it, what cannot be read is not there. */
export function nodeTree(root: string): ReadOnlyTree {
  try {
    opendirSync(root).closeSync();
  } catch (cause) {
    throw new ConfigError(
      'no_target',
      `The folder ${root} cannot be read: ${errorMessage(cause)}`,
      {
        hint: 'Name an existing folder that you may read.',
        cause,
      },
    );
  }
  return {
    list: (path, maxEntries) => quietly(() => listFolder(join(root, path), maxEntries)) ?? [],
    read: (path, maxBytes) =>
      quietly(() => readStart(join(root, path), maxBytes, constants.O_NOFOLLOW).toString()),
  };
}

/**
 * The bytes of a configuration file; undefined when there is none. At most one byte more than
 * `parseConfig` takes, so that a huge file costs nothing and is still refused.
 */
export function readConfigFile(path: string): Uint8Array | undefined {
  try {
    return readStart(path, FILE_BYTES_MAX + 1, 0);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw new ConfigError('unreadable', `${path} cannot be read: ${errorMessage(cause)}`, {
      hint: 'It must be a file that you may read.',
      cause,
    });
  }
}

function listFolder(path: string, maxEntries: number): TreeEntry[] {
  const folder = opendirSync(path);
  try {
    const entries: TreeEntry[] = [];
    for (let entry = folder.readSync(); entry !== null && entries.length < maxEntries; ) {
      entries.push({ name: entry.name, kind: kindOf(entry) });
      entry = folder.readSync();
    }
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    folder.closeSync();
  }
}

function kindOf(entry: Dirent): TreeEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}

function readStart(path: string, maxBytes: number, flags: number): Buffer {
  // O_NONBLOCK: opening a pipe without a writer would wait forever.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    if (!fstatSync(handle).isFile()) throw new Error('it is not a file');
    const bytes = Buffer.alloc(maxBytes);
    let length = 0;
    for (let read = -1; read !== 0 && length < maxBytes; length += read)
      read = readSync(handle, bytes, length, maxBytes - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}

function quietly<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
