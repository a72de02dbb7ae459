/** `hone ledger show|checkpoint|prove|export`; `verify` has a file of its own. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import {
  formatVerifier,
  hashLeaf,
  LedgerView,
  makeCheckpoint,
  type PlacedEntry,
} from '../../ledger/index.ts';
import { type Context, withLedger } from '../context.ts';
import { type Io, present } from '../io.ts';
import { ledgerKey } from '../ledger-key.ts';
import { shown } from '../shown.ts';

const EXPORT_ROWS = 1000;
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

export function ledgerShow(
  context: Context,
  options: { subject?: string; from?: number; limit: number },
): Promise<number> {
  return withLedger(context, async ({ store }) => {
    const view = new LedgerView(store);
    const newestFirst = options.from === undefined;
    const found = await view.entries({ ...options, newestFirst });
    if (newestFirst) found.reverse();
    const size = await view.size();
    const entries = found.map(({ index, entry }) => {
      const { v: _, ...rest } = entry;
      return { index, ...rest };
    });
    present(context.io, { size, entries }, () =>
      found.length === 0
        ? 'No entries.\n'
        : found.map((one) => entryText(one, context.io, options.subject)).join('') +
          (found.length < size ? `${found.length} of ${size} entries; --limit shows more.\n` : ''),
    );
    return 0;
  });
}

/** What people look for comes first, what only machines read last: a line is cut at 80 columns. */
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
  const line = `        ${shown(`${about}by ${who}  ${details}`)}`;
  return `${head}${io.style('bold', entry.type)}\n${line.length > 80 ? `${line.slice(0, 79)}…` : line}\n`;
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
    const root = base64(await view.rootAt(size));
    const result = options.consistency
      ? {
          kind: 'consistency',
          index: null,
          size1: index,
          size,
          root,
          leafHash: null,
          proof: (await view.proveConsistency(index, size)).map(base64),
        }
      : {
          kind: 'inclusion',
          index,
          size1: null,
          size,
          root,
          proof: (await view.proveInclusion(index, size)).map(base64),
          leafHash: base64(hashLeaf((await view.entry(index)).body)),
        };
    present(context.io, result, (shown) =>
      [
        shown.kind === 'inclusion'
          ? `Entry ${index} stands in the ledger of ${size} entries.\n`
          : `The ledger of ${index} entries is the beginning of that of ${size}.\n`,
        `root       ${shown.root}\n`,
        shown.leafHash === null ? '' : `leaf hash  ${shown.leafHash}\n`,
        ...shown.proof.map((hash, at) => `proof ${String(at).padStart(2)}   ${hash}\n`),
      ].join(''),
    );
    return 0;
  });
}

/** Every entry's exact bytes, one per line: what an auditor hashes. */
export function ledgerExport(context: Context, options: { output?: string }): Promise<number> {
  return withLedger(context, async ({ store }) => {
    const out =
      options.output === undefined
        ? process.stdout
        : createWriteStream(options.output, { flags: 'wx', mode: 0o600 });
    const view = new LedgerView(store);
    const size = await view.size();
    for (let from = 0; from < size; from += EXPORT_ROWS) {
      const entries = await view.entries({ from, limit: Math.min(EXPORT_ROWS, size - from) });
      const text = entries.map(({ body }) => `${body}\n`).join('');
      if (!out.write(text)) await once(out, 'drain');
      context.io.progress(`Exported ${from + entries.length} of ${size}`);
    }
    context.io.progressDone();
    if (options.output !== undefined) {
      out.end();
      await once(out, 'finish');
      context.io.err(`Wrote ${size} entries to ${options.output}.\n`);
    }
    return 0;
  });
}
