/** Verifies the whole ledger; names the first bad entry if there is one. */
import type { VerifiedLedger } from '../contracts/ledger.ts';
import { hasKey, newOrigin, readKey } from '../home/index.ts';
import {
  type Beginning,
  formatVerifier,
  type KnownRoot,
  knownRoot,
  knownRoots,
  LedgerView,
  ledgerBeginning,
  parseVerifier,
  readKeys,
  type Verifier,
  verifyLedger as verifyEntries,
} from '../ledger/index.ts';
import { type AppContext, type Opened, withLedger } from './context.ts';
import { type Given, givenCheckpoints, readGiven } from './given-checkpoints.ts';
import { type Refusal, usage } from './refusal.ts';

export function verifyLedger(
  context: AppContext,
  input: {
    /** A file with one or more checkpoints that were kept elsewhere. */
    readonly against?: string | undefined;
    /** The text of such a file. */
    readonly checkpoints?: string | undefined;
    /** The public key to trust, instead of the one beside the ledger. */
    readonly key?: string | undefined;
  },
): Promise<VerifiedLedger | Refusal> {
  const { key } = input;
  const given = givenTo(input);
  if (given !== undefined && 'refused' in given) return Promise.resolve(usage(given.refused));
  const work = (opened: Opened) => verifyOpened(context, opened, { given, key });
  return withLedger(context, work, { evenLost: true });
}

function givenTo({ against, checkpoints }: Parameters<typeof verifyLedger>[1]) {
  if (checkpoints !== undefined) return givenCheckpoints(checkpoints, 'What you sent');
  return against === undefined ? undefined : readGiven(against);
}

/** What is trusted beside what the ledger and its witness say. */
interface Trust {
  readonly given?: Given | undefined;
  readonly key?: string | undefined;
}

type Stated = NonNullable<VerifiedLedger['problem']>;
/** What to do, if it is not to compare with a backup. */
type Problem = Omit<Stated, 'advice'> & Partial<Pick<Stated, 'advice'>>;

/** Also for whoever is about to rely on the ledger. */
export async function verifyOpened(
  context: AppContext,
  opened: Opened,
  options: Trust = {},
): Promise<VerifiedLedger> {
  const view = new LedgerView(opened.store);
  const { verifiers, doubt } = await trusted(opened, options);
  const known = await collectRoots(opened, verifiers, options);
  const total = await view.size();
  const result = await verifyEntries(opened.store, {
    known: known.roots,
    onProgress: (done) => context.progress(`Verified ${done} of ${total} entries`),
  });
  // An altered entry is the most useful finding, then a different ledger, then checkpoints.
  if (!result.ok) return failed(result.problem);
  if (doubt !== undefined) return failed(doubt);
  if (known.problem !== undefined) return failed(known.problem);
  const { size, coveredSize, compared } = result;
  const root = Buffer.from(result.root).toString('base64');
  const unplaced = await view.unplaced();
  return { ok: true, size, root, coveredSize, checkpoints: compared, unplaced, problem: null };
}

interface Collected {
  readonly roots: KnownRoot[];
  /** The first checkpoint that is not one of this ledger. */
  readonly problem?: Problem;
}

async function collectRoots(
  { store, witness }: Opened,
  verifiers: readonly Verifier[],
  { given }: Trust,
): Promise<Collected> {
  const own = await knownRoots(store, verifiers, witness);
  if (!own.ok) return { roots: [], problem: badCheckpoint(own) };
  const roots = [...own.roots];
  for (const { note, origin } of given?.notes ?? []) {
    const kept = knownRoot(note, given!.path, verifiers);
    if (!kept.ok) {
      const own = verifiers[0]?.name;
      const isOther = own !== origin && kept.reason === 'note_not_signed_by_key';
      const problem =
        isOther && own !== undefined ? otherLedger(given!.path, origin, own) : badCheckpoint(kept);
      return { roots, problem };
    }
    roots.push(...kept.roots);
  }
  return { roots };
}

function otherLedger(path: string, origin: string, own: string): Problem {
  return {
    kind: 'other_ledger',
    index: null,
    message: `${path} holds a checkpoint of another ledger: ${origin}. This one is ${own}.`,
    advice:
      'The entries here fit each other. Give a checkpoint of this ledger, or run this in the repository that the other one belongs to.',
  };
}

interface Trusted {
  readonly verifiers: readonly Verifier[];
  /** Why this may not be the ledger that was created here. */
  readonly doubt: Problem | undefined;
}

/** The given key alone; else the key beside the ledger, and older ones that the ledger records. */
async function trusted({ store, home }: Opened, { key }: Trust): Promise<Trusted> {
  const read = await readKeys(store);
  const recorded = read.ok ? read.keys.map(parseVerifier) : [];
  const newest = recorded.at(-1);
  const doubt = read.ok ? badBeginning(await ledgerBeginning(store)) : unreadableKey(read.index);
  const named = (verifier: Verifier, among: readonly Verifier[], what: string) =>
    doubt ?? (among.some((one) => isSame(one, verifier)) ? undefined : otherKey(what));
  if (key !== undefined) {
    const given = parseVerifier(key);
    return { verifiers: [given], doubt: named(given, recorded, 'the one that you gave') };
  }
  // Without its own key a machine can only trust what the ledger says about itself.
  if (!hasKey(home)) return { verifiers: recorded, doubt };
  const own = readKey(home, newest?.name ?? newOrigin(home));
  return {
    verifiers: [own, ...recorded.slice(0, -1)],
    doubt: named(own, recorded.slice(-1), `the one in ${home.keyFile}`),
  };
}

const isSame = (one: Verifier, other: Verifier) => formatVerifier(one) === formatVerifier(other);

/** Every ledger begins with the record of its creation: "hone init" writes it before anything else. */
function badBeginning(beginning: Beginning): Problem | undefined {
  if (beginning === 'created') return undefined;
  const message =
    beginning === 'empty'
      ? 'The ledger is empty, although Hone is set up here: its database was removed, emptied or replaced.'
      : 'The ledger does not begin with the record of its own making (ledger.created): its beginning was removed, or something other than Hone began it again.';
  const advice =
    'Restore a backup of the database. This one has no record of what Hone did, and a new "hone init" would not bring it back.';
  return { kind: 'beginning', index: 0, message, advice };
}

function unreadableKey(index: number | null): Problem {
  const which = index === null ? 'An entry' : `Entry ${index}`;
  return {
    kind: 'key',
    index,
    message: `${which} should name the ledger's key, and names none that can be read.`,
  };
}

function otherKey(what: string): Problem {
  return {
    kind: 'key',
    index: null,
    message: `This ledger does not name ${what} as its key: the database or the key belongs to another ledger.`,
    advice:
      'Restore the right one from a backup, and check that the state folder is the right one.',
  };
}

function badCheckpoint({ source, reason }: { source: string; reason: string }): Problem {
  const words: Record<string, string> = {
    note_not_signed_by_key:
      'was not signed with a key of this ledger: it belongs to another ledger, or is forged',
    note_signature_wrong: 'was altered: its signature is wrong',
    checkpoint_origin: 'belongs to another ledger',
    wrong_size: 'is stored under the wrong size',
  };
  const what = words[reason] ?? `cannot be read (${reason.replaceAll('_', ' ')})`;
  return { kind: 'checkpoint', index: null, message: `A checkpoint (${source}) ${what}.` };
}

const COMPARE = 'Keep the database as it is, and restore a backup beside it to compare.';

function failed(problem: Problem): VerifiedLedger {
  const unknown = { size: null, root: null, coveredSize: null, checkpoints: null, unplaced: null };
  return { ok: false, ...unknown, problem: { advice: COMPARE, ...problem } };
}
