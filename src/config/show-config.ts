/**
 * A configuration for people: durations and sizes with their units, secrets masked; and what
 * changed between an accepted configuration and the one in the file.
 */
import type { z } from 'zod';
import { keyText } from './problem.ts';
import { type Path, valueAt, writtenForm } from './schema-walk.ts';
import { mask, namesSecret } from './secrets.ts';
import type { Change } from './types.ts';
import { leavesOf } from './weakens.ts';

/** In the form of the file, for printing as YAML or JSON. */
export function showConfig(schema: z.ZodObject, config: unknown): Record<string, unknown> {
  return masked(writtenForm(schema, config), '') as Record<string, unknown>;
}

/** The same without the keys that have their default. */
export function setKeys(schema: z.ZodObject, config: unknown): Record<string, unknown> {
  const defaults = schema.parse({}, { jitless: true });
  const set: Record<string, unknown> = {};
  const shown = showConfig(schema, config);
  for (const { path } of leavesOf(schema)) {
    const [value, usual] = [valueAt(config, path), valueAt(defaults, path)];
    if (JSON.stringify(value) !== JSON.stringify(usual)) setAt(set, path, valueAt(shown, path));
  }
  return set;
}

function setAt(root: Record<string, unknown>, path: Path, value: unknown): void {
  const [step, ...rest] = path;
  if (rest.length === 0) root[step!] = value;
  else {
    root[step!] ??= {};
    setAt(root[step!] as Record<string, unknown>, rest, value);
  }
}

/**
 * Every key whose meaning differs; `before` may be what another build read. Values are compared before they are masked: two different
 * secrets are a change although they look the same.
 */
export function configChanges(schema: z.ZodObject, before: unknown, after: unknown): Change[] {
  const old = leaves(writtenBefore(schema, before), []);
  const now = leaves(writtenForm(schema, after), []);
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return keys
    .filter((key) => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key)))
    .map((key) => ({ key, before: text(key, old), after: text(key, now) }));
}

/** A value of another kind than this build writes is shown as it is. */
function writtenBefore(schema: z.ZodObject, before: unknown): unknown {
  try {
    return writtenForm(schema, before);
  } catch {
    return before;
  }
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
