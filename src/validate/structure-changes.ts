/** What a change does to the values of a file, and which of its keys grant permissions. */
import { EMPTY, keyOf, type Leaf, type Structure } from './structure.ts';
import type { TouchedFile } from './types.ts';

type Sound = Structure & { readonly ok: true };

export interface ValueChange {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly path: readonly string[];
  readonly from: Leaf['value'] | undefined;
  readonly to: Leaf['value'] | undefined;
  /** In the candidate; undefined for what is removed. */
  readonly line: number | undefined;
}

export type StructureChanges =
  | {
      readonly ok: true;
      readonly changes: readonly ValueChange[];
      existed(path: readonly string[]): boolean;
      exists(path: readonly string[]): boolean;
      /** The keys and items directly below it before. */
      keysBefore(path: readonly string[]): readonly string[];
      /** All numbers that stood under a key of this name before. */
      numbersAt(key: string): readonly number[];
    }
  | { readonly ok: false; readonly line: number; readonly why: string };

/** Three tests ask about each file. */
const known = new WeakMap<TouchedFile, { readonly changes: StructureChanges | undefined }>();

/** Undefined for a file without structure on either side. An invalid base proves nothing. */
export function structureChanges(file: TouchedFile): StructureChanges | undefined {
  const kept = known.get(file);
  if (kept !== undefined) return kept.changes;
  const changes = changesOf(file);
  known.set(file, { changes });
  return changes;
}

function changesOf({ before, after }: TouchedFile): StructureChanges | undefined {
  const [old, now] = [before?.structure, after?.structure];
  if (old === undefined && now === undefined) return undefined;
  if (now !== undefined && !now.ok) return now;
  const [was, is] = [old?.ok === true ? old : NOTHING, now ?? NOTHING];
  return {
    ok: true,
    changes: compare(was, is),
    existed: (path) => was.paths.has(keyOf(path)),
    // An existing file has a root, even if it is empty.
    exists: (path) => is.paths.has(keyOf(path)) || (path.length === 0 && after !== undefined),
    keysBefore: (path) => [
      ...new Set(
        [...was.leaves.values()]
          .filter((leaf) => leaf.path.length > path.length)
          .filter((leaf) => path.every((step, at) => leaf.path[at] === step))
          .map((leaf) => leaf.path[path.length]!),
      ),
    ],
    numbersAt: (key) =>
      [...was.leaves.values()].flatMap(({ path, value }) =>
        path.at(-1) === key && typeof value === 'number' ? [value] : [],
      ),
  };
}

const NOTHING: Sound = { ok: true, leaves: new Map(), paths: new Set(), tagLines: [] };

function compare(was: Sound, is: Sound): ValueChange[] {
  const changes: ValueChange[] = [];
  for (const [key, { path, value, line }] of is.leaves) {
    const old = was.leaves.get(key);
    if (old === undefined) changes.push({ kind: 'added', path, from: undefined, to: value, line });
    else if (!Object.is(old.value, value))
      changes.push({ kind: 'changed', path, from: old.value, to: value, line });
  }
  for (const [key, { path, value }] of was.leaves)
    if (!is.leaves.has(key))
      changes.push({ kind: 'removed', path, from: value, to: undefined, line: undefined });
  return changes;
}

/** `allowedTools`, `allowed_tools` and `Allowed Tools` are the same words. */
export function wordsOf(key: string): string[] {
  return key
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

export function isItem(component: string): boolean {
  return component.startsWith('- ');
}

/** A number, or one with a unit such as `30s` or `5 MB`. */
export function isQuantity(value: ValueChange['to']): boolean {
  return typeof value === 'number' || (typeof value === 'string' && QUANTITY.test(value));
}

/** `30`, `1.5 s`, `1h30m`, `PT6S`. */
const QUANTITY =
  /^(?:[-+]?\d{1,15}(?:\.\d{1,15})?\s?[a-z%]{0,8}|(?:\d{1,9}(?:ms|[dhms])){2,5}|PT(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}(?:\.\d{1,9})?S)?)$/i;

/** Turned off, or empty. */
export function isOff(value: ValueChange['to']): boolean {
  return value === false || value === null || value === EMPTY;
}
