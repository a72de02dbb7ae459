/**
 * `hone ledger export`: every entry's exact bytes, one per line: what an auditor hashes. A file is written
 * beside its name and gets it when it is whole; one that is there already is never replaced.
 */
import { once } from 'node:events';
import { withLedger } from '../../app/context.ts';
import { whatIsInTheWay, writeNewFile } from '../../home/index.ts';
import { exportLedger } from '../../ledger/index.ts';
import type { Store } from '../../store/index.ts';
import type { Context } from '../context.ts';
import { type Io, jsonLine, plainLine, refuse } from '../io.ts';
import { wrap } from '../layout.ts';

export async function ledgerExport(
  context: Context,
  { output }: { output?: string },
): Promise<number> {
  const { io } = context;
  // Before the ledger is read, which may take a while.
  const inTheWay = output === undefined ? undefined : await whatIsInTheWay(output);
  if (inTheWay !== undefined) return refuse(io, inTheWay, 2);
  return withLedger(context, async ({ store }) => {
    if (output === undefined) return sayDamage(io, await exported(store, io, toStandardOutput));
    const written = await writeNewFile({
      path: output,
      work: (write) => exported(store, io, write),
    });
    if ('refused' in written) return refuse(io, written.refused, 2);
    if (io.json) io.out(jsonLine({ output, ...written }));
    else {
      const wrote = `Wrote ${written.entries} entries to ${plainLine(output)}.`;
      io.err(wrap(wrote, io.errorColumns));
    }
    return sayDamage(io, written);
  });
}

interface Exported {
  readonly entries: number;
  readonly damaged: number;
  readonly firstDamaged: number | null;
}

type WriteLines = (lines: string) => Promise<void>;

async function exported(store: Store, io: Io, write: WriteLines): Promise<Exported> {
  let [entries, damaged] = [0, 0];
  let firstDamaged: number | null = null;
  for await (const page of exportLedger(store)) {
    await write(page.lines);
    entries += page.entries;
    damaged += page.damaged.length;
    firstDamaged ??= page.damaged[0] ?? null;
    io.progress(`Exported ${page.done} of ${page.size}`);
  }
  io.progressDone();
  return { entries, damaged, firstDamaged };
}

function sayDamage(io: Io, { damaged, firstDamaged }: Exported): number {
  if (damaged === 0) return 0;
  if (!io.json) {
    const which = damaged === 1 ? 'is' : `and ${damaged - 1} more are`;
    const what = `Entry ${firstDamaged} ${which} not as Hone writes them, or missing.`;
    io.err(wrap(`hone: ${what} "hone ledger verify" says more.`, io.errorColumns));
  }
  return 1;
}

async function toStandardOutput(lines: string): Promise<void> {
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
}
