/**
 * Where a value stands in the target's files: keys that lead to it in a structured file, or an expression with one
 * group in any text, such as a constant in code. The files may have been changed by anything: a place that cannot
 * be read gives nothing, and never throws.
 */
import { isCollection, isNode, LineCounter, parseDocument } from 'yaml';

const FILE_CHARS_MAX = 262_144;

export type TargetFiles = ReadonlyMap<string, string>;

export interface Place {
  readonly file: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly match?: string | undefined;
}

export interface Found {
  readonly value: unknown;
  /** From 1. */
  readonly line: number;
}

export function findPlace(files: TargetFiles, { file, path, match }: Place): Found | undefined {
  const text = files.get(file);
  if (text === undefined || text.length > FILE_CHARS_MAX) return undefined;
  if (match !== undefined) return findMatch(text, match);
  return path === undefined ? undefined : findPath(text, file, path);
}

/** What a person sees as this place, such as `tools.search.wait` or the expression itself. */
export function shownPlace({ file, path, match }: Place): string {
  return `${file}: ${path?.join('.') ?? match ?? 'anywhere'}`;
}

function findMatch(text: string, match: string): Found | undefined {
  const found = new RegExp(match, 'dm').exec(text);
  const [start] = found?.indices?.[1] ?? found?.indices?.[0] ?? [];
  if (found === null || start === undefined) return undefined;
  return { value: found[1] ?? found[0], line: lineAt(text, start) };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

type Path = readonly (string | number)[];

function findPath(text: string, file: string, path: Path): Found | undefined {
  const ending = /\.([a-z]+)$/.exec(file)?.[1];
  if (ending === 'toml') return findLine(text, path, true);
  if (ending === 'md' || ending === 'mdc') {
    const front = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text);
    const found = front && findInYaml(front[1]!, path);
    return found ? { ...found, line: found.line + 1 } : undefined;
  }
  if (ending === 'jsonc') return findInYaml(withoutComments(text), path);
  if (ending === 'yaml' || ending === 'yml' || ending === 'json') return findInYaml(text, path);
  return findLine(text, path, false);
}

interface Read {
  readonly lines: LineCounter;
  readonly contents: unknown;
  readonly value: unknown;
}

/** An agent reads a dozen settings from a file, again at each session; most files stay as they are. */
const READ_MAX = 64;
const READ = new Map<string, Read | undefined>();

function readYaml(text: string): Read | undefined {
  if (READ.has(text)) return READ.get(text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const { contents, errors } = document;
  const read = errors.length > 0 ? undefined : { lines, contents, value: document.toJS() };
  READ.set(text, read);
  if (READ.size > READ_MAX) READ.delete(READ.keys().next().value!);
  return read;
}

/** JSON is YAML. The line is the value's own, or that of the alias or the merge key that brings it. */
function findInYaml(text: string, path: Path): Found | undefined {
  try {
    const read = readYaml(text);
    if (read === undefined) return undefined;
    const { lines, contents } = read;
    let { value } = read;
    for (const key of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
        return undefined;
      value = (value as Record<string | number, unknown>)[key];
    }
    return { value, line: lines.linePos(offsetOf(contents, path)).line };
  } catch {
    return undefined;
  }
}

function offsetOf(root: unknown, path: Path): number {
  let node = root;
  let offset = 0;
  for (const key of path) {
    node = isCollection(node) ? node.get(key, true) : undefined;
    if (!isNode(node)) break;
    offset = node.range?.[0] ?? offset;
  }
  return offset;
}

function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith('"') ? part : part.replace(/[^\n]/g, ' '),
  );
}

/** `key = value` by lines, below `[table]` headers where a format has them; `.env`, INI and simple TOML. */
function findLine(text: string, path: Path, isToml: boolean): Found | undefined {
  const wanted = path.join('.');
  let table = '';
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}/.exec(line)?.[1];
    if (header !== undefined) {
      table = `${header.replace(/["'\s]/g, '')}.`;
      continue;
    }
    const [, key, rest] = /^\s*(?:export\s+)?([\w."'-]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || rest === undefined) continue;
    const name = key.replace(/["']/g, '');
    if (table + name === wanted) return { value: bare(rest), line: index + 1 };
    const inner = isToml ? inlineValue(rest, wanted, `${table}${name}.`) : undefined;
    if (inner !== undefined) return { value: bare(inner), line: index + 1 };
  }
  return undefined;
}

/** `{ wait = 5, tries = 2 }` */
function inlineValue(text: string, wanted: string, prefix: string): string | undefined {
  if (!text.startsWith('{') || !wanted.startsWith(prefix)) return undefined;
  const key = wanted.slice(prefix.length);
  const pairs = text.slice(1, text.lastIndexOf('}')).split(',');
  const pair = pairs.find((one) => one.split('=')[0]!.trim() === key);
  return pair?.slice(pair.indexOf('=') + 1).trim();
}

function bare(text: string): unknown {
  const quoted = /^"([^"]*)"|^'([^']*)'/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  const plain = text.replace(/\s+[#;].*$/, '').trim();
  if (plain.startsWith('['))
    return [...plain.matchAll(/"([^"]*)"|'([^']*)'|([\w.-]+)/g)].map(
      (one) => one[1] ?? one[2] ?? one[3],
    );
  return numberIn(plain) ?? plain;
}

/** A number as files write it, quoted or not: `800`, `1_200`, `"30"`. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?\s*$/.test(value))
    return undefined;
  return Number(value.replaceAll('_', ''));
}

export const UNIT_MS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 } as const;
export type Unit = keyof typeof UNIT_MS;

const WRITTEN_UNITS = new Map<string, number>([
  ...['ms', 'msec', 'millis', 'milliseconds'].map((unit) => [unit, 1] as const),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((unit) => [unit, 1000] as const),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((unit) => [unit, 60_000] as const),
  ...['h', 'hour', 'hours'].map((unit) => [unit, 3_600_000] as const),
]);

const ISO_DURATION = /^PT(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/;

/** A time as files write it: a number of the unit that its reader expects, or with its own, such as `"1m30s"` or `"PT10M"`. */
export function durationIn(value: unknown, unit: Unit): number | undefined {
  const plain = numberIn(value);
  if (plain !== undefined) return plain * UNIT_MS[unit];
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const iso = ISO_DURATION.exec(text);
  if (iso !== null) {
    const [hours, minutes, seconds] = iso.slice(1).map((part) => Number(part ?? 0));
    return ((hours! * 60 + minutes!) * 60 + seconds!) * 1000;
  }
  if (!/^(?:\d+(?:\.\d+)?\s*[a-z]+\s*)+$/i.test(text)) return undefined;
  let totalMs = 0;
  for (const [, amount, name] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const each = WRITTEN_UNITS.get(name!.toLowerCase());
    if (each === undefined) return undefined;
    totalMs += Number(amount) * each;
  }
  return totalMs;
}

/** What can be compared: a number, a time in milliseconds, or undefined for any other value. */
export function amountIn(value: unknown): number | undefined {
  return numberIn(value) ?? durationIn(value, 'ms');
}
