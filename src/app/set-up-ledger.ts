/** A store's ledger, begun by `hone init` or joined. */
import type { Random } from '../base/index.ts';
import type { Actor } from '../facts/index.ts';
import { dropKey, type Home, hasKey, newOrigin, readOrMakeKey } from '../home/index.ts';
import { planFirstToken } from '../identity/index.ts';
import {
  formatVerifier,
  keysToJoin,
  parseVerifier,
  planKey,
  recordedKeys,
} from '../ledger/index.ts';
import type { Plan, Store } from '../store/index.ts';
import { ledgerKey } from './ledger-key.ts';

const FIRST_NAME = 'operator';

export interface LedgerSetUp {
  /** This call began it, or gave it a key. */
  readonly isNew: boolean;
  readonly key: 'made' | 'kept' | 'elsewhere';
  readonly verifierKey: string;
  /** The first operator's, where this very call created the ledger for a person. */
  readonly token: { readonly name: string; readonly secret: string } | null;
}

interface SetUpOptions {
  readonly home: Home;
  readonly store: Store;
  readonly actor: Actor;
  readonly random: Random;
}

/**
 * Creates the ledger, with the first operator's token in the same commit: whoever sets Hone up is its
 * operator, and nobody comes in between. If several do so at once, one creates it and the others join.
 */
export async function setUpLedger(options: SetUpOptions): Promise<LedgerSetUp> {
  const { home, store, actor, random } = options;
  const newest = (await keysToJoin(store)).at(-1);
  if (newest !== undefined) return joinLedger(options, newest);
  const { key, made } = readOrMakeKey(home, newOrigin(home));
  const created = planKey(key, actor, false);
  const nowMs = await store.nowMs();
  const first =
    actor.kind === 'human' ? planFirstToken({ name: FIRST_NAME, actor, random, nowMs }) : undefined;
  const both = await store.commit(first === undefined ? created : joined(created, first.plan));
  // Older tokens, as in a database whose ledger was begun again: this makes nobody an operator.
  const tokens = !both.committed && both.refused.name !== 'created';
  const result = tokens ? await store.commit(created) : both;
  if (!result.committed) {
    const winner = (await recordedKeys(store)).at(-1);
    // Two keys would sign one ledger.
    if (made && winner !== formatVerifier(key)) dropKey(home);
    return setUpLedger(options);
  }
  const token = first === undefined || tokens ? null : { name: FIRST_NAME, secret: first.secret };
  return { isNew: true, key: made ? 'made' : 'kept', verifierKey: formatVerifier(key), token };
}

function joined(one: Plan, other: Plan): Plan {
  return {
    expect: [...(one.expect ?? []), ...(other.expect ?? [])],
    writes: [...(one.writes ?? []), ...(other.writes ?? [])],
    entries: [...(one.entries ?? []), ...(other.entries ?? [])],
  };
}

/**
 * The key that signs this ledger. On a database that others use too it may be theirs: then none is made
 * here, because two keys would sign one ledger. A key that was lost is replaced, and that is recorded.
 */
async function joinLedger(
  { home, store, actor }: SetUpOptions,
  newest: string,
): Promise<LedgerSetUp> {
  if (store.engine === 'postgres' && !hasKey(home)) {
    return { isNew: false, key: 'elsewhere', verifierKey: newest, token: null };
  }
  if (hasKey(home)) {
    const key = await ledgerKey(store, home);
    return { isNew: false, key: 'kept', verifierKey: formatVerifier(key), token: null };
  }
  const { key, made } = readOrMakeKey(home, parseVerifier(newest).name);
  if (made) await store.commit(planKey(key, actor, true));
  const words = made ? 'made' : 'kept';
  return { isNew: made, key: words, verifierKey: formatVerifier(key), token: null };
}
