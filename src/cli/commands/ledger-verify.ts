/**
 * `hone ledger verify`: reads the whole ledger and says whether it is what it was. Exit 1 and the
 * first bad entry when it is not.
 */
import { readFileSync } from 'node:fs';
import { errorMessage } from '../../base/index.ts';
import { HomeError, hasKey, splitNotes } from '../../home/index.ts';
import {
  type KnownRoot,
  knownRoot,
  knownRoots,
  LedgerView,
  parseVerifier,
  recordedKeys,
  type Verifier,
  verifyLedger,
} from '../../ledger/index.ts';
import { type Context, type Opened, withLedger } from '../context.ts';
import { present } from '../io.ts';
import { ledgerKey } from '../ledger-key.ts';

interface VerifyCommand {
  /** A file with one or more checkpoints that were kept elsewhere. */
  readonly against?: string;
  /** The public key to trust, instead of the one beside the ledger. */
  readonly key?: string;
}

interface Shown {
  readonly ok: boolean;
  readonly size: number | null;
  readonly root: string | null;
  readonly coveredSize: number | null;
  readonly problem: { kind: string; index: number | null; message: string } | null;
}

export function ledgerVerify(context: Context, options: VerifyCommand): Promise<number> {
  return withLedger(context, async (opened) => {
    const shown = await verify(context, opened, options);
    context.io.progressDone();
    present(context.io, shown, (result) => verdictText(result));
    return shown.ok ? 0 : 1;
  });
}

async function verify(context: Context, opened: Opened, options: VerifyCommand): Promise<Shown> {
  const known = await collectRoots(opened, options);
  if ('problem' in known) return failed(known.problem);
  const total = await new LedgerView(opened.store).size();
  const result = await verifyLedger(opened.store, {
    known: known.roots,
    onProgress: (done) => context.io.progress(`Verified ${done} of ${total} entries`),
  });
  if (!result.ok) return failed(result.problem);
  const { size, coveredSize } = result;
  const root = Buffer.from(result.root).toString('base64');
  return { ok: true, size, root, coveredSize, problem: null };
}

type Collected = { roots: KnownRoot[] } | { problem: Shown['problem'] & object };

async function collectRoots(opened: Opened, options: VerifyCommand): Promise<Collected> {
  const { store, witness } = opened;
  const verifiers = await trusted(opened, options);
  const own = await knownRoots(store, verifiers, witness);
  if (!own.ok) return { problem: badCheckpoint(own) };
  const roots = [...own.roots];
  if (options.against !== undefined) {
    const notes = splitNotes(readNotes(options.against));
    if (notes.length === 0) {
      throw new HomeError('witness', `${options.against} holds no checkpoint.`, {
        hint: 'Give the file that "hone ledger checkpoint" was written to.',
      });
    }
    for (const note of notes) {
      const kept = knownRoot(note, options.against, verifiers);
      if (!kept.ok) return { problem: badCheckpoint(kept) };
      roots.push(...kept.roots);
    }
  }
  return { roots };
}

/** The given key alone; else the key beside the ledger, and older ones that the ledger records. */
async function trusted({ store, home }: Opened, options: VerifyCommand): Promise<Verifier[]> {
  if (options.key !== undefined) return [parseVerifier(options.key)];
  const recorded = (await recordedKeys(store)).map(parseVerifier);
  // Without a key of its own a machine can only trust what the ledger says of itself.
  if (!hasKey(home)) return recorded;
  return [await ledgerKey(store, home), ...recorded.slice(0, -1)];
}

function readNotes(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new HomeError('witness', `Cannot read ${path}: ${errorMessage(error)}.`, {
      hint: 'Give a file that "hone ledger checkpoint" was written to.',
      cause: error,
    });
  }
}

function badCheckpoint({ source, reason }: { source: string; reason: string }) {
  const words: Record<string, string> = {
    note_not_signed_by_key: 'was not signed with this key: it is of another ledger',
    note_signature_wrong: 'was altered: its signature is wrong',
    checkpoint_origin: 'is of another ledger',
    wrong_size: 'stands under the wrong size',
  };
  const what = words[reason] ?? `cannot be read (${reason.replaceAll('_', ' ')})`;
  return { kind: 'checkpoint', index: null, message: `A checkpoint (${source}) ${what}.` };
}

function failed(problem: Shown['problem']): Shown {
  return { ok: false, size: null, root: null, coveredSize: null, problem };
}

function verdictText(shown: Shown): string {
  if (shown.problem !== null) {
    return `NOT VERIFIED\n${shown.problem.message}\nKeep the database as it is, and restore a backup beside it to compare.\n`;
  }
  const { size, coveredSize } = shown;
  const covered =
    coveredSize === size
      ? 'All of them are covered by a checkpoint.'
      : `${coveredSize} are covered by a checkpoint; the end could be cut off unnoticed.\n` +
        'Keep the output of "hone ledger checkpoint" elsewhere.';
  return `Verified ${size} entries.\nRoot ${shown.root}\n${covered}\n`;
}
