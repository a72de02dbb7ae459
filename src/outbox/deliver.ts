/**
 * Sends what was queued. A destination has lanes (`LANES`), each sent by itself, by one sender at a time (a lease per
 * lane), in the order it was queued; in the lane of rollbacks what is not due is passed over.
 *
 *   queued ──claim──► sending ──┬─ delivered
 *      ▲                        ├─ failed, attempts left ─► queued, later (backoff with jitter)
 *      │                        ├─ refused, or no attempts left ─► dead
 *      │                        └─ `once`, and it may have happened ─► uncertain
 *      └── found `sending` after a crash: keyed sends again (the destination knows the key), findable
 *          looks first, once becomes uncertain: a person decides, Hone never repeats it by itself.
 *          One that was found so on its last attempt (it may be what kills the process) does too.
 *
 * The claim is committed before the send, so that a crash between the two is always noticed. Nothing
 * is looked for or sent before its due time; `attempt.ts` says why a claim moves that time.
 */
import { assert, CLOCK_SLACK_MS, canonicalJson } from '../base/index.ts';
import { type EffectResult, type EntryDraft, LANES, type Lane, SYSTEM } from '../facts/index.ts';
import type { Lease } from '../lease/index.ts';
import { type Attempt, attempt, carriedOutByMs, dueIfInterruptedMs } from './attempt.ts';
import { effectChange, effectUnchanged, nextEffect, type Turn } from './outbox-store.ts';
import type { DeliverPorts, Destination, Effect } from './types.ts';

const ERROR_MAX = 500;
/** Names and addresses of what was made; anything more that a destination returns is dropped. */
const RESULT_MAX = 2000;

/** What one call did with a destination's next effect. */
export type DeliverStep =
  | { readonly did: 'nothing'; readonly why: 'empty' | 'held' | 'lost' }
  | { readonly did: 'nothing'; readonly why: 'not_due'; readonly dueAtMs: number }
  | { readonly did: Effect['state']; readonly key: string };

/** Takes at most one effect of this destination one step further, of the most urgent lane that has one to take. */
export async function deliverNext(
  destination: Destination,
  ports: DeliverPorts,
  lanes: readonly Lane[] = LANES,
): Promise<DeliverStep> {
  // A sender whose lease ran out while it still sends would meet the next one at the destination.
  assert(ports.limits.leaseMs >= 2 * ports.limits.sendTimeoutMs, 'a lease outlives two sends');
  let nothing: DeliverStep = { did: 'nothing', why: 'empty' };
  for (const lane of lanes) {
    const step = await deliverNextOf(lane, destination, ports);
    if (step.did !== 'nothing') return step;
    nothing = laterOf(nothing, step);
  }
  return nothing;
}

/** What is said of several lanes of which none had anything to take. */
function laterOf(one: DeliverStep & { did: 'nothing' }, other: DeliverStep & { did: 'nothing' }) {
  if (one.why === 'empty') return other;
  if (one.why !== 'not_due' || other.why === 'empty') return one;
  return other.why !== 'not_due' || other.dueAtMs < one.dueAtMs ? other : one;
}

async function deliverNextOf(
  lane: Lane,
  destination: Destination,
  ports: DeliverPorts,
): Promise<DeliverStep> {
  const { store, holder, limits, leases } = ports;
  const turn = async () => ({
    destination: destination.name,
    lane,
    steps: await ports.allowedSteps(),
  });
  const waiting = await nextEffect(store, await turn());
  if (waiting === undefined) return { did: 'nothing', why: 'empty' };
  const nowMs = await store.nowMs();
  if (waiting.dueAtMs > nowMs) {
    const dueAtMs = await dueAgainMs(waiting, nowMs, ports);
    return { did: 'nothing', why: 'not_due', dueAtMs };
  }
  const got = await leases.acquire(`outbox/${destination.name}/${lane}`, holder, limits.leaseMs);
  if (!got.acquired) return { did: 'nothing', why: 'held' };
  try {
    return await deliverUnder(got.lease, destination, { turn, key: waiting.key }, ports);
  } finally {
    await leases.release(got.lease);
  }
}

/** Delivers until nothing is due, each lane by itself; how many effects reached an end. */
export async function deliverAll(
  destination: Destination,
  ports: DeliverPorts,
  lanes: readonly Lane[] = LANES,
): Promise<number> {
  const ended = await Promise.all(
    lanes.map(async (lane) => {
      for (let count = 0; ; ) {
        const step = await deliverNext(destination, ports, [lane]);
        if (step.did === 'nothing') return count;
        if (step.did !== 'queued' && step.did !== 'sending') count += 1;
      }
    }),
  );
  return ended.reduce((sum, count) => sum + count, 0);
}

async function deliverUnder(
  lease: Lease,
  destination: Destination,
  expected: { turn: () => Promise<Turn>; key: string },
  ports: DeliverPorts,
): Promise<DeliverStep> {
  // Read again: who held the lease before us may have finished it.
  const effect = await nextEffect(ports.store, await expected.turn());
  if (effect === undefined || effect.key !== expected.key) return { did: 'nothing', why: 'lost' };
  if (effect.dueAtMs > (await ports.store.nowMs())) {
    return { did: 'nothing', why: 'not_due', dueAtMs: effect.dueAtMs };
  }
  const interrupted = effect.state === 'sending';
  const exhausted = effect.attempts >= ports.limits.attemptsMax;
  if (interrupted && (destination.kind === 'once' || exhausted)) {
    return finish(lease, effect, 'uncertain', ports);
  }

  const claimed = await claim(lease, destination, effect, ports);
  if (claimed === undefined) return { did: 'nothing', why: 'lost' };
  return settle(lease, destination, claimed, await attempt(destination, claimed, ports), ports);
}

/**
 * No attempt puts the next one off for longer than the limits allow. One that seems to was made while the clock
 * was ahead: it is dated again, for as long as what it sent may still be under way.
 */
async function dueAgainMs(effect: Effect, nowMs: number, ports: DeliverPorts): Promise<number> {
  const { limits, store } = ports;
  const underWayMs = carriedOutByMs(limits.sendTimeoutMs, limits);
  const longestMs = Math.max(limits.backoffMaxMs, underWayMs) + CLOCK_SLACK_MS;
  if (effect.attempts === 0 || effect.dueAtMs <= nowMs + longestMs) return effect.dueAtMs;
  const dueAtMs = nowMs + underWayMs;
  await store.commit({
    expect: [effectUnchanged(effect)],
    writes: [effectChange(effect, nowMs, { state: effect.state, dueAtMs })],
  });
  return dueAtMs;
}

async function claim(
  lease: Lease,
  destination: Destination,
  effect: Effect,
  ports: DeliverPorts,
): Promise<Effect | undefined> {
  const nowMs = await ports.store.nowMs();
  const changed = {
    state: 'sending',
    attempts: effect.attempts + 1,
    dueAtMs: dueIfInterruptedMs(destination, effect, { nowMs, limits: ports.limits }),
  } as const;
  const result = await ports.store.commit({
    expect: [lease.fence, effectUnchanged(effect)],
    writes: [effectChange(effect, nowMs, changed)],
  });
  return result.committed ? { ...effect, ...changed } : undefined;
}

async function settle(
  lease: Lease,
  destination: Destination,
  effect: Effect,
  { sent, underWayUntilMs }: Attempt,
  ports: DeliverPorts,
): Promise<DeliverStep> {
  if (sent.outcome === 'delivered') {
    const result = keptResult(sent.result);
    const delivered = result === undefined ? effect : { ...effect, result };
    return finish(lease, delivered, 'delivered', ports);
  }
  // Others' words: an answer of a receiver, an error of git. Loaded here, because `hone status` only counts.
  const { recordedText } = await import('../sanitise/index.ts');
  const nowMs = await ports.store.nowMs();
  const failed = {
    ...effect,
    error: recordedText(sent.error, { lengthMax: ERROR_MAX }),
    dueAtMs: Math.max(nowMs, underWayUntilMs),
  };
  if (sent.permanent === true || effect.attempts >= ports.limits.attemptsMax) {
    const unknown = destination.kind === 'once' && sent.notDone !== true && sent.permanent !== true;
    return finish(lease, failed, unknown ? 'uncertain' : 'dead', ports);
  }
  if (destination.kind === 'once' && sent.notDone !== true) {
    return finish(lease, failed, 'uncertain', ports);
  }
  const dueAtMs = Math.max(failed.dueAtMs, nowMs + backoffMs(effect.attempts, ports));
  const result = await ports.store.commit({
    expect: [lease.fence, effectUnchanged(effect)],
    writes: [effectChange(failed, nowMs, { state: 'queued', dueAtMs })],
  });
  return result.committed ? { did: 'queued', key: effect.key } : { did: 'nothing', why: 'lost' };
}

/** Doubles up to a limit; between half and all of it, so that many do not come back together. */
function backoffMs(attempts: number, { limits, random }: DeliverPorts): number {
  const full = Math.min(limits.backoffMaxMs, limits.backoffMs * 2 ** (attempts - 1));
  return Math.round(full * (0.5 + random.next() / 2));
}

async function finish(
  lease: Lease,
  effect: Effect,
  state: 'delivered' | 'dead' | 'uncertain',
  ports: DeliverPorts,
): Promise<DeliverStep> {
  const nowMs = await ports.store.nowMs();
  const { result: kept } = effect;
  const settled =
    state === 'delivered'
      ? { error: null, dueAtMs: nowMs, ...(kept === null ? {} : { result: kept }) }
      : {};
  const result = await ports.store.commit({
    expect: [lease.fence, effectUnchanged(effect)],
    writes: [effectChange(effect, nowMs, { state, ...settled })],
    entries: [await endEntry(effect, state)],
  });
  return result.committed ? { did: state, key: effect.key } : { did: 'nothing', why: 'lost' };
}

async function endEntry(
  effect: Effect,
  state: 'delivered' | 'dead' | 'uncertain',
): Promise<EntryDraft> {
  const { key, destination, attempts } = effect;
  const base = { actor: SYSTEM, subject: `effect:${key}` };
  if (state === 'uncertain') {
    return { ...base, type: 'outbox.left_uncertain', data: { key, destination } };
  }
  const { recordedText } = await import('../sanitise/index.ts');
  if (state === 'delivered') {
    const { result: given } = effect;
    const result = given === null ? {} : { result: recordedText(canonicalJson(given)) };
    return { ...base, type: 'outbox.delivered', data: { key, destination, attempts, ...result } };
  }
  const error = recordedText(effect.error ?? '', { lengthMax: ERROR_MAX });
  return { ...base, type: 'outbox.given_up', data: { key, destination, attempts, error } };
}

function keptResult(result: EffectResult | undefined): EffectResult | undefined {
  if (result === undefined) return undefined;
  return canonicalJson(result).length <= RESULT_MAX ? result : undefined;
}
