/**
 * Chance in the lab. Every place where something is drawn has its own stream, named by words: what one
 * session draws never depends on another, nor on how much was drawn before.
 */
import { type Random, seededRandom } from '../src/base/index.ts';

export function streamOf(seed: number, name: string): Random {
  return seededRandom(hash32(seed, name));
}

/** FNV-1a, then MurmurHash3's finaliser: names that differ in one digit give unrelated seeds. */
function hash32(seed: number, name: string): number {
  let hash = (0x811c9dc5 ^ seed) | 0;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Standard normal (Box and Muller); always two draws. */
export function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

/** The item that a draw from [0, 1) falls on, by weight. */
export function pickWeighted<T extends { readonly weight: number }>(
  items: readonly T[],
  draw: number,
): T {
  let left = draw * items.reduce((sum, item) => sum + item.weight, 0);
  for (const item of items) {
    left -= item.weight;
    if (left < 0) return item;
  }
  return items.at(-1)!;
}

/** The item that a draw from [0, 1) falls on, each with its own rate; undefined for none of them. */
export function pickByRate<T extends { readonly rate: number }>(
  items: readonly T[],
  draw: number,
): T | undefined {
  let upTo = 0;
  for (const item of items) {
    upTo += item.rate;
    if (draw < upTo) return item;
  }
  return undefined;
}
