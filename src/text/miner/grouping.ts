/**
 * Which forms of one skeleton are one template. A pure function of the set of forms: neither the
 * order of messages nor where they were counted matters, which is why shuffled and merged input
 * gives the same groups.
 *
 * Forms are merged bottom up. A *sibling set* are forms that agree everywhere but in one place; what
 * stands in that place across the whole set says whether it is a value or a word that makes the
 * message a different one. Merging repeats until nothing changes, so that several values per
 * message are found one after the other.
 */
import { mix, VARIABLE_HASH } from '../tokens.ts';
import { OPEN_RULES, type OpenRule, type Siblings, varies } from './evidence.ts';
import type { Form, Slot } from './form.ts';

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

const ROUNDS_MAX = 12;
const CLOCK = /^\d{1,2}:\d{2}$/;
/** A word is rare in its place when at most so many clusters have it there ... */
const RARE_SHARED = 2;
/** ... and so many clusters must agree in all other places, in at least so many words. */
const RARE_FORMS = 8;
const RARE_CONTEXT = 2;

export function groupForms(forms: readonly Form[]): Cluster[] {
  const ordered = [...forms].sort((a, b) => a.key - b.key);
  let clusters = mergeLists(
    ordered.map((form) => ({
      forms: [form],
      hashes: Int32Array.from(form.slots, (slot) => slot.hash),
    })),
  );
  if (clusters.length === 1) return clusters;
  for (const rule of OPEN_RULES) clusters = mergeAtOnce(clusters, rule);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const merged = mergeSiblings(clusters);
    const next = merged.length === clusters.length ? mergeRare(clusters) : merged;
    if (next.length === clusters.length) break;
    clusters = next;
  }
  return clusters;
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

/**
 * Forms that differ in the length of a list only. With commas or the like it is a list of any length;
 * with spaces or colons only once three members were seen: before, `exit 1` and `exit 1 0`, or `host`
 * and `host:port`, are rather two messages. Minutes and seconds are one value, like seconds alone.
 */
function mergeLists(clusters: readonly Cluster[]): Cluster[] {
  const same = new Map<number, Cluster[]>();
  for (const cluster of clusters) {
    const sums = sumsOf(cluster.hashes, cluster.hashes.length);
    push(same, sumKey(sums.high, sums.low), cluster);
  }
  const out: Cluster[] = [];
  for (const set of same.values()) {
    const isList = set.some((cluster) => cluster.forms[0]!.slots.some(isOpenList));
    if (set.length > 1 && isList) out.push(merge(set));
    else out.push(...set);
  }
  return out;
}

function isOpenList({ most, between, samples }: Slot): boolean {
  if (most !== 2) return most > 2;
  return !/^[ :]*$/.test(between) || samples.every(({ value }) => CLOCK.test(value));
}

/**
 * Forms that differ only in places where values stand (`key=...`) or names (`org.a.B`, `newCache`),
 * in however many of them at once: sibling sets would never find those, since no two of them differ
 * in one place only.
 */
function mergeAtOnce(clusters: readonly Cluster[], rule: OpenRule): Cluster[] {
  const { forms: least, context } = rule;
  return mergeWhere(clusters, { least, context }, (cluster, place) => {
    const { slots, separators } = cluster.forms[0]!;
    return rule.opens(slots[place]!.text, separators[place]!, slots[place - 1]?.text);
  });
}

/** Merges clusters that agree in all places which `opens` does not open, if enough of them do. */
function mergeWhere(
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

/**
 * Forms that differ in words which hardly any other form has in that place, and agree in all others:
 * several values that never repeat (`user <name> from <machine>`) leave no two forms that differ in
 * one place only, so that neither a sibling set nor the rules above find them.
 */
function mergeRare(clusters: readonly Cluster[]): Cluster[] {
  if (clusters.length < RARE_FORMS) return [...clusters];
  const places = clusters[0]!.hashes.length;
  const columns = Array.from({ length: places }, () => new Map<number, number>());
  for (const { hashes } of clusters) {
    hashes.forEach((hash, place) => {
      const column = columns[place]!;
      column.set(hash, (column.get(hash) ?? 0) + 1);
    });
  }
  const needs = { least: RARE_FORMS, context: RARE_CONTEXT };
  return mergeWhere(clusters, needs, ({ hashes }, place) => {
    return columns[place]!.get(hashes[place]!)! <= RARE_SHARED;
  });
}

/** The first word mostly says what happened; alone it is left to the sibling sets. */
function differOnlyAtStart(set: readonly Cluster[]): boolean {
  const first = set[0]!.hashes;
  return set.every((cluster) =>
    cluster.hashes.every((hash, place) => place === 0 || hash === first[place]),
  );
}

function mergeSiblings(clusters: readonly Cluster[]): Cluster[] {
  const accepted = siblingSets(clusters).filter(({ siblings }) => varies(siblings));
  // The set with most values first: a cluster can be in several, and the richest evidence wins.
  accepted.sort(
    (a, b) =>
      b.siblings.values.size - a.siblings.values.size ||
      a.siblings.place - b.siblings.place ||
      a.clusters[0]!.forms[0]!.key - b.clusters[0]!.forms[0]!.key,
  );
  const gone = new Set<Cluster>();
  const out: Cluster[] = [];
  for (const set of accepted) {
    const free = set.clusters.filter((cluster) => !gone.has(cluster));
    // What is left of a set whose members went elsewhere is judged again in the next round.
    if (free.length !== set.clusters.length) continue;
    for (const cluster of free) gone.add(cluster);
    out.push(merge(free));
  }
  for (const cluster of clusters) if (!gone.has(cluster)) out.push(cluster);
  return out;
}

interface Candidate {
  readonly clusters: Cluster[];
  readonly siblings: Siblings;
}

function siblingSets(clusters: readonly Cluster[]): Candidate[] {
  const out: Candidate[] = [];
  const sums = clusters.map((cluster) => sumsOf(cluster.hashes, cluster.hashes.length));
  const places = clusters[0]?.hashes.length ?? 0;
  for (let place = 0; place < places; place++) {
    const sets = new Map<number, Cluster[]>();
    clusters.forEach((cluster, i) => {
      const hash = cluster.hashes[place]!;
      const high = (sums[i]!.high - highLane(place, hash)) | 0;
      const low = (sums[i]!.low - lowLane(place, hash)) | 0;
      push(sets, sumKey(high, low), cluster);
    });
    for (const set of sets.values()) {
      if (set.length > 1) out.push({ clusters: set, siblings: describe(set, place) });
    }
  }
  return out;
}

function describe(set: readonly Cluster[], place: number): Siblings {
  const values = new Set<string>();
  let opened = false;
  let variable = false;
  for (const cluster of set) {
    if (cluster.hashes[place] !== VARIABLE_HASH) values.add(cluster.forms[0]!.slots[place]!.text);
    else if (isLearnt(cluster, place)) opened = true;
    else variable = true;
  }
  const { slots, separators } = set[0]!.forms[0]!;
  const hashes = set[0]!.hashes;
  let context = 0;
  for (let i = 0; i < hashes.length; i++) if (i !== place && hashes[i] !== VARIABLE_HASH) context++;
  const follows = place > 0 && hashes[place - 1] !== VARIABLE_HASH;
  return {
    place,
    values,
    opened,
    variable,
    context,
    before: separators[place]!,
    previous: follows ? slots[place - 1]!.text : undefined,
    after: separators[place + 1]!,
  };
}

/** Whether forms of the cluster differ there, or did; else every one has a variable by its shape. */
export function isLearnt({ forms }: Cluster, place: number): boolean {
  return forms.some(({ slots }) => slots[place]!.hash !== VARIABLE_HASH || slots[place]!.open);
}

function merge(set: readonly Cluster[]): Cluster {
  const hashes = Int32Array.from(set[0]!.hashes);
  for (const cluster of set) {
    for (let i = 0; i < hashes.length; i++) {
      if (hashes[i] !== cluster.hashes[i]) hashes[i] = VARIABLE_HASH;
    }
  }
  return { forms: set.flatMap((cluster) => cluster.forms), hashes };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
