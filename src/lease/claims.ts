/**
 * A row that is claimed is its own lease: `store.claim` finds it and takes it in one statement, and it carries who
 * holds it, under which token, and until when.
 *
 *   ready_at_ms = due_at_ms, no holder ──claim──► ready_at_ms = end of the claim, holder, token + 1
 *              ▲                                     ├── renewed: a later end, the same token
 *              ├── released, or changed by its holder ┘
 *              └── the end has come: claimed by the next, with token + 1
 *
 * Whoever changes such a row from outside leaves `ready_at_ms` alone while somebody holds it: two must not work on
 * one row at once. The holder's release then makes it ready at the due time that was written in the meantime.
 */
import { CLOCK_SLACK_MS } from '../base/index.ts';
import {
  CLAIMED_TABLES,
  type Expectation,
  type Row,
  type Store,
  type Write,
} from '../store/index.ts';

export interface RowClaim {
  readonly table: (typeof CLAIMED_TABLES)[number];
  readonly id: string;
  readonly token: number;
  readonly holder: string;
}

/** What a claim writes into the row. Its time reveals a claim made while the clock was ahead. */
export function claimChange({
  holder,
  nowMs,
  ttlMs,
}: {
  holder: string;
  nowMs: number;
  ttlMs: number;
}) {
  return { token: { add: 1 }, holder, ready_at_ms: nowMs + ttlMs, changed_at_ms: nowMs } as const;
}

const fenceOf = ({ table, id, token, holder }: RowClaim): Expectation => ({
  table,
  where: { id, token, holder },
  name: 'claim',
});

/** False if somebody else has it. */
export async function renewClaim(store: Store, claim: RowClaim, ttlMs: number): Promise<boolean> {
  const nowMs = await store.nowMs();
  const fence = fenceOf(claim);
  const set = { ready_at_ms: nowMs + ttlMs, changed_at_ms: nowMs };
  const writes = [{ update: claim.table, where: fence.where, set }];
  return (await store.commit({ expect: [fence], writes })).committed;
}

/** Somebody else may change the row's due time at the same moment; each time it is read again. */
const RELEASES_MAX = 5;

/** Releases the row unchanged. A claim that somebody else has taken over is not released. */
export async function releaseClaim(store: Store, claim: RowClaim): Promise<void> {
  const { table } = claim;
  for (let tries = 1; tries <= RELEASES_MAX; tries++) {
    const { where } = fenceOf(claim);
    const [row] = await store.all(
      `SELECT due_at_ms FROM ${table} WHERE id = ? AND token = ? AND holder = ?`,
      [claim.id, claim.token, claim.holder],
    );
    if (row === undefined) return;
    const due = row['due_at_ms']!;
    const match = { ...where, due_at_ms: due };
    const set = { holder: null, ready_at_ms: due };
    const writes = [{ update: table, where: match, set }];
    if ((await store.commit({ expect: [{ table, where: match }], writes })).committed) return;
  }
}

/** Rows that are held now, according to the clock. */
export async function runningClaims(store: Store, nowMs: number): Promise<RowClaim[]> {
  const rows = await Promise.all(
    CLAIMED_TABLES.map(async (table) => {
      const held = await store.all(
        `SELECT id, token, holder FROM ${table}
         WHERE holder IS NOT NULL AND ready_at_ms > ? AND changed_at_ms <= ? ORDER BY id`,
        [nowMs, nowMs + CLOCK_SLACK_MS],
      );
      return held.map((row) => claimOf(table, row));
    }),
  );
  return rows.flat();
}

/** Cancels every claim and raises every token by `step`, the highest first, so that none rises twice. */
export async function raisedClaims(store: Store, step: number): Promise<Write[]> {
  const writes: Write[] = [];
  for (const table of CLAIMED_TABLES) {
    const held = await store.all(`SELECT id, due_at_ms FROM ${table} WHERE holder IS NOT NULL`);
    for (const { id, due_at_ms: due } of held) {
      writes.push({ update: table, where: { id: id! }, set: { holder: null, ready_at_ms: due! } });
    }
    const tokens = await store.all(`SELECT DISTINCT token FROM ${table} ORDER BY token DESC`);
    for (const { token } of tokens) {
      writes.push({ update: table, where: { token: token! }, set: { token: { add: step } } });
    }
  }
  return writes;
}

function claimOf(table: RowClaim['table'], row: Row): RowClaim {
  return {
    table,
    id: row['id'] as string,
    token: row['token'] as number,
    holder: row['holder'] as string,
  };
}
