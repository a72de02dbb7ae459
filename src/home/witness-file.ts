/** A witness that is a file: notes one after the other, each closed by a line of its own. */
import { appendFile, readFile } from 'node:fs/promises';
import { errorCode, errorMessage } from '../base/index.ts';
import type { Witness } from '../ledger/index.ts';
import { HomeError } from './errors.ts';

/** Cannot be part of a note: a note has no line of equal signs between its signature lines. */
const SEPARATOR = '\n====\n';

export function witnessFile(path: string): Witness {
  return {
    name: path,
    append: async (note) => {
      try {
        await appendFile(path, note + SEPARATOR, { mode: 0o600, flush: true });
      } catch (error) {
        throw unusable(path, error);
      }
    },
    read: async () => {
      try {
        return splitNotes(await readFile(path, 'utf8'));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return [];
        throw unusable(path, error);
      }
    },
  };
}

export function splitNotes(text: string): string[] {
  return text.split(SEPARATOR).filter((note) => note !== '');
}

function unusable(path: string, error: unknown): HomeError {
  return new HomeError('witness', `The witness file ${path}: ${errorMessage(error)}.`, {
    hint: 'Check ledger.witnessFile in hone.yaml and your rights there.',
    cause: error,
  });
}
