/** `hone ledger export`: every entry's exact bytes, one per line, to standard output or to a new file. */
import { once } from 'node:events';
import { exportLedger, exportLedgerTo } from '../../app/export-ledger.ts';
import { isRefusal } from '../../app/refusal.ts';
import type { ExportedLedger } from '../../contracts/ledger.ts';
import type { Context } from '../context.ts';
import { type Io, jsonLine, plainLine, refuse } from '../io.ts';
import { wrap } from '../layout.ts';

export async function ledgerExport(
  context: Context,
  { output }: { output?: string },
): Promise<number> {
  const { io } = context;
  if (output === undefined) return sayDamage(io, await exportLedger(context, toStandardOutput));
  const written = await exportLedgerTo(context, output);
  io.progressDone();
  if (isRefusal(written)) return refuse(io, written);
  if (io.json) io.out(jsonLine(written));
  else {
    const wrote = `Wrote ${written.entries} entries to ${plainLine(output)}.`;
    io.err(wrap(wrote, io.errorColumns));
  }
  return sayDamage(io, written);
}

function sayDamage(
  io: Io,
  { damaged, firstDamaged }: Pick<ExportedLedger, 'damaged' | 'firstDamaged'>,
): number {
  io.progressDone();
  if (damaged === 0) return 0;
  if (!io.json) {
    const which = damaged === 1 ? 'is' : `and ${damaged - 1} more are`;
    const what = `Entry ${firstDamaged} ${which} damaged or missing.`;
    io.err(wrap(`hone: ${what} "hone ledger verify" says more.`, io.errorColumns));
  }
  return 1;
}

async function toStandardOutput(lines: string): Promise<void> {
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
}
