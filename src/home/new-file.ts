/** Large files for people (exports, backups): written beside their name, which they get when they are whole. */
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, errorMessage } from '../base/index.ts';
import { HomeError } from './errors.ts';

export type WriteBytes = (bytes: Uint8Array | string) => Promise<void>;

export interface NewFile<T> {
  readonly path: string;
  work(write: WriteBytes): Promise<T>;
  /** Looks at the file under its first name, synced and closed; what it throws leaves no file. */
  check?(beside: string): Promise<void>;
}

/** Describes what is in the file's place; undefined if nothing is. */
export async function whatIsInTheWay(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? `${path} is a folder. ${NEW_FILE}` : exists(path);
  } catch {
    return undefined; // nothing there; what else is wrong is found when it is opened
  }
}

const NEW_FILE = 'Give the name of a new file.';
const exists = (path: string) => `${path} already exists and was not overwritten. ${NEW_FILE}`;

/** A name of this process's own: a killed writer leaves that, and never half a file under the final name. */
export async function writeNewFile<T>({
  path,
  work,
  check,
}: NewFile<T>): Promise<T | { readonly refused: string }> {
  const beside = `${path}.${process.pid}.new`;
  try {
    const result = await written(beside, path, work);
    await check?.(beside);
    return (await placed(beside, path)) ? result : { refused: exists(path) };
  } catch (error) {
    const refused = wrongPlace(path, error);
    if (refused === undefined) throw error;
    return { refused };
  } finally {
    await rm(beside, { force: true }).catch(() => {});
  }
}

async function written<T>(beside: string, path: string, work: NewFile<T>['work']): Promise<T> {
  await rm(beside, { force: true });
  await using file = await open(beside, 'wx', 0o600);
  const result = await work((bytes) => file.appendFile(bytes).catch(failWriting(path)));
  await file.sync().catch(failWriting(path));
  return result;
}

/** Nothing is Hone's fault that the place to write to is. */
function wrongPlace(path: string, error: unknown): string | undefined {
  switch (errorCode(error)) {
    case 'ENOENT':
      return `There is no folder ${dirname(path)}. Create it, or give another path.`;
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return `Cannot write ${path}: ${errorMessage(error)}. Give another path.`;
    default:
      return undefined;
  }
}

function failWriting(path: string): (error: unknown) => never {
  return (error) => {
    throw new HomeError('io', `Cannot write ${path}: ${errorMessage(error)}.`, {
      hint: 'Check the free space. No file was made.',
      cause: error,
    });
  };
}

/** A link never replaces. Not every file system has links: there, nobody else should make the same file. */
async function placed(beside: string, path: string): Promise<boolean> {
  try {
    await link(beside, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || (await whatIsInTheWay(path)) !== undefined) return false;
    await rename(beside, path);
    return true;
  }
}
