/**
 * Every entry's exact bytes, one per line: what an auditor hashes. A file is written beside its name and gets it
 * when it is complete; an existing file is never replaced.
 */
import type { ExportedLedger } from '../contracts/ledger.ts';
import { whatIsInTheWay, writeNewFile } from '../home/index.ts';
import { exportLedger as pages } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';
import { type AppContext, withLedger } from './context.ts';
import { type Refusal, usage } from './refusal.ts';

type Exported = Omit<ExportedLedger, 'output'>;
type WriteLines = (lines: string) => Promise<void>;

export function exportLedger(context: AppContext, write: WriteLines): Promise<Exported> {
  return withLedger(context, ({ store }) => exported(context, store, write));
}

export async function exportLedgerTo(
  context: AppContext,
  output: string,
): Promise<ExportedLedger | Refusal> {
  // Before the ledger is read, which may take a while.
  const inTheWay = await whatIsInTheWay(output);
  if (inTheWay !== undefined) return usage(inTheWay);
  return withLedger(context, async ({ store }): Promise<ExportedLedger | Refusal> => {
    const work = (write: WriteLines) => exported(context, store, write);
    const written = await writeNewFile({ path: output, work });
    return 'refused' in written ? usage(written.refused) : { output, ...written };
  });
}

async function exported(context: AppContext, store: Store, write: WriteLines): Promise<Exported> {
  let [entries, damaged] = [0, 0];
  let firstDamaged: number | null = null;
  for await (const page of pages(store)) {
    await write(page.lines);
    entries += page.entries;
    damaged += page.damaged.length;
    firstDamaged ??= page.damaged[0] ?? null;
    context.progress(`Exported ${page.done} of ${page.size}`);
  }
  return { entries, damaged, firstDamaged };
}
