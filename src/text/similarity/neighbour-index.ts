/**
 * Finds the known patterns nearest to a failure without comparing with all of them. An inverted index
 * over words, classes and codes, asked for the rarest first: of n features, two failures that share all
 * but k share one of any k + 1, so only the rarest few need to be looked up. Patterns with the same
 * features stand together as one shape, so a thousand copies of one failure cost as much as one.
 *
 * Promises: the answer depends on what is in the index, not on the order in which it came; adding and
 * removing touch only a pattern's own features; a query compares at most 128 patterns.
 */
import { TextError } from '../errors.ts';
import { compareReadings } from './compare.ts';
import { type Reading, readFailure } from './read.ts';
import type { Comparison, Failure } from './types.ts';

export interface Neighbour {
  readonly id: string;
  readonly comparison: Comparison;
}

/** Plain JSON; `load` of `save` gives the same answers. */
export interface SavedNeighbours {
  readonly version: 1;
  readonly patterns: readonly { readonly id: string; readonly reading: Reading }[];
}

interface Shape {
  readonly key: string;
  readonly features: readonly string[];
  /** Sorted by id when asked, so that the order of arrival does not matter. */
  readonly ids: Set<string>;
}

/** Failures that are the same share at least this part of their features. */
const SHARED_MIN = 0.5;
const SHAPES_MAX = 32;
const MEMBERS_MAX = 4;
/** A feature in more shapes than this is not followed once rarer ones gave enough candidates. */
const POSTINGS_MAX = 5_000;
const ENOUGH_SHAPES = 8;

export class NeighbourIndex {
  readonly #patterns = new Map<string, { reading: Reading; shape: Shape }>();
  readonly #shapes = new Map<string, Shape>();
  readonly #postings = new Map<string, Set<Shape>>();
  /** Comparisons of the last query; for tests and measurements. */
  comparisons = 0;

  get size(): number {
    return this.#patterns.size;
  }

  /** Adds a pattern, or replaces the one with this id. */
  add(id: string, failure: Failure | string): void {
    this.#insert(id, readFailure(failure));
  }

  remove(id: string): boolean {
    const known = this.#patterns.get(id);
    if (known === undefined) return false;
    this.#patterns.delete(id);
    known.shape.ids.delete(id);
    if (known.shape.ids.size > 0) return true;
    this.#shapes.delete(known.shape.key);
    for (const feature of known.shape.features) {
      const posting = this.#postings.get(feature);
      posting?.delete(known.shape);
      if (posting?.size === 0) this.#postings.delete(feature);
    }
    return true;
  }

  /** The nearest patterns, best first, none below `scoreMin`. */
  nearest(
    failure: Failure | string,
    options: { limit?: number; scoreMin?: number } = {},
  ): Neighbour[] {
    const { limit = 5, scoreMin = 0.5 } = options;
    const reading = readFailure(failure);
    const found: Neighbour[] = [];
    this.comparisons = 0;
    for (const shape of this.#candidates(featuresOf(reading))) {
      for (const id of firstIds(shape.ids)) {
        this.comparisons += 1;
        const comparison = compareReadings(reading, this.#patterns.get(id)!.reading);
        if (comparison.score >= scoreMin) found.push({ id, comparison });
      }
    }
    return found
      .sort((a, b) => b.comparison.score - a.comparison.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  save(): SavedNeighbours {
    const patterns = [...this.#patterns].map(([id, { reading }]) => ({ id, reading }));
    return { version: 1, patterns: patterns.sort((a, b) => (a.id < b.id ? -1 : 1)) };
  }

  static load(saved: unknown): NeighbourIndex {
    const index = new NeighbourIndex();
    for (const { id, reading } of readSaved(saved)) index.#insert(id, reading);
    return index;
  }

  #insert(id: string, reading: Reading): void {
    this.remove(id);
    const features = featuresOf(reading);
    const key = features.join(' ');
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      shape = { key, features, ids: new Set() };
      this.#shapes.set(key, shape);
      for (const feature of features) {
        const posting = this.#postings.get(feature) ?? new Set();
        posting.add(shape);
        this.#postings.set(feature, posting);
      }
    }
    shape.ids.add(id);
    this.#patterns.set(id, { reading, shape });
  }

  /** The shapes that share the most and the rarest features, at most `SHAPES_MAX` of them. */
  #candidates(features: readonly string[]): Shape[] {
    const known = features
      .map((feature) => ({ feature, shapes: this.#postings.get(feature) }))
      .sort(
        (a, b) => (a.shapes?.size ?? 0) - (b.shapes?.size ?? 0) || (a.feature < b.feature ? -1 : 1),
      );
    const followed = features.length - Math.ceil(features.length * SHARED_MIN) + 1;
    const weights = new Map(
      known.map(({ feature, shapes }) => [feature, this.#rarity(shapes?.size ?? 0)]),
    );
    const seen = new Set<Shape>();
    for (const { shapes } of known.slice(0, followed)) {
      if (shapes === undefined || (shapes.size > POSTINGS_MAX && seen.size >= ENOUGH_SHAPES))
        continue;
      for (const shape of shapes) seen.add(shape);
    }
    const ranked = [...seen].map((shape) => ({ shape, weight: sharedWeight(shape, weights) }));
    ranked.sort((a, b) => b.weight - a.weight || (a.shape.key < b.shape.key ? -1 : 1));
    return ranked.slice(0, SHAPES_MAX).map(({ shape }) => shape);
  }

  #rarity(shapes: number): number {
    return Math.log(1 + (this.#shapes.size + 1) / (shapes + 1));
  }
}

/** Shared weight, less what the shape has beyond it. */
function sharedWeight(shape: Shape, weights: ReadonlyMap<string, number>): number {
  let shared = 0;
  let extra = 0;
  for (const feature of shape.features) {
    const weight = weights.get(feature);
    if (weight === undefined) extra += 1;
    else shared += weight;
  }
  return shared / (1 + 0.1 * extra);
}

function firstIds(ids: ReadonlySet<string>): string[] {
  if (ids.size <= MEMBERS_MAX) return [...ids].sort();
  // The smallest few by one pass: a shape may have a hundred thousand members.
  const first: string[] = [];
  for (const id of ids) {
    if (first.length === MEMBERS_MAX && id >= first[MEMBERS_MAX - 1]!) continue;
    first.push(id);
    first.sort();
    if (first.length > MEMBERS_MAX) first.pop();
  }
  return first;
}

/** What failures are looked up by; a message without words is looked up by its names. */
export function featuresOf(reading: Reading): string[] {
  const features = new Set<string>();
  for (const { kind, text } of reading.tokens)
    if (kind === 'telling' || kind === 'known' || kind === 'word' || kind === 'code')
      features.add(`w:${text}`);
  for (const word of reading.classWords) features.add(`c:${word}`);
  for (const code of reading.codes) features.add(`k:${code}`);
  for (const value of reading.attributeValues) features.add(`a:${value}`);
  if (features.size === 0) {
    for (const { raw } of reading.tokens) features.add(`n:${raw}`);
    if (features.size === 0) features.add(`t:${reading.tool}`);
  }
  return [...features].sort();
}

function readSaved(saved: unknown): SavedNeighbours['patterns'] {
  const state = saved as Partial<SavedNeighbours> | null;
  if (
    typeof state !== 'object' ||
    state === null ||
    state.version !== 1 ||
    !Array.isArray(state.patterns) ||
    !state.patterns.every(isPattern)
  ) {
    throw new TextError('state_unreadable', 'The saved neighbour index is not one of version 1.', {
      hint: 'Build it again from the patterns.',
    });
  }
  return state.patterns;
}

function isPattern(pattern: unknown): boolean {
  if (
    typeof pattern !== 'object' ||
    pattern === null ||
    !('id' in pattern) ||
    !('reading' in pattern)
  )
    return false;
  const { id, reading } = pattern as { id: unknown; reading: Partial<Reading> | null };
  const lists = [
    reading?.tokens,
    reading?.classWords,
    reading?.codes,
    reading?.frames,
    reading?.attributeKeys,
    reading?.attributeValues,
  ];
  return (
    typeof id === 'string' &&
    lists.every(Array.isArray) &&
    typeof reading?.tool === 'string' &&
    typeof reading.className === 'string'
  );
}
