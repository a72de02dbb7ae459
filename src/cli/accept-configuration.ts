/**
 * A person's acceptance of a configuration: recorded in the ledger, then put into effect here. False when
 * somebody else accepted one meanwhile: nothing is done then.
 */
import type { Digest } from '../base/index.ts';
import { pinnedDigest, planAccept } from '../config/index.ts';
import type { Actor, EffectDraft } from '../facts/index.ts';
import { type Home, writeAccepted } from '../home/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import type { Expectation, Store } from '../store/index.ts';
import type { Context } from './context.ts';

export async function acceptConfiguration(options: {
  context: Pick<Context, 'build'>;
  home: Home;
  store: Store;
  parsed: { config: HoneConfig; digest: Digest };
  text: string;
  actor: Actor;
  /** What makes the actor one who may. */
  expect?: readonly Expectation[];
  /** Who is told of it. */
  effects?: readonly EffectDraft[];
}): Promise<boolean> {
  const { home, store, parsed, text, actor } = options;
  const previous = await pinnedDigest(store);
  // Accepted on another machine, or before a crash: it only has to be put into effect here.
  if (previous !== parsed.digest) {
    const nowMs = await store.nowMs();
    const plan = planAccept({ previous, digest: parsed.digest, actor, nowMs });
    const expect = [...(plan.expect ?? []), ...(options.expect ?? [])];
    const { committed } = await store.commit({ ...plan, expect, effects: options.effects ?? [] });
    if (!committed) return false;
  }
  writeAccepted(home, {
    build: options.context.build,
    digest: parsed.digest,
    text,
    config: parsed.config,
  });
  return true;
}
