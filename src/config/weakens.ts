/**
 * Which change of a key weakens Hone: who decides, what is judged, what is seen, who is told, who reaches
 * the server. Every key says it where it is declared, so that a new key cannot be forgotten, and one walk over
 * the declarations finds what a person must prove to be an operator for.
 */
import { z } from 'zod';
import { canonicalJson, type Json } from '../base/index.ts';
import { fieldNote } from './fields.ts';
import { keyText } from './problem.ts';
import { inner, type Path, valueAt } from './schema-walk.ts';

/** The value's type says which words make sense. */
export type Weakens<V> =
  /** Any other value, because each way can be the weaker one, or because it moves what holds elsewhere. */
  | 'any'
  /** Nothing rests on it. */
  | 'never'
  | Judged<V>
  | ([V] extends [number] ? 'higher' | 'lower' : never)
  /** An item that is new, or one that is gone; an item with another value is both. */
  | ([V] extends [readonly unknown[]] ? 'addition' | 'removal' : never)
  | ([V] extends [string | boolean] ? { readonly strictestFirst: readonly V[] } : never);

/** For values whose weaker direction has no name. */
interface Judged<V> {
  /** Reads on after "weaker: ". */
  readonly when: string;
  // A method, so that a declaration for one type can be kept among those for all.
  isWeaker(before: V, after: V): boolean;
}

/** For lists without which Hone does nothing yet: to name the first is to set it up, and weakens nothing. */
export const ONCE_NAMED = {
  when: 'any change, once it is set',
  isWeaker: (before: readonly unknown[]) => before.length > 0,
};

/** As it is kept, for any type. */
export type AnyWeakens =
  | 'any'
  | 'never'
  | 'higher'
  | 'lower'
  | 'addition'
  | 'removal'
  | Judged<never>
  | { readonly strictestFirst: readonly unknown[] };

export interface Leaf {
  readonly path: Path;
  readonly schema: z.core.$ZodType;
  readonly weakens: AnyWeakens;
}

/** Every key with a value of its own, in the order of the sections. */
export function leavesOf(schema: z.core.$ZodType, path: Path = []): Leaf[] {
  const object = inner(schema) as z.ZodObject;
  return Object.entries(object.shape).flatMap(([key, child]) => {
    const here = [...path, key];
    if (inner(child) instanceof z.ZodObject) return leavesOf(child, here);
    return [{ path: here, schema: child, weakens: fieldNote(child).weakens }];
  });
}

/**
 * `before` may be what another build read. A key that it did not have weakens nothing; a value that cannot be
 * compared does.
 */
export function weakenedKeys(schema: z.ZodObject, before: unknown, after: unknown): string[] {
  return leavesOf(schema)
    .filter(({ path, weakens }) => isWeaker(weakens, valueAt(before, path), valueAt(after, path)))
    .map(({ path }) => keyText(path));
}

function isWeaker(weakens: AnyWeakens, before: unknown, after: unknown): boolean {
  if (before === undefined || weakens === 'never' || text(before) === text(after)) return false;
  if (weakens === 'any') return true;
  if (typeof before !== typeof after || Array.isArray(before) !== Array.isArray(after)) return true;
  if (typeof weakens === 'object') {
    if ('isWeaker' in weakens) return judged(weakens, before, after);
    const order = weakens.strictestFirst;
    return !order.includes(before) || order.indexOf(after) > order.indexOf(before);
  }
  const compare = {
    higher: () => (after as number) > (before as number),
    lower: () => (after as number) < (before as number),
    addition: () => hasMore(after, before),
    removal: () => hasMore(before, after),
  };
  return compare[weakens]();
}

function judged(weakens: Judged<never>, before: unknown, after: unknown): boolean {
  try {
    return weakens.isWeaker(before as never, after as never);
  } catch {
    return true;
  }
}

function hasMore(one: unknown, other: unknown): boolean {
  const known = new Set((other as unknown[]).map(text));
  return (one as unknown[]).some((item) => !known.has(text(item)));
}

function text(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value as Json);
}

/** For the reference and for `hone config accept`. */
export function weakensText(weakens: AnyWeakens): string {
  if (typeof weakens === 'string') return WORDS[weakens];
  if ('isWeaker' in weakens) return weakens.when;
  return `towards ${String(weakens.strictestFirst.at(-1))}`;
}

const WORDS = {
  any: 'any change',
  never: 'never',
  higher: 'higher',
  lower: 'lower',
  addition: 'one more',
  removal: 'one less',
} as const;
