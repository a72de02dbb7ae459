/** `hone ledger show|checkpoint|prove`; the others have files of their own. */
import { proveBeginning, proveEntry, showLedger, signCheckpoint } from '../../app/ledger.ts';
import type { LedgerEntry, LedgerShowInput, Proof, ShownLedger } from '../../contracts/ledger.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { fields, wrap, wrapAtMost } from '../layout.ts';
import { shown } from '../shown.ts';

export async function ledgerShow(context: Context, options: LedgerShowInput): Promise<number> {
  const { io } = context;
  const exit = await answer(
    context,
    showLedger(context, options),
    (ledger) => listText(ledger, options, io),
    ({ damaged }) => (damaged.length === 0 ? 0 : 1),
  );
  if (exit !== 0 && !io.json) io.err(wrap(DAMAGED, io.errorColumns));
  return exit;
}

const DAMAGED =
  'hone: Not every entry can be shown: "hone ledger verify" says more. If that finds nothing, a newer Hone wrote them.';

/** Everything in its place, with what is missing or cannot be read. */
function listText(
  { size, entries, damaged }: ShownLedger,
  { subject }: LedgerShowInput,
  io: Io,
): string {
  const lines = [
    ...entries.map((entry) => ({ at: entry.index, text: entryText(entry, io, subject) })),
    ...damaged.map((one) => ({ at: one.from, text: `${damageText(one)}\n` })),
  ].sort((one, other) => one.at - other.at);
  if (lines.length === 0) return 'No entries.\n';
  const found = entries.length + damaged.filter(({ kind }) => kind === 'unreadable').length;
  const rest = wrap(`${found} of ${size} entries; --limit shows more.`, io.columns);
  return lines.map(({ text }) => text).join('') + (found < size ? rest : '');
}

function damageText({ kind, from, to }: ShownLedger['damaged'][number]): string {
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

/** `madeBy.layer=settings`: an object in one word of JSON would be wider than a terminal. */
function detail(key: string, value: unknown): string {
  if (typeof value === 'string') return `${key}=${value}`;
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return `${key}=${JSON.stringify(value)}`;
  return Object.entries(value)
    .map(([inner, of]) => detail(`${key}.${inner}`, of))
    .join(' ');
}

function entryText(entry: LedgerEntry, io: Io, subject: string | undefined): string {
  const who = `${entry.actor.kind} ${entry.actor.id}`;
  const head = `${String(entry.index).padStart(6)}  ${entry.at.slice(0, 19).replace('T', ' ')}  `;
  const details = Object.entries(entry.data)
    .filter(([, value]) => value !== null)
    .sort((one, other) => rank(one) - rank(other))
    .map(([key, value]) => detail(key, value))
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

/** The note, to be kept elsewhere. */
export function ledgerCheckpoint(context: Context): Promise<number> {
  return answer(context, signCheckpoint(context), ({ note }) => note);
}

export function ledgerProve(
  context: Context,
  index: number,
  options: { size?: number; consistency: boolean },
): Promise<number> {
  const { consistency, ...rest } = options;
  const prove = consistency ? proveBeginning : proveEntry;
  const { columns } = context.io;
  return answer(context, prove(context, { index, size: rest.size }), (proven) =>
    [
      wrap(
        proven.kind === 'inclusion'
          ? `Entry ${index} is in the ledger of ${proven.size} entries.`
          : `The ledger of ${proven.size} entries extends the ledger of ${index}.`,
        columns,
      ),
      fields(proofPairs(proven), columns),
    ].join(''),
  );
}

function proofPairs(proven: Proof) {
  const pairs: [string, string][] = [
    ['root', proven.root],
    ...(proven.leafHash === null ? [] : [['leaf hash', proven.leafHash] as [string, string]]),
    ...proven.proof.map((hash, at): [string, string] => [`proof ${String(at).padStart(2)}`, hash]),
  ];
  return pairs;
}
