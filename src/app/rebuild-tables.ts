/**
 * Rebuilds the tables that come from the ledger beside the store, and says which rows differ; an operator can
 * replace them. The ledger has to verify first, so that alterations do not spread.
 */
import type { RebuiltTables } from '../contracts/ledger.ts';
import {
  type Differences,
  isDifferent,
  type Look,
  OVERTAKEN,
  Replay,
  rebuildPlan,
} from '../ledger/index.ts';
import { makeProjections } from '../loop/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { controlMigrations, openSqlite } from '../store/index.ts';
import { type Allowed, authorise } from './authorise.ts';
import { type AppContext, type Opened, withLedger } from './context.ts';
import type { Refusal } from './refusal.ts';
import { verifyOpened } from './verify-ledger.ts';

/** How often others may record something between our look and our commit. */
const TRIES_MAX = 5;

const TOO_BUSY =
  'Other processes record things faster than the tables can be compared. Stop them ("hone up"), and run it again.';

type Answer = Promise<RebuiltTables | Refusal>;

export function rebuildTables(
  context: AppContext,
  { write = false, reason }: { readonly write?: boolean; readonly reason: string },
): Answer {
  const work = async (opened: Opened): Answer => {
    const who = write ? await authorise(context, opened, { action: 'rebuild' }) : undefined;
    if (who !== undefined && 'refused' in who) return who;
    const { problem } = await verifyOpened(context, opened);
    if (problem !== null) {
      const why = `The ledger does not verify, so the tables cannot be rebuilt from it. ${problem.message}`;
      return { refused: `${why} ${problem.advice}` };
    }
    const scratch = await openSqlite({
      path: ':memory:',
      synchronous: 'off',
      migrations: controlMigrations,
    });
    try {
      const replay = new Replay({
        store: opened.store,
        scratch,
        placePending: () => opened.placePending(),
        projections: makeProjections(),
        onProgress: (done, total) => context.progress(`Read ${done} of ${total} entries`),
      });
      if (who !== undefined) return await written(opened, replay, { ...who, reason });
      const look = await replay.look();
      return look === undefined ? { refused: TOO_BUSY } : counted(look, false);
    } finally {
      await scratch.close();
    }
  };
  // What was accepted is one of these tables: without it nothing else opens.
  return withLedger(context, work, { evenLost: true });
}

async function written(
  { store }: Opened,
  replay: Replay,
  { actor, reason, unchanged }: Allowed & { readonly reason: string },
): Answer {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const look = await replay.look();
    if (look === undefined) break;
    if (!look.tables.some(isDifferent)) return counted(look, false);
    const plan = rebuildPlan(store, look, {
      actor,
      reason: recordedText(reason),
      expect: unchanged,
    });
    const result = await store.commit(plan);
    if (result.committed) return confirmed(look, await replay.look());
    if (result.refused.name !== OVERTAKEN) {
      return { refused: 'The tokens were changed at the same moment. Nothing was changed.' };
    }
  }
  return { refused: `${TOO_BUSY} Nothing was changed.` };
}

/** Compares again: the written rows must match the ledger now. */
function confirmed(look: Look, after: Look | undefined): RebuiltTables | Refusal {
  const left = after?.tables.filter(isDifferent).map(({ shape }) => shape.table) ?? [];
  if (after !== undefined && left.length === 0) return counted(look, true);
  const which = left.length > 0 ? `: ${left.join(', ')}` : '';
  return {
    refused: `Rows were replaced, but some may still differ from the ledger${which}. Stop other processes ("hone up"), and run it again.`,
  };
}

function counted({ size, tables }: Look, isWritten: boolean): RebuiltTables {
  return {
    written: isWritten,
    equal: isWritten || !tables.some(isDifferent),
    size,
    tables: tables.map(countsOf),
  };
}

function countsOf({ shape, rows, missing, altered, extra }: Differences) {
  return {
    table: shape.table,
    rows,
    missing: missing.length,
    altered: altered.length,
    extra: extra.length,
  };
}
