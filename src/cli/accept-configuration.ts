/** A person's acceptance of a configuration: recorded in the ledger, then put into effect here. */
import type { Digest } from '../base/index.ts';
import { pinnedDigest, planAccept } from '../config/index.ts';
import type { Actor } from '../facts/index.ts';
import { type Home, writeAccepted } from '../home/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import type { Store } from '../store/index.ts';
import type { Context } from './context.ts';

export async function acceptConfiguration(options: {
  context: Pick<Context, 'build'>;
  home: Home;
  store: Store;
  parsed: { config: HoneConfig; digest: Digest };
  text: string;
  actor: Actor;
}): Promise<void> {
  const { home, store, parsed, text, actor } = options;
  const previous = await pinnedDigest(store);
  // Accepted on another machine, or before a crash: it only has to be put into effect here.
  if (previous !== parsed.digest) {
    const nowMs = await store.nowMs();
    await store.commit(planAccept({ previous, digest: parsed.digest, actor, nowMs }));
  }
  writeAccepted(home, {
    build: options.context.build,
    digest: parsed.digest,
    text,
    config: parsed.config,
  });
}
