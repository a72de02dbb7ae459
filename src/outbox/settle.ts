/** What a person decides about an effect that is dead or uncertain. */
import type { Actor } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { effectChange, effectUnchanged, readEffect } from './outbox-store.ts';

export const OUTCOMES = ['delivered', 'retry', 'dropped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type Settled =
  | { readonly settled: true }
  | { readonly settled: false; readonly why: 'unknown' | 'not_open' | 'not_human' | 'changed' };

export async function settleEffect(
  store: Store,
  key: string,
  outcome: Outcome,
  actor: Actor,
): Promise<Settled> {
  if (actor.kind !== 'human') return { settled: false, why: 'not_human' };
  const effect = await readEffect(store, key);
  if (effect === undefined) return { settled: false, why: 'unknown' };
  if (effect.state !== 'dead' && effect.state !== 'uncertain') {
    return { settled: false, why: 'not_open' };
  }
  const nowMs = await store.nowMs();
  const state = outcome === 'retry' ? 'queued' : outcome;
  // Not 0: it was tried before, so a findable destination is asked before anything is sent again, and
  // not before its last attempt has ended.
  const dueAtMs = Math.max(nowMs, effect.dueAtMs);
  const again = outcome === 'retry' ? { attempts: 1, dueAtMs } : {};
  const result = await store.commit({
    expect: [effectUnchanged(effect)],
    writes: [effectChange(effect, nowMs, { state, ...again })],
    entries: [{ type: 'outbox.settled', actor, subject: `effect:${key}`, data: { key, outcome } }],
  });
  return result.committed ? { settled: true } : { settled: false, why: 'changed' };
}
