/** `hone ledger show|checkpoint|prove`; the others have files of their own. */

import { withLedger } from '../../app/context.ts';
import { ledgerKey } from '../../app/ledger-key.ts';
import {
  formatVerifier,
  LedgerView,
  makeCheckpoint,
  type PlacedEntry,
  type UnreadableEntry,
  verifyConsistency,
  verifyInclusion,
} from '../../ledger/index.ts';
import type { Context } from '../context.ts';
import { type Io, present, refuse } from '../io.ts';
import { fields, wrap, wrapAtMost } from '../layout.ts';
import { shown } from '../shown.ts';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

export function ledgerShow(
  context: Context,
  options: { subject?: string; from?: number; limit: number },
): Promise<number> {
  return withLedger(context, async ({ store }) => {
    const view = new LedgerView(store);
    const newestFirst = options.from === undefined;
    const found = await view.read({ ...options, newestFirst });
    if (newestFirst) found.reverse();
    const size = await view.size();
    const entries = found.flatMap(({ index, entry }) => {
      if (entry === undefined) return [];
      const { v: _, ...rest } = entry;
      return [{ index, ...rest }];
    });
    // Of the newest, the first that is shown may be any; of all that there are, it is the first.
    const first = options.from ?? (found.length < options.limit ? 0 : undefined);
    const damaged = damageIn(found, options.subject === undefined ? { first } : undefined);
    present(context.io, { size, entries, damaged }, () =>
      found.length === 0
        ? 'No entries.\n'
        : listText(found, damaged, (one) => entryText(one, context.io, options.subject)) +
          (found.length < size
            ? wrap(`${found.length} of ${size} entries; --limit shows more.`, context.io.columns)
            : ''),
    );
    if (damaged.length === 0) return 0;
    if (!context.io.json) context.io.err(wrap(DAMAGED, context.io.errorColumns));
    return 1;
  });
}

const DAMAGED =
  'hone: Not every entry can be shown: "hone ledger verify" says more. If that finds nothing, a newer Hone wrote them.';

interface Damage {
  readonly kind: 'unreadable' | 'missing';
  readonly from: number;
  readonly to: number;
}

/** `dense`: nothing was left out, so every number should be there, from `first` on where that is known. */
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

/** Everything in its place. */
function listText(
  found: readonly (PlacedEntry | UnreadableEntry)[],
  damaged: readonly Damage[],
  textOf: (entry: PlacedEntry) => string,
): string {
  return found
    .map((one) => {
      const gone = damaged.find(({ kind, to }) => kind === 'missing' && to === one.index - 1);
      const before = gone === undefined ? '' : `${damageText(gone)}\n`;
      if (one.entry !== undefined) return before + textOf(one);
      return `${before}${damageText({ kind: 'unreadable', from: one.index, to: one.index })}\n`;
    })
    .join('');
}

function damageText({ kind, from, to }: Damage): string {
  const which = from === to ? String(from) : `${from} to ${to}`;
  return `${which.padStart(6)}  ${kind === 'missing' ? 'MISSING' : 'CANNOT BE READ'}`;
}

/** What people look for comes first, what only machines read last: a terminal shows only some lines of it. */
const DETAIL_LINES = 3;
const FIRST = ['kind', 'verdict', 'to', 'outcome', 'title', 'reason'];

function rank([key, value]: [string, unknown]): number {
  if (/^(?:sha256:|att_)/.test(String(value))) return FIRST.length + 1;
  return FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length;
}

function entryText({ index, entry }: PlacedEntry, io: Io, subject: string | undefined): string {
  const who = `${entry.actor.kind} ${entry.actor.id}`;
  const head = `${String(index).padStart(6)}  ${entry.at.slice(0, 19).replace('T', ' ')}  `;
  const details = Object.entries(entry.data)
    .filter(([, value]) => value !== null)
    .sort((one, other) => rank(one) - rank(other))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  const about = entry.subject === subject ? '' : `${entry.subject}  `;
  const text = shown(`${about}by ${who}  ${details}`);
  const isBeside = io.columns >= head.length + entry.type.length;
  const type = io.style('bold', entry.type);
  return [
    isBeside ? `${head}${type}\n` : `${head.trimEnd()}\n        ${type}\n`,
    wrapAtMost(DETAIL_LINES, text, { columns: io.columns, indent: '        ' }),
  ].join('');
}

/** Signs the ledger as it stands and prints the note, to be kept elsewhere. */
export function ledgerCheckpoint(context: Context): Promise<number> {
  return withLedger(context, async ({ store, home, witness }) => {
    const key = await ledgerKey(store, home);
    const { size, note } = await makeCheckpoint(store, key, witness);
    present(context.io, { size, note, verifierKey: formatVerifier(key) }, () => note);
    return 0;
  });
}

export function ledgerProve(
  context: Context,
  index: number,
  options: { size?: number; consistency: boolean },
): Promise<number> {
  return withLedger(context, async ({ store }) => {
    const view = new LedgerView(store);
    const size = options.size ?? (await view.size());
    const root = await view.rootAt(size);
    const proven = options.consistency
      ? await proveBeginning(view, index, { size, root })
      : await proveEntry(view, index, { size, root });
    if ('refused' in proven) return refuse(context.io, proven.refused);
    const result = { ...proven, size, root: base64(root), proof: proven.proof.map(base64) };
    present(context.io, result, (shown) =>
      [
        wrap(
          shown.kind === 'inclusion'
            ? `Entry ${index} stands in the ledger of ${size} entries.`
            : `The ledger of ${index} entries is the beginning of that of ${size}.`,
          context.io.columns,
        ),
        fields(proofPairs(shown), context.io.columns),
      ].join(''),
    );
    return 0;
  });
}

function proofPairs(shown: { root: string; leafHash: string | null; proof: readonly string[] }) {
  const pairs: [string, string][] = [
    ['root', shown.root],
    ...(shown.leafHash === null ? [] : [['leaf hash', shown.leafHash] as [string, string]]),
    ...shown.proof.map((hash, at): [string, string] => [`proof ${String(at).padStart(2)}`, hash]),
  ];
  return pairs;
}

interface Head {
  readonly size: number;
  readonly root: Uint8Array;
}

const NO_PROOF =
  'what is in the database does not lead to its root. "hone ledger verify" says more.';

/** A proof that does not hold is none: it is checked before anybody is given it. */
async function proveEntry(view: LedgerView, index: number, { size, root }: Head) {
  const proof = await view.proveInclusion(index, size);
  const leafHash = await view.leafHash(index);
  const checked = verifyInclusion({ index, size, leafHash, root, proof });
  if (!checked.ok) return { refused: `Entry ${index} cannot be proven: ${NO_PROOF}` };
  return { kind: 'inclusion', index, size1: null, leafHash: base64(leafHash), proof } as const;
}

async function proveBeginning(view: LedgerView, size1: number, { size, root }: Head) {
  const proof = await view.proveConsistency(size1, size);
  const root1 = await view.rootAt(size1);
  const checked = verifyConsistency({ size1, size2: size, root1, root2: root, proof });
  if (!checked.ok) return { refused: `The first ${size1} entries cannot be proven: ${NO_PROOF}` };
  return { kind: 'consistency', index: null, size1, leafHash: null, proof } as const;
}
