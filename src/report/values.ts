/**
 * Bounded access to values of unknown shape: other programs wrote them. Nothing here throws, and names are made
 * such as the room takes them.
 */
import { canonicalJson, type Json, sha256Hex } from '../base/index.ts';
import { NAME_MAX, NAMES_MAX } from '../facts/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Some editors and languages begin a file with it. */
const BYTE_ORDER_MARK = '\ufeff';
/** Below the room's own limit for a raw text. */
const TEXT_CHARS_MAX = 60_000;

export function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text));
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

/** The line's object, if it is one. */
export function fieldsIn(line: string): Fields | undefined {
  const start = withoutMark(line).trimStart();
  return start.startsWith('{') ? fieldsOf(parsedJson(start)) : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function own(fields: Fields | undefined, key: string): unknown {
  return fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** By a dotted path; a key with dots in it is found first. */
export function valueAt(value: unknown, path: string): unknown {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  if (Object.hasOwn(fields, path)) return fields[path];
  if (!path.includes('.')) return undefined;
  let at: unknown = fields;
  for (const key of partsOf(path)) {
    if (Array.isArray(at)) at = /^\d{1,6}$/.test(key) ? at[Number(key)] : undefined;
    else at = own(fieldsOf(at), key);
    if (at === undefined) return undefined;
  }
  return at;
}

/** Paths are of the code or of the configuration: there are few. */
const PATHS_MAX = 2000;
const paths = new Map<string, readonly string[]>();

function partsOf(path: string): readonly string[] {
  const known = paths.get(path);
  if (known !== undefined) return known;
  const parts = path.split('.');
  if (paths.size >= PATHS_MAX) paths.clear();
  paths.set(path, parts);
  return parts;
}

/** The first of the paths that leads to something. */
export function firstAt(value: unknown, ...paths: readonly string[]): unknown {
  for (const path of paths) {
    const found = valueAt(value, path);
    if (found !== undefined && found !== null && found !== '') return found;
  }
  return undefined;
}

export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const digits = value.trim();
  if (!/^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?$/.test(digits))
    return undefined;
  const number = Number(digits);
  return Number.isFinite(number) ? number : undefined;
}

/** A number that is not negative, such as of tokens or bytes. */
export function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

/** One line of at most 200 characters. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  // Bounded before it is searched; what a name says in its second thousand characters is no name.
  const name = value
    .slice(0, 2000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (name === '') return undefined;
  return name.length <= NAME_MAX && value.length <= 2000 ? name : shortened(name);
}

/**
 * Cut where a word ends, never inside one: half a secret may not look like one to the sanitiser. The end
 * of its hash keeps two long names apart.
 */
function shortened(name: string): string {
  const mark = ` …${sha256Hex(name).slice(0, 8)}`;
  const head = name.slice(0, NAME_MAX - mark.length);
  const edge = Math.max(head.lastIndexOf(' '), head.lastIndexOf('/'), head.lastIndexOf(','));
  return `${edge > 0 ? head.slice(0, edge) : 'long name'}${mark}`;
}

/** A text as it stands, or the JSON of anything else; undefined if there is none. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : bounded(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === undefined || value === null) return undefined;
  return bounded(JSON.stringify(value));
}

/** Cut at a space or line end near the limit, or not kept at all. */
export function bounded(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return text;
  const head = text.slice(0, TEXT_CHARS_MAX);
  const edge = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n'));
  return edge > TEXT_CHARS_MAX / 2
    ? head.slice(0, edge)
    : 'A text without any space that is too long.';
}

/** How many bytes it has as JSON or text; undefined if there is nothing. */
export function bytesOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}

/** What a call's arguments say, given as an object or as its JSON. */
export function argumentsOf(value: unknown): {
  readonly argumentNames?: readonly string[];
  readonly arguments?: string;
  readonly inputBytes?: number;
} {
  const given = typeof value === 'string' ? (fieldsIn(value) ?? value) : value;
  const inputBytes = bytesOf(value);
  if (inputBytes === undefined) return {};
  const fields = fieldsOf(given);
  if (fields === undefined) return { inputBytes };
  const names = Object.keys(fields).slice(0, NAMES_MAX).map(nameOf);
  const canonical = canonicalOf(fields);
  return {
    inputBytes,
    argumentNames: names.filter((name) => name !== undefined),
    ...(canonical === undefined ? {} : { arguments: canonical }),
  };
}

function canonicalOf(fields: Fields): string | undefined {
  try {
    const text = canonicalJson(fields as Json);
    return text.length <= TEXT_CHARS_MAX ? text : undefined;
  } catch {
    return undefined;
  }
}
