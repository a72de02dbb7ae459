/**
 * How a room declares its part of `hone.yaml`: `section(key, title, { name: field(type, default,
 * { weakens, comment }) })`. Promises that every key has a default, a one-line comment and the direction in
 * which a change of it weakens what holds: an empty file is valid, `hone init` can explain every line it
 * writes, and nobody weakens anything by a key that was forgotten. `asked` marks the few keys that
 * `hone init` writes.
 */

import { z } from 'zod';
import { assert } from '../base/index.ts';
import type { Composed, Section } from './types.ts';
import type { AnyWeakens, Weakens } from './weakens.ts';

interface FieldNote {
  readonly comment: string;
  readonly choices: readonly Choice[];
  /** The default as a person would write it: `24h`, not 86400000. */
  readonly written: unknown;
  readonly weakens: AnyWeakens;
  readonly asked: Asked | undefined;
}

/** One of the words that a key takes, with a clause for the reference. The list may grow; the comment does not. */
export interface Choice {
  readonly name: string;
  readonly about: string;
}

/** Nobody but the person can decide this key, so `hone init` writes it. */
interface Asked<T = unknown> {
  /** An item for a list that is still empty. It is written as a comment inside the list. */
  readonly example?: T;
}

/** An item of a list type. */
type ItemOf<T> = T extends readonly (infer I)[] ? I : never;

interface TypeNote {
  /** Reads on after "expected": "a duration such as 24h". */
  readonly expects: string;
  /** The written form of a parsed value, where they differ. */
  readonly write?: (value: never) => string;
  /** Written in quotes, because a small edit would otherwise stop being a plain YAML text. */
  readonly quoted?: boolean;
}

// Beside the schemas and not in zod's global registry: the notes are ours alone, and an entry must
// go when its schema goes.
const fieldNotes = new WeakMap<z.core.$ZodType, FieldNote>();
const typeNotes = new WeakMap<z.core.$ZodType, TypeNote>();

export type Field<T extends z.ZodType = z.ZodType> = z.ZodPrefault<T>;
export type Shape = Readonly<Record<string, Field>>;
type Group<S extends Shape> = z.ZodObject<{ -readonly [K in keyof S]: S[K] }, z.core.$strict>;

/** One key: its type, its default as it is written in the file, and what is said about it. */
export function field<T extends z.ZodType>(
  type: T,
  written: z.input<T>,
  note: {
    readonly weakens: Weakens<z.output<T>>;
    readonly comment: string;
    readonly choices?: readonly Choice[];
    readonly asked?: Asked<ItemOf<z.input<T>>>;
  },
): Field<T> {
  const { comment, weakens, asked, choices = [] } = note;
  assert(/^\S[^\n]*$/.test(comment), `a field needs a one-line comment, not "${comment}"`);
  assert(isDirection(weakens), `a field says which change of it weakens: "${comment}"`);
  const schema = z.prefault(type, written) as Field<T>;
  fieldNotes.set(schema, { comment, choices, written, weakens: weakens as AnyWeakens, asked });
  return schema;
}

/** Also where no type checker looked. */
function isDirection(weakens: unknown): boolean {
  return typeof weakens === 'string' || (typeof weakens === 'object' && weakens !== null);
}

/** Keys that belong together below one key. Each says for itself what weakens. */
export function group<S extends Shape>(comment: string, shape: S): Field<Group<S>> {
  return field(strict(shape), {} as z.input<Group<S>>, { comment, weakens: 'any' });
}

export function section<const K extends string, S extends Shape>(
  key: K,
  title: string,
  shape: S,
): Section<K, Group<S>> {
  assert(/^[a-z][A-Za-z0-9]*$/.test(key), `"${key}" is no name for a section`);
  return { key, title, schema: strict(shape) };
}

export function composeSections<const S extends readonly Section[]>(sections: S): Composed<S> {
  const shape: Record<string, z.ZodType> = {};
  for (const { key, schema } of sections) {
    assert(!Object.hasOwn(shape, key), `two rooms contribute the section "${key}"`);
    shape[key] = z.prefault(schema, {});
  }
  return z.strictObject(shape) as unknown as Composed<S>;
}

function strict<S extends Shape>(shape: S): Group<S> {
  for (const [key, child] of Object.entries(shape))
    assert(fieldNotes.has(child), `"${key}" was not made by field() or group()`);
  return z.strictObject(shape) as unknown as Group<S>;
}

/** Says how a type of this room reads in messages and in the file. */
export function noted<T extends z.ZodType>(schema: T, note: TypeNote): T {
  typeNotes.set(schema, note);
  return schema;
}

export function fieldNote(schema: z.core.$ZodType): FieldNote {
  const note = fieldNotes.get(schema);
  assert(note !== undefined, 'a key of a section was not made by field() or group()');
  return note;
}

export function typeNote(schema: z.core.$ZodType): TypeNote | undefined {
  return typeNotes.get(schema);
}
