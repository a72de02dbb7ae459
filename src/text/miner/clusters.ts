/**
 * Clusters: forms of one skeleton that are taken for one template so far. Sums over their places find those that agree
 * everywhere but in some, without comparing each with each.
 */
import { mix, VARIABLE_HASH } from '../tokens.ts';
import type { Form } from './form.ts';

export interface Cluster {
  readonly forms: readonly Form[];
  /** Element hashes, `VARIABLE_HASH` where the forms differ. */
  readonly hashes: Int32Array;
}

/** Sums over places, so that one place can be taken out again in one step. */
interface Sums {
  high: number;
  low: number;
}

export function highLane(place: number, hash: number): number {
  return mix(mix(0x3c6ef372, place + 1), hash);
}

export function lowLane(place: number, hash: number): number {
  return mix(mix(0x1f83d9ab, hash), place + 1);
}

export function sumsOf(hashes: Int32Array, count: number): Sums {
  let high = 0;
  let low = 0;
  for (let place = 0; place < count; place++) {
    high = (high + highLane(place, hashes[place]!)) | 0;
    low = (low + lowLane(place, hashes[place]!)) | 0;
  }
  return { high, low };
}

export function sumKey(high: number, low: number): number {
  return (high >>> 0) * 2 ** 21 + ((low >>> 0) >>> 11);
}

/** Merges clusters that agree in all places which `opens` does not open, if enough of them do. */
export function mergeWhere(
  clusters: readonly Cluster[],
  needs: { least: number; context: number },
  opens: (cluster: Cluster, place: number) => boolean,
): Cluster[] {
  const sets = new Map<number, Cluster[]>();
  const out: Cluster[] = [];
  for (const cluster of clusters) {
    let high = 0;
    let low = 0;
    let context = 0;
    for (let place = 0; place < cluster.hashes.length; place++) {
      const hash = cluster.hashes[place]!;
      const opened = hash === VARIABLE_HASH || opens(cluster, place);
      if (!opened) context++;
      high = (high + highLane(place, opened ? VARIABLE_HASH : hash)) | 0;
      low = (low + lowLane(place, opened ? VARIABLE_HASH : hash)) | 0;
    }
    if (context >= needs.context) push(sets, sumKey(high, low), cluster);
    else out.push(cluster);
  }
  for (const set of sets.values()) {
    if (set.length >= needs.least && !differOnlyAtStart(set)) out.push(merge(set));
    else out.push(...set);
  }
  return out;
}

/** The first word mostly says what happened; alone it is left to the sibling sets. */
function differOnlyAtStart(set: readonly Cluster[]): boolean {
  const first = set[0]!.hashes;
  return set.every((cluster) =>
    cluster.hashes.every((hash, place) => place === 0 || hash === first[place]),
  );
}

/** Whether forms of the cluster differ there, or did; else every one has a variable by its shape. */
export function isLearnt({ forms }: Cluster, place: number): boolean {
  return forms.some(({ slots }) => slots[place]!.hash !== VARIABLE_HASH || slots[place]!.open);
}

export function merge(set: readonly Cluster[]): Cluster {
  const hashes = Int32Array.from(set[0]!.hashes);
  for (const cluster of set) {
    for (let i = 0; i < hashes.length; i++) {
      if (hashes[i] !== cluster.hashes[i]) hashes[i] = VARIABLE_HASH;
    }
  }
  return { forms: set.flatMap((cluster) => cluster.forms), hashes };
}

export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
