/** A witness that is a file: notes one after the other, each closed by a line of its own. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode, errorMessage } from '../base/index.ts';
import type { Witness } from '../ledger/index.ts';
import { HomeError } from './errors.ts';

const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_RDONLY, O_WRONLY } = constants;

/** Cannot be part of a note: a note has no line of equal signs between its signature lines. */
const SEPARATOR = '\n====\n';

export function witnessFile(path: string): Witness {
  return {
    name: path,
    append: async (note) => {
      try {
        await using file = await openFile(path, O_WRONLY | O_APPEND | O_CREAT);
        await file.appendFile(note + SEPARATOR);
        await file.sync();
      } catch (error) {
        throw unusable(path, error);
      }
    },
    read: async () => {
      try {
        await using file = await openFile(path, O_RDONLY);
        return splitNotes(await file.readFile('utf8'));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return [];
        throw unusable(path, error);
      }
    },
  };
}

/** Not blocking, and files only: whoever reads or writes a pipe waits for the other. */
async function openFile(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | O_NONBLOCK, 0o600);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error('it is not a file');
}

export function splitNotes(text: string): string[] {
  return text.split(SEPARATOR).filter((note) => note !== '');
}

function unusable(path: string, error: unknown): HomeError {
  return new HomeError('witness', `The witness file ${path}: ${errorMessage(error)}.`, {
    hint: 'Check ledger.witnessFile in hone.yaml and your permissions there.',
    cause: error,
  });
}
