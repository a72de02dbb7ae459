/**
 * Changes to what judges changes: at most one a day, by the same days as invariant V10 (META-1). One that was rejected counts too:
 * the limit is on how fast the gates may move, and on what is asked about them. No mode of the gate `limits` lifts it.
 */
import { Leases } from '../lease/index.ts';
import { listProposals, readDossier } from '../proposal/index.ts';
import type { Expectation } from '../store/index.ts';
import type { Moment } from './moment.ts';

const DAY_MS = 86_400_000;

export interface OneMeta extends AsyncDisposable {
  /** Why not: a sentence without its end. */
  readonly refused: string | undefined;
  /** For the commit that makes the proposal: nobody else makes one meanwhile. */
  readonly expect: readonly Expectation[];
}

/** For any other change. */
export const NOTHING_HELD: OneMeta = {
  ...{ refused: undefined, expect: [] },
  async [Symbol.asyncDispose]() {},
};

export async function oneMeta({
  store,
  nowMs,
  newId,
  config,
}: Pick<Moment, 'store' | 'nowMs' | 'newId' | 'config'>): Promise<OneMeta> {
  const leases = new Leases(store);
  const got = await leases.acquire('loop/meta', newId('meta'), config.lease.ttl);
  if (!got.acquired)
    return { ...NOTHING_HELD, refused: 'Another change to what judges changes is made right now' };
  const { lease } = got;
  const today = await madeOn(Math.floor(nowMs / DAY_MS), store);
  const why = `${today} changes what judges changes and was made today: one a day is allowed, whatever becomes of it (META-1). Try again after midnight UTC`;
  return {
    refused: today === undefined ? undefined : why,
    expect: [lease.fence],
    [Symbol.asyncDispose]: () => leases.release(lease),
  };
}

async function madeOn(day: number, store: Moment['store']): Promise<string | undefined> {
  for (const { id, createdAtMs } of await listProposals(store, {
    limit: Number.MAX_SAFE_INTEGER,
  })) {
    if (Math.floor(createdAtMs / DAY_MS) !== day) continue;
    if ((await readDossier(store, id)).content.type === 'meta') return id;
  }
  return undefined;
}
