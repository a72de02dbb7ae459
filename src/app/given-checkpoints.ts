/** Checkpoints that somebody kept elsewhere and gives to verify a ledger against, as yet unproven. */
import { readFileSync } from 'node:fs';
import { errorMessage } from '../base/index.ts';
import { splitNotes } from '../home/index.ts';
import { claimedOrigin } from '../ledger/index.ts';

export interface Given {
  readonly path: string;
  readonly notes: readonly { readonly note: string; readonly origin: string }[];
}

/** A file that is not a checkpoint is a wrong argument, and says nothing about the ledger. */
export function readGiven(path: string): Given | { readonly refused: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { refused: `Cannot read ${path}: ${errorMessage(error)}. ${GIVE}` };
  }
  return givenCheckpoints(text, path);
}

/** `path`: what to call it to whoever gave it. */
export function givenCheckpoints(text: string, path: string): Given | { readonly refused: string } {
  const notes = splitNotes(text).map((note) => ({ note, origin: claimedOrigin(note) }));
  const isCheckpoint = (one: (typeof notes)[number]): one is Given['notes'][number] =>
    one.origin !== undefined;
  if (notes.length > 0 && notes.every(isCheckpoint)) return { path, notes };
  const some = notes.some(isCheckpoint) ? 'something that is not a checkpoint' : 'no checkpoint';
  return { refused: `${path} holds ${some}. ${GIVE}` };
}

const GIVE = 'Give a file with the output of "hone ledger checkpoint".';
