/**
 * What a configuration that another build parsed means to this one, key by key. For an installation whose
 * accepted text this build no longer takes: it can be looked at, stopped and led out of there.
 */
import type { z } from 'zod';
import { keyText } from './problem.ts';
import { inner, keysOf, type Path, schemaAt, writtenForm } from './schema-walk.ts';

export interface CarriedOver<C> {
  readonly config: C;
  /** Keys whose value this build does not take: they have its default. */
  readonly lost: readonly string[];
}

/** Undefined where nothing valid comes of it. */
export function carryOver<S extends z.ZodObject>(
  schema: S,
  old: unknown,
): CarriedOver<z.output<S>> | undefined {
  const lost: string[] = [];
  const parsed = schema.safeParse(taken(schema, old, { path: [], lost }), { jitless: true });
  return parsed.success ? { config: parsed.data, lost } : undefined;
}

/** In the form of the file, and only what is valid by itself; keys of other builds are left out. */
function taken(
  schema: z.core.$ZodType,
  old: unknown,
  { path, lost }: { path: Path; lost: string[] },
): Record<string, unknown> {
  const values = typeof old === 'object' && old !== null ? (old as Record<string, unknown>) : {};
  const kept: Record<string, unknown> = {};
  for (const key of keysOf(inner(schema)).filter((one) => Object.hasOwn(values, one))) {
    const child = schemaAt(schema, [key])!;
    const here = [...path, key];
    if (keysOf(child).length > 0) kept[key] = taken(child, values[key], { path: here, lost });
    else if (isTaken(child, values[key])) kept[key] = writtenForm(child, values[key]);
    else lost.push(keyText(here));
  }
  return kept;
}

function isTaken(schema: z.core.$ZodType, old: unknown): boolean {
  try {
    return (schema as z.ZodType).safeParse(writtenForm(schema, old), { jitless: true }).success;
  } catch {
    // A value of another kind than this build would write.
    return false;
  }
}
