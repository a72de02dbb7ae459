/** `hone ledger rebuild`: compares the tables that come from the ledger with it, and repairs them. Exit 1 if any differ. */
import { rebuildTables } from '../../app/rebuild-tables.ts';
import type { RebuiltTables } from '../../contracts/ledger.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { table, wrap } from '../layout.ts';

export function ledgerRebuild(
  context: Context,
  options: { write?: boolean; reason: string },
): Promise<number> {
  return answer(
    context,
    rebuildTables(context, options),
    (result) => rebuildText(result, context.io.columns),
    ({ equal }) => (equal ? 0 : 1),
  );
}

function rebuildText(result: RebuiltTables, columns: number): string {
  const { written, equal, size, tables } = result;
  if (written) {
    return `${differences(result, columns)}\nReplaced. Every table matches the ledger now.\n`;
  }
  if (!equal) return `${differences(result, columns)}\n${wrap(NOTHING_CHANGED, columns)}`;
  const what = `${tables.length} tables from ${size} entries`;
  return wrap(`Every table matches the ledger: ${what}.`, columns);
}

const NOTHING_CHANGED =
  'Nothing was changed. "hone ledger rebuild --write" makes them match the ledger.';

function differences({ tables }: RebuiltTables, columns: number): string {
  const head = ['TABLE', 'ROWS', 'MISSING', 'ALTERED', 'EXTRA'];
  const rows = tables
    .filter(({ missing, altered, extra }) => missing + altered + extra > 0)
    .map((one) => [one.table, one.rows, one.missing, one.altered, one.extra].map(String));
  return table({ head, rows }, columns);
}
