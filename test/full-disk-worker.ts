/**
 * A process of its own on a small file system of its own: fills it, and says what became of the store.
 *
 *   node test/full-disk-worker.ts <folder>
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorStatus } from '../src/contracts/error-table.ts';
import { entryWriter, verifyLedger } from '../src/ledger/index.ts';
import { effectWriter } from '../src/outbox/index.ts';
import { controlMigrations, openSqlite, StoreError } from '../src/store/index.ts';
import { writeThrough, written } from './full-disk.ts';

const [folder = ''] = process.argv.slice(2);
const filler = join(folder, 'filler');
const store = await openSqlite({
  path: join(folder, 'control.db'),
  synchronous: 'full',
  migrations: controlMigrations,
  parts: { entries: entryWriter, effects: effectWriter },
});
const { acknowledged, refused } = await writeThrough(store, {
  fill: () => {
    // Byte by byte at the end: until nothing at all is left.
    for (const size of [4096, 1]) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
      } catch {}
    }
  },
  free: () => rmSync(filler),
});
const faults = refused.map((error) => {
  if (!(error instanceof StoreError)) return String(error);
  const { code, message, hint } = error;
  return { code, message, hint, exit: errorStatus(error).exit };
});
const { ok } = await verifyLedger(store, { known: [] });
process.stdout.write(
  JSON.stringify({ acknowledged, faults, written: await written(store), verified: ok }),
);
await store.close();
