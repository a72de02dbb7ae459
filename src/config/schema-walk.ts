/** Reads a section's schema: what a key expects, which keys there are, how a value is written. */
import { z } from 'zod';
import { typeNote } from './fields.ts';

export type Path = readonly (string | number)[];

/** The schema below defaults and the like. */
export function inner(schema: z.core.$ZodType): z.core.$ZodType {
  const wraps =
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodOptional;
  return wraps ? inner(schema.unwrap()) : schema;
}

/** The schema at a path; undefined where the file has a key that the schema has not. */
export function schemaAt(root: z.core.$ZodType, path: Path): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = inner(root);
  for (const step of path) {
    if (schema instanceof z.ZodObject) {
      const shape = schema.shape as Record<string, z.core.$ZodType>;
      schema = Object.hasOwn(shape, step) ? shape[step] : undefined;
    } else if (schema instanceof z.ZodArray) schema = schema.element;
    else return undefined;
    if (schema === undefined) return undefined;
    schema = inner(schema);
  }
  return schema;
}

/** What a configuration, or a file, has at a path. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

export function keysOf(schema: z.core.$ZodType | undefined): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Every key's paths by its name, for somebody who put it into the wrong section. */
export function homesOf(root: z.core.$ZodType): ReadonlyMap<string, readonly Path[]> {
  const homes = new Map<string, Path[]>();
  const walk = (schema: z.core.$ZodType, path: Path): void => {
    for (const key of keysOf(schema)) {
      const here = [...path, key];
      homes.set(key, [...(homes.get(key) ?? []), here]);
      const child = schemaAt(schema, [key]);
      if (child !== undefined) walk(child, here);
    }
  };
  walk(inner(root), []);
  return homes;
}

/** Reads on after "expected": "a whole number from 1 to 100". */
export function expectedOf(wrapped: z.core.$ZodType): string {
  const schema = inner(wrapped);
  const note = typeNote(schema);
  if (note !== undefined) return note.expects;
  if (schema instanceof z.ZodEnum) return oneOf(schema.options);
  if (schema instanceof z.ZodNumber) return numberText(schema);
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodArray) return `a list, each item ${expectedOf(schema.element)}`;
  if (schema instanceof z.ZodObject) return objectText(schema);
  if (schema instanceof z.ZodRecord) return `names, each with ${expectedOf(schema.valueType)}`;
  if (schema instanceof z.ZodUnion) return oneOf(schema.options.map(expectedOf));
  if (schema instanceof z.ZodLiteral)
    return oneOf([...schema.values].map((one) => (one === '' ? 'nothing' : String(one))));
  if (schema instanceof z.ZodString) return lengthText(schema);
  return 'something else';
}

function oneOf(words: readonly (string | number)[]): string {
  if (words.length < 2) return String(words[0]);
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function numberText(schema: z.ZodNumber): string {
  const kind = schema.isInt ? 'a whole number' : 'a number';
  const { minValue: min, maxValue: max } = schema;
  const low = min !== null && Number.isFinite(min) && min > Number.MIN_SAFE_INTEGER;
  const high = max !== null && Number.isFinite(max) && max < Number.MAX_SAFE_INTEGER;
  if (low && high) return `${kind} from ${min} to ${max}`;
  if (low) return `${kind} of at least ${min}`;
  return high ? `${kind} of at most ${max}` : kind;
}

function lengthText(schema: z.ZodString): string {
  const { minLength: min, maxLength: max } = schema;
  const kind = min !== null && min > 0 ? 'a text that is not empty' : 'a text';
  return max === null ? kind : `${kind}, at most ${max} characters`;
}

function objectText(schema: z.ZodObject): string {
  const keys = Object.keys(schema.shape);
  if (keys.length > 4) return 'keys and values below it';
  return `keys and values (${keys.join(', ')})`;
}

/** A parsed value in the form of the file: durations and sizes with their units. */
export function writtenForm(wrapped: z.core.$ZodType | undefined, value: unknown): unknown {
  const schema = wrapped === undefined ? undefined : inner(wrapped);
  const write = schema === undefined ? undefined : typeNote(schema)?.write;
  if (write !== undefined) return write(value as never);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => writtenForm(schema.element, item));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      writtenForm(schema === undefined ? undefined : schemaAt(schema, [key]), child),
    ]),
  );
}
