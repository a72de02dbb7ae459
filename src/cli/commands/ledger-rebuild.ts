/**
 * `hone ledger rebuild`: makes the tables that come from the ledger anew beside the store, and says which rows
 * differ (exit 1); with `--write`, an operator puts the ledger's rows in their place. The ledger has to verify
 * first: what was altered must not be spread.
 */

import { type Opened, withLedger } from '../../app/context.ts';
import { operatorOf } from '../../app/operator-only.ts';
import type { Actor } from '../../facts/index.ts';
import {
  type Differences,
  isDifferent,
  type Look,
  OVERTAKEN,
  Replay,
  rebuildPlan,
} from '../../ledger/index.ts';
import { makeProjections } from '../../loop/index.ts';
import { recordedText } from '../../sanitise/index.ts';
import { controlMigrations, type Expectation, openSqlite } from '../../store/index.ts';
import type { Context } from '../context.ts';
import { type Io, present, refuse } from '../io.ts';
import { table, wrap } from '../layout.ts';
import { verifyOpened } from './ledger-verify.ts';

/** How often others may record something between our look and our commit. */
const TRIES_MAX = 5;

const TOO_BUSY =
  'Other processes record things faster than the tables can be compared. Stop them ("hone up"), and run it again.';

interface RebuildCommand {
  readonly write?: boolean;
  readonly reason: string;
}

export function ledgerRebuild(context: Context, options: RebuildCommand): Promise<number> {
  const { io } = context;
  const work = async (opened: Opened) => {
    const who = options.write === true ? await operatorOf(context, opened) : undefined;
    if (who !== undefined && 'refused' in who) return refuse(io, who.refused);
    const verified = await verifyOpened(context, opened);
    if (verified.problem !== null) {
      const why = `The ledger does not verify, so nothing is made from it. ${verified.problem.message}`;
      return refuse(io, `${why} ${verified.problem.advice}`);
    }
    const scratch = await openSqlite({
      path: ':memory:',
      synchronous: 'off',
      migrations: controlMigrations,
    });
    try {
      const replay = makeReplay(context, opened, scratch);
      if (who === undefined) return await compared(context, await replay.look());
      return await written({ context, opened, replay }, { ...who, reason: options.reason });
    } finally {
      await scratch.close();
    }
  };
  // What was accepted is one of these tables: without it nothing else opens.
  return withLedger(context, work, { evenLost: true });
}

function makeReplay(
  { io }: Context,
  { store, placePending }: Opened,
  scratch: Opened['store'],
): Replay {
  return new Replay({
    store,
    scratch,
    placePending,
    projections: makeProjections(),
    onProgress: (done, total) => io.progress(`Read ${done} of ${total} entries`),
  });
}

async function compared({ io }: Context, look: Look | undefined): Promise<number> {
  io.progressDone();
  if (look === undefined) return refuse(io, TOO_BUSY);
  const isEqual = !look.tables.some(isDifferent);
  present(io, shownOf(look, false), () =>
    isEqual
      ? equalText(look, io)
      : `${differencesText(look, io)}\n${wrap(NOTHING_CHANGED, io.columns)}`,
  );
  return isEqual ? 0 : 1;
}

const NOTHING_CHANGED =
  'Nothing was changed. "hone ledger rebuild --write" makes them what the ledger says.';

interface By {
  readonly actor: Actor;
  readonly unchanged: readonly Expectation[];
  readonly reason: string;
}

async function written(
  { context, opened, replay }: { context: Context; opened: Opened; replay: Replay },
  { actor, reason, unchanged }: By,
): Promise<number> {
  const { io } = context;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const look = await replay.look();
    io.progressDone();
    if (look === undefined) break;
    if (!look.tables.some(isDifferent)) {
      present(io, shownOf(look, false), () => equalText(look, io));
      return 0;
    }
    const plan = rebuildPlan(opened.store, look, {
      actor,
      reason: recordedText(reason),
      expect: unchanged,
    });
    const result = await opened.store.commit(plan);
    if (result.committed) return confirmed(context, look, await replay.look());
    if (result.refused.name !== OVERTAKEN) {
      return refuse(io, 'The tokens were changed at the same moment. Nothing was changed.');
    }
  }
  return refuse(io, `${TOO_BUSY} Nothing was changed.`);
}

/** Looks once more: what was written is what the ledger says now. */
function confirmed({ io }: Context, look: Look, after: Look | undefined): number {
  io.progressDone();
  const left = after?.tables.filter(isDifferent).map(({ shape }) => shape.table) ?? [];
  if (after === undefined || left.length > 0) {
    const which = left.length > 0 ? `: ${left.join(', ')}` : '';
    return refuse(
      io,
      `Rows were replaced, but not all are known to be what the ledger says${which}. Stop other processes ("hone up"), and run it again.`,
    );
  }
  present(
    io,
    shownOf(look, true),
    () => `${differencesText(look, io)}\nReplaced. Every table is what the ledger says.\n`,
  );
  return 0;
}

function shownOf({ size, tables }: Look, isWritten: boolean) {
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

function equalText({ size, tables }: Look, { columns }: Io): string {
  const what = `${tables.length} tables from ${size} entries`;
  return wrap(`Every table is what the ledger says: ${what}.`, columns);
}

function differencesText({ tables }: Look, { columns }: Io): string {
  const head = ['TABLE', 'ROWS', 'MISSING', 'ALTERED', 'EXTRA'];
  const rows = tables
    .filter(isDifferent)
    .map((one) => Object.values(countsOf(one)).map((value) => String(value)));
  return table({ head, rows }, columns);
}
