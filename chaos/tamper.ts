/**
 * Somebody with access to the files changes them past every guard. Every byte of a small ledger, of
 * its checkpoints and of its witness is changed once, by a random mask, and verification must find it
 * and name the entry or note that holds the byte. Then whole parts are cut off, rewritten and forked so
 * that they fit in themselves again, against the stored checkpoints, and against the witness with the
 * stored checkpoints gone. The control verifies without comparing hashes, and without checkpoints.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../src/base/index.ts';
import { verifyLedger } from '../src/ledger/index.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { inMemoryFolder } from './parts/folder.ts';
import { CRIMES, type Crime, commitCrime } from './parts/ledger-crimes.ts';
import {
  anyMask,
  breakIn,
  CHECKPOINTS,
  fill,
  type Ledger,
  openLedger,
  positions,
  SIZE,
  type Verify,
  verify,
} from './parts/tampered-ledger.ts';

interface ByteTotals {
  positions: number;
  undetected: number;
  misnamed: number;
}

export const measurement: Measurement = {
  what: 'changes to the ledger’s files are found, and the first bad entry is named',
  aims: {
    undetected: '<=0',
    misnamed: '<=0',
    structural_undetected: '<=0',
    positions: '>=20000',
    control_caught: '>=1',
  },
  run: (context) => run(context),
};

async function* run(context: Context) {
  const totals = await inMemoryFolder(async (folder) => {
    const ledger = await openLedger(folder);
    await fill(ledger);
    const said = await verify(ledger);
    if (said !== 'ok') throw new Error(`the untouched ledger does not verify: ${said}`);
    const structural = await structures(ledger, folder, context);
    const bytes = await changeBytes(ledger, context, verify, 1);
    const quiet = { ...context, progress: () => {} };
    const blind = await changeBytes(ledger, quiet, verifyBlindly, 50);
    await ledger.store.close();
    return { structural, bytes, blind };
  });
  const { structural, bytes, blind } = totals;
  yield { metric: 'undetected', value: bytes.undetected };
  yield { metric: 'misnamed', value: bytes.misnamed + structural.misnamed };
  yield { metric: 'structural_undetected', value: structural.undetected };
  yield { metric: 'positions', value: bytes.positions };
  yield { metric: 'structures', value: structural.tried };
  const caught = blind.undetected > 0 && structural.unwitnessed > 0;
  const note = `${blind.undetected} of ${blind.positions} without hashes, ${structural.unwitnessed} without checkpoints`;
  yield { metric: 'control_caught', value: caught ? 1 : 0, note };
}

/** Changes one byte after the other; `stride` thins them out for the control. */
async function changeBytes(
  ledger: Ledger,
  context: Context,
  look: Verify,
  stride: number,
): Promise<ByteTotals> {
  const random = seededRandom(context.seed);
  const totals = { positions: 0, undetected: 0, misnamed: 0 };
  const database = breakIn(ledger.path);
  const every = Math.round(stride / context.scale);
  let at = 0;
  for (const position of positions(ledger, database)) {
    if (at++ % every !== 0) continue;
    const changed = changeStorably(() => position.change(anyMask(random)));
    totals.positions += 1;
    const said = await look(ledger);
    changed.undo();
    if (said === 'ok') totals.undetected += 1;
    else if (said !== changed.expected) {
      totals.misnamed += 1;
      context.progress(`${position.field}: said "${said}", expected "${changed.expected}"`);
    }
    if (totals.positions % 5000 === 0) context.progress(`${totals.positions} bytes changed`);
  }
  const said = await verify(ledger);
  if (said !== 'ok') throw new Error(`a change was not undone: ${said}`);
  database.close();
  return totals;
}

function changeStorably<T>(change: () => T | undefined): T {
  for (;;) {
    const changed = change();
    if (changed !== undefined) return changed;
  }
}

/** What reading alone finds: no hash is compared. */
const verifyBlindly: Verify = async ({ store }) => {
  try {
    const rows = await store.all('SELECT idx, subject, body FROM ledger_entries ORDER BY idx');
    for (const row of rows) JSON.parse(row['body'] as string);
    return rows.length === SIZE ? 'ok' : 'another size';
  } catch {
    return 'unreadable';
  }
};

/** Each crime at each entry, on a copy, told apart by what the criminal could not reach. */
async function structures(ledger: Ledger, folder: string, context: Context) {
  const totals = { tried: 0, undetected: 0, misnamed: 0, unwitnessed: 0 };
  const every = Math.max(1, Math.round(0.5 / context.scale));
  const pristine = join(folder, 'pristine.db');
  const original = breakIn(ledger.path);
  original.exec(`VACUUM INTO '${pristine}'`);
  original.close();
  for (const crime of CRIMES)
    for (let from = 1; from < SIZE; from += every)
      for (const known of ['checkpoints', 'witness'] as const) {
        const said = await tryCrime(crime, from, known, { ledger, folder, pristine });
        totals.tried += 1;
        if (said.verdict === 'ok') totals.undetected += 1;
        else if (said.verdict !== expectedOf(crime, from)) {
          totals.misnamed += 1;
          context.progress(`${crime} at ${from}, ${known}: "${said.verdict}"`);
        }
        if (said.alone === 'ok') totals.unwitnessed += 1;
      }
  return totals;
}

/** A rewriting is known to lie behind the last checkpoint that still fits. */
function expectedOf(crime: Crime, from: number): string {
  const covered = CHECKPOINTS.findLast((size) => size <= from) ?? 0;
  return crime === 'truncation' ? `truncated ${from}` : `rewritten ${covered}`;
}

async function tryCrime(
  crime: Crime,
  from: number,
  known: 'checkpoints' | 'witness',
  { ledger, folder, pristine }: { ledger: Ledger; folder: string; pristine: string },
): Promise<{ verdict: string; alone: string }> {
  const place = join(folder, `${crime}-${from}-${known}`);
  mkdirSync(place);
  copyFileSync(pristine, join(place, 'control.db'));
  const intruder = breakIn(join(place, 'control.db'));
  commitCrime(crime, from, intruder);
  if (known === 'witness') intruder.exec('DELETE FROM ledger_checkpoints');
  intruder.close();
  const copy = await openLedger(place);
  const seen = known === 'witness' ? { ...copy, witness: ledger.witness } : copy;
  const verdict = await verify(seen);
  const alone = await verifyLedger(copy.store, { known: [] });
  await copy.store.close();
  return { verdict, alone: alone.ok ? 'ok' : 'found' };
}
