/**
 * How a room declares its part of `hone.yaml`: `section(key, title, { name: field(type, default,
 * comment) })`. Promises that every key has a default and a one-line comment, so an empty file is
 * valid and `hone init` can explain every line it writes.
 */
import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Composed, Section } from './types.ts';

interface FieldNote {
  readonly comment: string;
  /** The default as a person would write it: `24h`, not 86400000. */
  readonly written: unknown;
}

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

/** One key: its type, its default as it is written in the file, and the comment above it. */
export function field<T extends z.ZodType>(
  type: T,
  written: z.input<T>,
  comment: string,
): Field<T> {
  assert(/^\S[^\n]*$/.test(comment), `a field needs a one-line comment, not "${comment}"`);
  const schema = z.prefault(type, written) as Field<T>;
  fieldNotes.set(schema, { comment, written });
  return schema;
}

/** Keys that belong together below one key. */
export function group<S extends Shape>(comment: string, shape: S): Field<Group<S>> {
  return field(strict(shape), {} as z.input<Group<S>>, comment);
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
