/** The ledger: its entries, a signed checkpoint, proofs. */
import type {
  LedgerProveInput,
  LedgerShowInput,
  Proof,
  ShownLedger,
  SignedCheckpoint,
} from '../contracts/ledger.ts';
import {
  formatVerifier,
  LedgerView,
  makeCheckpoint,
  type PlacedEntry,
  type UnreadableEntry,
  verifyConsistency,
  verifyInclusion,
} from '../ledger/index.ts';
import { type AppContext, withLedger } from './context.ts';
import { ledgerKey } from './ledger-key.ts';
import type { Refusal } from './refusal.ts';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** The newest last. Entries that are unreadable or missing are named. */
export function showLedger(
  context: AppContext,
  { subject, from, before, limit }: LedgerShowInput,
): Promise<ShownLedger> {
  return withLedger(context, async ({ store }) => {
    const view = new LedgerView(store);
    const newestFirst = from === undefined;
    const about = subject === undefined ? {} : { subject };
    const start = {
      ...(from === undefined ? {} : { from }),
      ...(before === undefined ? {} : { before }),
    };
    const found = await view.read({ ...about, ...start, limit, newestFirst });
    if (newestFirst) found.reverse();
    // Of the newest, the first that is shown may be any; of all that there are, it is the first.
    const first = from ?? (found.length < limit ? 0 : undefined);
    return {
      size: await view.size(),
      entries: found.flatMap((one) => (one.entry === undefined ? [] : [entryJson(one)])),
      damaged: damageIn(found, subject === undefined ? { first } : undefined),
    };
  });
}

export function entryJson({ index, entry }: PlacedEntry): ShownLedger['entries'][number] {
  const { v: _, ...rest } = entry;
  return { index, ...rest };
}

type Damage = ShownLedger['damaged'][number];

/** `dense`: nothing was filtered out, so every index should be there, from `first` on if that is known. */
function damageIn(
  found: readonly (PlacedEntry | UnreadableEntry)[],
  dense: { readonly first: number | undefined } | undefined,
): Damage[] {
  return found.flatMap(({ index, entry }, at) => {
    const next = at === 0 ? dense?.first : found[at - 1]!.index + 1;
    const expected = dense === undefined ? index : (next ?? index);
    return [
      ...(expected < index ? [{ kind: 'missing', from: expected, to: index - 1 } as const] : []),
      ...(entry === undefined ? [{ kind: 'unreadable', from: index, to: index } as const] : []),
    ];
  });
}

/** A signed checkpoint of the ledger, to keep elsewhere. */
export function signCheckpoint(context: AppContext): Promise<SignedCheckpoint> {
  return withLedger(context, async ({ store, home, witness }) => {
    const key = await ledgerKey(store, home);
    const { size, note } = await makeCheckpoint(store, key, witness);
    return { size, note, verifierKey: formatVerifier(key) };
  });
}

/** Proves that an entry is in the ledger of that size. */
export const proveEntry = (context: AppContext, input: LedgerProveInput): Answer =>
  prove(context, input, inclusion);

/** Proves that the larger ledger extends the smaller one. */
export const proveBeginning = (context: AppContext, input: LedgerProveInput): Answer =>
  prove(context, input, consistency);

type Answer = Promise<Proof | Refusal>;

function prove(
  context: AppContext,
  { index, size: given }: LedgerProveInput,
  how: typeof inclusion | typeof consistency,
): Answer {
  return withLedger(context, async ({ store }): Answer => {
    const view = new LedgerView(store);
    const size = given ?? (await view.size());
    const root = await view.rootAt(size);
    const proven = await how(view, index, { size, root });
    if ('refused' in proven) return proven;
    return { ...proven, size, root: base64(root), proof: proven.proof.map(base64) };
  });
}

interface Head {
  readonly size: number;
  readonly root: Uint8Array;
}

type Proven = Pick<Proof, 'kind' | 'index' | 'size1' | 'leafHash'> & {
  readonly proof: readonly Uint8Array[];
};

const NO_PROOF =
  'what is in the database does not lead to its root. "hone ledger verify" says more.';

/** Every proof is checked before it is handed out. */
async function inclusion(
  view: LedgerView,
  index: number,
  { size, root }: Head,
): Promise<Proven | Refusal> {
  const proof = await view.proveInclusion(index, size);
  const leafHash = await view.leafHash(index);
  const checked = verifyInclusion({ index, size, leafHash, root, proof });
  if (!checked.ok) return { refused: `Entry ${index} cannot be proven: ${NO_PROOF}` };
  return { kind: 'inclusion', index, size1: null, leafHash: base64(leafHash), proof };
}

async function consistency(
  view: LedgerView,
  size1: number,
  { size, root }: Head,
): Promise<Proven | Refusal> {
  const proof = await view.proveConsistency(size1, size);
  const root1 = await view.rootAt(size1);
  const checked = verifyConsistency({ size1, size2: size, root1, root2: root, proof });
  if (!checked.ok) return { refused: `The first ${size1} entries cannot be proven: ${NO_PROOF}` };
  return { kind: 'consistency', index: null, size1, leafHash: null, proof };
}
