/**
 * What accepting `hone.yaml` would change: each key with its values, and which of them weaken what holds. Shown
 * by `hone config show`, and judged by `hone config accept`.
 */
import type { Digest } from '../base/index.ts';
import {
  acceptedLast,
  type Change,
  composeSections,
  configChanges,
  isAcceptedLast,
  weakenedKeys,
} from '../config/index.ts';
import type { ConfigurationChange } from '../contracts/configuration.ts';
import type { HoneConfig } from '../loop/index.ts';
import { honeSections } from '../loop/index.ts';
import type { Opened } from './context.ts';

export const schema = composeSections(honeSections);

export interface Review {
  /** Of what was accepted last. */
  readonly accepted: Digest | null;
  readonly changes: readonly ConfigurationChange[];
  /** What needs an operator: the keys that weaken, or all if that is unknown. */
  readonly weakened: readonly string[];
}

/** If the accepted configuration is not kept here, nobody can say what replacing it weakens. */
export async function reviewConfiguration(
  { store, config, acceptedConfig }: Opened,
  file: { readonly config: HoneConfig; readonly digest: Digest },
): Promise<Review> {
  const last = await acceptedLast(store);
  const isKnown = acceptedConfig !== undefined;
  const before = isKnown ? acceptedConfig : config;
  const keys = isKnown ? weakenedKeys(schema, before, file.config) : [];
  const isReplaced = !isKnown && !isAcceptedLast(last, file.digest);
  return {
    accepted: last.pinned,
    changes: configChanges(schema, before, file.config).map((change) => reviewed(change, keys)),
    weakened: isReplaced ? ['the configuration accepted elsewhere'] : keys,
  };
}

function reviewed(
  { key, before, after }: Change,
  weakened: readonly string[],
): ConfigurationChange {
  return { key, before: before ?? null, after: after ?? null, weakens: weakened.includes(key) };
}
