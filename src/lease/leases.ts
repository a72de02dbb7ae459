/**
 * Exclusive work. A lease is held until it is released or its time runs out; every acquisition gets
 * a larger token, and whoever writes under a lease puts its `fence` into the plan's expectations, so
 * that a holder who was overtaken (paused, cut off, slow) is refused inside the transaction.
 *
 *   free ──acquire──► held ──renew──► held
 *    ▲                 ├──release──► free
 *    └──time runs out──┘   the next acquire takes it with token + 1
 *
 * Times are compared by the store's one clock (`store.nowMs`), never by two.
 */
import { assert, CLOCK_SLACK_MS } from '../base/index.ts';
import type { Expectation, Row, Store, Write } from '../store/index.ts';
import { runningClaims } from './claims.ts';

export interface Lease {
  readonly name: string;
  readonly token: number;
  readonly holder: string;
  readonly expiresAtMs: number;
  /** Put this into `expect` of every plan written under the lease. */
  readonly fence: Expectation;
}

export type Acquired =
  | { readonly acquired: true; readonly lease: Lease }
  | { readonly acquired: false; readonly holder: string | null; readonly expiresAtMs: number };

export interface LeaseState {
  readonly name: string;
  readonly token: number;
  readonly holder: string | null;
  readonly expiresAtMs: number;
  /** How often it was refused because another held it. */
  readonly contended: number;
}

/** What was read at one time, by the store's clock. */
export interface LeaseLook {
  readonly nowMs: number;
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

/** Parts of a plan. */
export interface HandOver {
  readonly expect: readonly Expectation[];
  readonly writes: readonly Write[];
}

export const TABLE = 'lease_leases';
/** Not a lease for work: new names begin after its token. A restore raises it (`raise-fences.ts`). */
export const FLOOR = '*';
const FREE = { holder: null, expires_at_ms: 0 } as const;
const READ = `SELECT name, token, holder, expires_at_ms, ttl_ms, contended FROM ${TABLE}`;

/** More names than are in use. */
const KNOWN_MAX = 1000;

export class Leases {
  readonly #store: Store;
  /** Tokens of the leases that this holder released last: most are taken again by the same holder. */
  readonly #givenBack = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  acquire(name: string, holder: string, ttlMs: number): Promise<Acquired> {
    return this.#take(name, holder, { ttlMs, alsoOwn: false });
  }

  /**
   * The same, but also takes over what `holder` itself left behind, under a new token. For holders that are
   * unique by other means.
   */
  reacquire(name: string, holder: string, ttlMs: number): Promise<Acquired> {
    return this.#take(name, holder, { ttlMs, alsoOwn: true });
  }

  async #take(
    name: string,
    holder: string,
    { ttlMs, alsoOwn }: { ttlMs: number; alsoOwn: boolean },
  ): Promise<Acquired> {
    const again = await this.#takeAgain(name, holder, ttlMs);
    if (again !== undefined) return again;
    const [nowMs, rows] = await Promise.all([
      this.#store.nowMs(),
      this.#store.all(`${READ} WHERE name IN (?, '${FLOOR}')`, [name]),
    ]);
    const expiresAtMs = nowMs + ttlMs;
    const row = rows.find((one) => one['name'] === name);
    if (row === undefined) {
      const token = 1 + ((rows[0]?.['token'] as number | undefined) ?? 0);
      const result = await this.#store.commit({
        expect: [{ table: TABLE, where: { name }, exists: false }],
        writes: [
          {
            insert: TABLE,
            row: { name, token, holder, ...lasts(expiresAtMs, ttlMs), contended: 0 },
          },
        ],
      });
      return result.committed ? won(name, token, holder, expiresAtMs) : this.#lost(name);
    }
    const state = leaseState(row);
    const isFree = state.holder === null || !isRunning(row, nowMs);
    if (!isFree && !(alsoOwn && state.holder === holder)) return this.#lost(name);
    const token = state.token + 1;
    // A renewal in between moves the time, and so refuses this take-over.
    const where = {
      name,
      token: state.token,
      holder: state.holder,
      expires_at_ms: state.expiresAtMs,
    };
    const result = await this.#store.commit({
      expect: [{ table: TABLE, where }],
      writes: [{ update: TABLE, where, set: { token, holder, ...lasts(expiresAtMs, ttlMs) } }],
    });
    return result.committed ? won(name, token, holder, expiresAtMs) : this.#lost(name);
  }

  /** Without reading first, if nobody has had it since we released it; the commit finds out. */
  async #takeAgain(name: string, holder: string, ttlMs: number): Promise<Acquired | undefined> {
    const last = this.#givenBack.get(name);
    if (last === undefined) return undefined;
    this.#givenBack.delete(name);
    const expiresAtMs = (await this.#store.nowMs()) + ttlMs;
    const where = { name, token: last, ...FREE };
    const token = last + 1;
    const { committed } = await this.#store.commit({
      expect: [{ table: TABLE, where }],
      writes: [{ update: TABLE, where, set: { token, holder, ...lasts(expiresAtMs, ttlMs) } }],
    });
    return committed ? won(name, token, holder, expiresAtMs) : undefined;
  }

  /** A longer lease under the same token, or `undefined` if somebody else has it. */
  async renew(lease: Lease, ttlMs: number): Promise<Lease | undefined> {
    const expiresAtMs = (await this.#store.nowMs()) + ttlMs;
    const result = await this.#store.commit({
      expect: [lease.fence],
      writes: [{ update: TABLE, where: lease.fence.where, set: lasts(expiresAtMs, ttlMs) }],
    });
    return result.committed ? { ...lease, expiresAtMs } : undefined;
  }

  /** Releases it early. A lease that somebody else has taken is not released. */
  async release(lease: Lease): Promise<void> {
    const plan = { expect: [lease.fence], writes: [releaseWrite(lease)] };
    const { committed } = await this.#store.commit(plan);
    if (!committed) return;
    if (this.#givenBack.size >= KNOWN_MAX) this.#givenBack.clear();
    this.#givenBack.set(lease.name, lease.token);
  }

  /** Leases as they stand, for what is decided about several at one time. */
  async look(names: readonly string[]): Promise<LeaseLook> {
    const marks = names.map(() => '?').join(', ');
    const [nowMs, rows] = await Promise.all([
      this.#store.nowMs(),
      this.#store.all(`${READ} WHERE name IN (${marks}, '${FLOOR}')`, names),
    ]);
    return { nowMs, names, rows };
  }

  async list(): Promise<LeaseState[]> {
    const sql = `${READ} WHERE name <> '${FLOOR}' ORDER BY name`;
    return (await this.#store.all(sql)).map(leaseState);
  }

  /** Leases and claimed rows that are held now, according to the clock. */
  async running(): Promise<Pick<LeaseState, 'name' | 'holder'>[]> {
    const [nowMs, rows] = await Promise.all([this.#store.nowMs(), this.#store.all(READ)]);
    const held = rows.filter((row) => row['holder'] !== null && isRunning(row, nowMs));
    const claims = await runningClaims(this.#store, nowMs);
    return [
      ...held.map(leaseState),
      ...claims.map(({ table, id, holder }) => ({ name: `${table}/${id}`, holder })),
    ];
  }

  async #lost(name: string): Promise<Acquired> {
    await this.#store.commit({
      writes: [{ update: TABLE, where: { name }, set: { contended: { add: 1 } } }],
    });
    const [row] = await this.#store.all(`${READ} WHERE name = ?`, [name]);
    const { holder, expiresAtMs } = leaseState(row!);
    return { acquired: false, holder, expiresAtMs };
  }
}

/** The lease of that name, if `holder` has it and its time has not run out. */
export function heldBy(look: LeaseLook, name: string, holder: string): Lease | undefined {
  const row = rowIn(look, name);
  if (row === undefined || row['holder'] !== holder || !isRunning(row, look.nowMs))
    return undefined;
  return leaseOf(leaseState(row), holder);
}

/**
 * From one piece of work to the next, in the commit that ends the first: parts of a plan that release `from` and take
 * `name` for the same holder. Undefined if another one holds it.
 */
export function planHandOver(
  look: LeaseLook,
  { from, name, ttlMs }: { readonly from: Lease; readonly name: string; readonly ttlMs: number },
): HandOver | undefined {
  const { nowMs } = look;
  const { holder } = from;
  const release = releaseWrite(from);
  const until = lasts(nowMs + ttlMs, ttlMs);
  const row = rowIn(look, name);
  if (row === undefined) {
    const token = 1 + ((rowIn(look, FLOOR)?.['token'] as number | undefined) ?? 0);
    return {
      expect: [from.fence, { table: TABLE, where: { name }, exists: false }],
      writes: [release, { insert: TABLE, row: { name, token, holder, ...until, contended: 0 } }],
    };
  }
  const state = leaseState(row);
  if (state.holder !== null && state.holder !== holder && isRunning(row, nowMs)) return undefined;
  const where = { name, token: state.token, holder: state.holder };
  const set = { token: state.token + 1, holder, ...until };
  return {
    expect: [from.fence, { table: TABLE, where }],
    writes: [release, { update: TABLE, where, set }],
  };
}

function rowIn({ names, rows }: LeaseLook, name: string): Row | undefined {
  assert(name === FLOOR || names.includes(name), `nobody looked at the lease ${name}`);
  return rows.find((row) => row['name'] === name);
}

const lasts = (expiresAtMs: number, ttlMs: number) => ({
  expires_at_ms: expiresAtMs,
  ttl_ms: ttlMs,
});

/**
 * One that ends later than its own length from now was taken while the clock was ahead, and would be held until
 * that date comes. If its holder is still alive, the fence refuses it.
 */
function isRunning(row: Row, nowMs: number): boolean {
  const leftMs = (row['expires_at_ms'] as number) - nowMs;
  return leftMs > 0 && leftMs <= (row['ttl_ms'] as number) + CLOCK_SLACK_MS;
}

/** Releases it in the commit that it was taken for; its fence belongs in the same plan. */
export function releaseWrite({ fence }: Lease): Write {
  return { update: TABLE, where: fence.where, set: FREE };
}

function won(name: string, token: number, holder: string, expiresAtMs: number): Acquired {
  return { acquired: true, lease: leaseOf({ name, token, expiresAtMs }, holder) };
}

function leaseOf(
  { name, token, expiresAtMs }: Pick<LeaseState, 'name' | 'token' | 'expiresAtMs'>,
  holder: string,
): Lease {
  const fence: Expectation = { table: TABLE, where: { name, token, holder }, name: 'lease' };
  return { name, token, holder, expiresAtMs, fence };
}

function leaseState(row: Row): LeaseState {
  return {
    name: row['name'] as string,
    token: row['token'] as number,
    holder: row['holder'] as string | null,
    expiresAtMs: row['expires_at_ms'] as number,
    contended: row['contended'] as number,
  };
}
