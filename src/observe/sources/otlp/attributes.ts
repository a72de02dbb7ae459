/**
 * The attributes of a resource, a span, a record: looked up by the names that different conventions and releases gave
 * the same thing. Values are read when they are asked for: a span may carry megabytes that nobody asks for.
 */
import type { Json } from '../../../base/index.ts';
import { type Fields, fieldsOf, flagOf, jsonValue, listOf, numberOf } from './wire.ts';

/** Of one record. OpenInference writes each message of a conversation as attributes of their own: some hundred. */
const ATTRIBUTES_MAX = 10_000;
const KEY_CHARS_MAX = 200;

export class Attributes {
  static readonly none = new Attributes(new Map());
  readonly #read: ReadonlyMap<string, () => Json | undefined>;

  private constructor(read: ReadonlyMap<string, () => Json | undefined>) {
    this.#read = read;
  }

  /** As OTLP writes them: a list of keys with values. The first of a name counts. */
  static ofList(list: unknown): Attributes {
    const read = new Map<string, () => Json | undefined>();
    for (const one of listOf(list)) {
      const { key, value } = fieldsOf(one);
      if (typeof key !== 'string' || key.length > KEY_CHARS_MAX || read.has(key)) continue;
      if (read.size >= ATTRIBUTES_MAX) break;
      read.set(key, () => jsonValue(value));
    }
    return read.size === 0 ? Attributes.none : new Attributes(read);
  }

  /** As exports write them: an object. */
  static ofObject(given: Fields): Attributes {
    const read = new Map<string, () => Json | undefined>();
    for (const key in given) {
      if (key.length > KEY_CHARS_MAX) continue;
      if (read.size >= ATTRIBUTES_MAX) break;
      read.set(key, () => given[key] as Json | undefined);
    }
    return read.size === 0 ? Attributes.none : new Attributes(read);
  }

  /** All of them, whatever their order: two that are equal are the same text. */
  identity(): string {
    const names = [...this.#read.keys()].sort();
    return JSON.stringify(names.map((name) => [name, this.#read.get(name)!() ?? null]));
  }

  has(name: string): boolean {
    return this.#read.has(name);
  }

  /** Of the first of these names that there is. */
  value(...names: readonly string[]): Json | undefined {
    for (const name of names) {
      const value = this.#read.get(name)?.();
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  /** Numbers and flags are texts as well: an id may be written as a number. */
  text(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.#read.get(name)?.();
      if (typeof value === 'string' && value.trim() !== '') return value;
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    }
    return undefined;
  }

  number(...names: readonly string[]): number | undefined {
    for (const name of names) {
      const value = numberOf(this.#read.get(name)?.());
      if (value !== undefined) return value;
    }
    return undefined;
  }

  flag(...names: readonly string[]): boolean | undefined {
    for (const name of names) {
      const value = flagOf(this.#read.get(name)?.());
      if (value !== undefined) return value;
    }
    return undefined;
  }
}
