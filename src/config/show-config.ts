/**
 * A configuration for people: durations and sizes with their units, secrets masked; and what
 * changed between an accepted configuration and the one in the file.
 */
import type { z } from 'zod';
import { keyText } from './problem.ts';
import { type Path, writtenForm } from './schema-walk.ts';
import { mask, namesSecret } from './secrets.ts';
import type { Change } from './types.ts';

/** In the form of the file, for printing as YAML or JSON. */
export function showConfig(schema: z.ZodObject, config: unknown): Record<string, unknown> {
  return masked(writtenForm(schema, config), '') as Record<string, unknown>;
}

/**
 * Every key whose meaning differs. Values are compared before they are masked: two different
 * secrets are a change although they look the same.
 */
export function configChanges(schema: z.ZodObject, before: unknown, after: unknown): Change[] {
  const old = leaves(writtenForm(schema, before), []);
  const now = leaves(writtenForm(schema, after), []);
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return keys
    .filter((key) => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key)))
    .map((key) => ({ key, before: text(key, old), after: text(key, now) }));
}

/** Lists are leaves: which item moved where helps nobody. */
function leaves(value: unknown, path: Path): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[keyText(path), value]]);
  return new Map(
    Object.entries(value).flatMap(([key, child]) => [...leaves(child, [...path, key])]),
  );
}

function text(key: string, values: ReadonlyMap<string, unknown>): string | undefined {
  return values.has(key) ? JSON.stringify(masked(values.get(key), key)) : undefined;
}

function masked(value: unknown, key: string): unknown {
  if (typeof value === 'string') {
    if (/^env:\w+$/.test(value)) return value;
    return namesSecret(key.split('.').at(-1) ?? '') && value !== '' ? '***' : mask(value);
  }
  if (Array.isArray(value)) return value.map((item) => masked(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, masked(child, name)]),
  );
}
