/** What is known to vary in one template varies in another that says the same but for one word. */
import { VARIABLE_HASH } from '../tokens.ts';
import {
  type Cluster,
  highLane,
  isLearnt,
  lowLane,
  mergeWhere,
  sumKey,
  sumsOf,
} from './clusters.ts';

/** A template of so many forms shows what varies in others that say the same in so many words but one. */
const LEARNT_FORMS = 3;
const LIKE_CONTEXT = 3;
/** More would be a bucket of noise, and cost time. */
const COMPARED_MAX = 64;
const MASKS_MAX = 8;

/**
 * Forms that say the same but for one word of a template whose places are known to vary: what varies when a session is
 * opened varies when it is closed.
 */
export function openLikeOthers(clusters: readonly Cluster[]): Cluster[] {
  const templates = clusters.filter((cluster) => cluster.forms.length >= LEARNT_FORMS);
  if (templates.length === 0 || clusters.length > COMPARED_MAX) return [...clusters];
  const masks = new Map<string, readonly number[]>();
  // What a line begins with is more often what happened, even where it varies.
  for (const cluster of templates) {
    const places = learntPlaces(cluster);
    if (places[0] !== 0 && cluster.hashes.length - places.length > LIKE_CONTEXT)
      masks.set(places.join(), places);
  }
  const opened = new Map<Cluster, ReadonlySet<number>>();
  for (const places of [...masks.values()].slice(0, MASKS_MAX)) {
    const known = new Set<number>();
    for (const one of templates)
      if (learntPlaces(one).join() === places.join())
        for (const key of keysWithout(one, places)) known.add(key);
    for (const one of clusters)
      if (
        !opened.has(one) &&
        differs(one, places) &&
        keysWithout(one, places).some((key) => known.has(key))
      )
        opened.set(one, new Set(places));
  }
  if (opened.size === 0) return [...clusters];
  return mergeWhere(
    clusters,
    { least: 2, context: LIKE_CONTEXT },
    (cluster, place) => opened.get(cluster)?.has(place) === true,
  );
}

function learntPlaces(cluster: Cluster): number[] {
  return [...cluster.hashes.keys()].filter(
    (place) => cluster.hashes[place] === VARIABLE_HASH && isLearnt(cluster, place),
  );
}

function differs({ hashes }: Cluster, places: readonly number[]): boolean {
  return places.some((place) => hashes[place] !== VARIABLE_HASH);
}

/** Of all other places, each time without another one that has a word. */
function keysWithout({ hashes }: Cluster, places: readonly number[]): number[] {
  const { high, low } = sumsOf(hashes, hashes.length);
  let [restHigh, restLow] = [high, low];
  for (const place of places) {
    restHigh = (restHigh - highLane(place, hashes[place]!)) | 0;
    restLow = (restLow - lowLane(place, hashes[place]!)) | 0;
  }
  const keys: number[] = [];
  hashes.forEach((hash, place) => {
    if (hash === VARIABLE_HASH || places.includes(place)) return;
    keys.push(
      sumKey((restHigh - highLane(place, hash)) | 0, (restLow - lowLane(place, hash)) | 0) + place,
    );
  });
  return keys;
}
