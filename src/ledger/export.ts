/**
 * The ledger as lines for whoever checks it elsewhere: each entry's exact bytes, which are JSON without line
 * breaks. What somebody did to the database goes out marked, in its place, and never as more or fewer lines
 * than it is: `{"unreadable":{"index":7,"base64":"…"}}` for bytes that are not a line of JSON,
 * `{"missing":{"from":7,"to":9}}` for entries that are gone.
 */
import type { Row, Store } from '../store/index.ts';
import { LedgerView } from './ledger-view.ts';
import { bytesText, textOfBytes } from './stored-bytes.ts';

const PAGE_ROWS = 1000;

export interface ExportPage {
  readonly lines: string;
  /** How many entries these are. */
  readonly entries: number;
  /** Where entries cannot be read or are missing, each by its first index. */
  readonly damaged: readonly number[];
  /** Indexes below this were passed. */
  readonly done: number;
  readonly size: number;
}

/** The ledger as it is long when this begins. */
export async function* exportLedger(store: Store): AsyncGenerator<ExportPage> {
  const { parseBody } = await import('./entry-body.ts');
  const size = await new LedgerView(store).size();
  const sql = `SELECT idx, ${bytesText('body', store.engine)} AS body FROM ledger_entries
    WHERE idx BETWEEN ? AND ? ORDER BY idx LIMIT ${PAGE_ROWS}`;
  let done = 0;
  // By key: places may be missing, and any number of them.
  while (done < size) {
    const rows = await store.all(sql, [done, size - 1]);
    if (rows.length === 0) return;
    const page = new PageText(done, parseBody);
    for (const row of rows) page.add(row);
    done = page.next;
    const { lines, damaged } = page;
    yield { lines: lines.join(''), entries: rows.length, damaged, done, size };
  }
}

class PageText {
  readonly lines: string[] = [];
  readonly damaged: number[] = [];
  readonly #parse: (body: string) => unknown;
  next: number;

  constructor(next: number, parse: (body: string) => unknown) {
    this.next = next;
    this.#parse = parse;
  }

  add(row: Row): void {
    const index = row['idx'] as number;
    if (index > this.next) {
      this.damaged.push(this.next);
      this.lines.push(`${JSON.stringify({ missing: { from: this.next, to: index - 1 } })}\n`);
    }
    this.next = index + 1;
    const bytes = (row['body'] as Uint8Array | null) ?? new Uint8Array();
    const text = textOfBytes(bytes);
    if (text === undefined || !this.#isEntry(text)) this.damaged.push(index);
    this.lines.push(
      text !== undefined && isLine(text)
        ? `${text}\n`
        : `${JSON.stringify({ unreadable: { index, base64: Buffer.from(bytes).toString('base64') } })}\n`,
    );
  }

  #isEntry(text: string): boolean {
    try {
      this.#parse(text);
      return isLine(text);
    } catch {
      return false;
    }
  }
}

/** One line of JSON, such as an entry that a newer Hone wrote. */
function isLine(text: string): boolean {
  if (/[\r\n]/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
