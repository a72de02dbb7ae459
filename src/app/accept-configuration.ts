/**
 * A person's acceptance of a configuration: recorded in the ledger, announced, then put into effect here. False
 * if somebody else has accepted one: then nothing is done.
 */
import { type Digest, digestOfBytes } from '../base/index.ts';
import { acceptedLast, isAcceptedLast, planAccept } from '../config/index.ts';
import type { Actor, EffectDraft } from '../facts/index.ts';
import { type Home, writeAccepted } from '../home/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import type { Expectation, Store } from '../store/index.ts';
import type { AppContext } from './context.ts';

export async function acceptConfiguration(options: {
  context: Pick<AppContext, 'build'>;
  home: Home;
  store: Store;
  parsed: { config: HoneConfig; digest: Digest };
  text: string;
  actor: Actor;
  /** What gives the actor the permission. */
  expect?: readonly Expectation[];
  /** The notices about it. */
  effects?: readonly EffectDraft[];
  /** Sends the effects. Until it ends, what was accepted before stays in effect here. */
  tell?: () => Promise<void>;
}): Promise<boolean> {
  const { home, store, parsed, text, actor } = options;
  const { config, digest } = parsed;
  const file = digestOfBytes(text);
  const last = await acceptedLast(store);
  // Accepted on another machine, or before a crash: it only has to be put into effect here.
  if (!isAcceptedLast(last, digest) || last.recorded?.file !== file) {
    const nowMs = await store.nowMs();
    const plan = planAccept({ previous: last.pinned, digest, file, actor, nowMs });
    const expect = [...(plan.expect ?? []), ...(options.expect ?? [])];
    const { committed } = await store.commit({ ...plan, expect, effects: options.effects ?? [] });
    // The same one may have been accepted on another machine at the same moment.
    if (!committed && !isAcceptedLast(await acceptedLast(store), digest)) return false;
    await options.tell?.();
  }
  writeAccepted(home, { build: options.context.build, text, config });
  return true;
}
