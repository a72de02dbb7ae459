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
import { VARIABLE_HASH } from '../tokens.ts';
import {
  type Cluster,
  highLane,
  isLearnt,
  lowLane,
  merge,
  mergeWhere,
  push,
  sumKey,
  sumsOf,
} from './clusters.ts';
import { OPEN_RULES, type OpenRule, type Siblings, varies } from './evidence.ts';
import type { Form, Slot } from './form.ts';
import { openLikeOthers } from './like-others.ts';

const ROUNDS_MAX = 12;
/** `2m 13s`. */
const DURATION = /^\d+[a-z]{1,3} \d+[a-z]{1,3}$/;
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
    let next = merged.length === clusters.length ? mergeRare(clusters) : merged;
    if (next.length === clusters.length) next = openLikeOthers(clusters);
    if (next.length === clusters.length) break;
    clusters = next;
  }
  return clusters;
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
  return (
    !/^[ :]*$/.test(between) ||
    samples.every(({ value }) => CLOCK.test(value) || DURATION.test(value))
  );
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
    return rule.opens(slots[place]!.text, {
      place,
      before: separators[place]!,
      previous: slots[place - 1]?.text,
      after: separators[place + 1]!,
    });
  });
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
