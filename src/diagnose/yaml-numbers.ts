/**
 * Every number of a YAML or JSON text, with its place. The text is attacker-controlled: parsing and
 * walking are linear in its size, aliases are counted (each one is walked again), depth is bounded.
 * Promises: `start` and `end` cut exactly the number's source out of the text.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml';
import type { Setting, Step, TimeUnit } from './types.ts';
import { wordsOf } from './wording.ts';

const DEPTH_MAX = 40;
const ALIASES_MAX = 500;
const VALUES_MAX = 200_000;
const KEY_CHARS_MAX = 200;

export type YamlNumber = Omit<Setting, 'file'>;
export type YamlReading =
  | { readonly numbers: readonly YamlNumber[] }
  /** Goes on after "The file x ": "is no YAML". */
  | { readonly refused: string };

class Refused extends Error {}

interface Place {
  readonly path: readonly string[];
  readonly steps: readonly Step[];
}

interface Anchored extends Place {
  readonly node: Node;
}

interface Walk {
  readonly lines: LineCounter;
  readonly numbers: YamlNumber[];
  readonly anchors: Map<string, Anchored>;
  documentName: string | null;
  aliases: number;
  values: number;
}

export function readYamlNumbers(text: string): YamlReading {
  try {
    return { numbers: numbersOf(text) };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message };
    // The parser calls itself for each level of nesting.
    if (error instanceof RangeError) return { refused: 'is nested too deeply' };
    throw error;
  }
}

function numbersOf(text: string): YamlNumber[] {
  const lines = new LineCounter();
  // The parser's own checks for equal keys and its pretty errors take quadratic time.
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const numbers: YamlNumber[] = [];
  const all = 'empty' in documents ? [] : documents;
  for (const document of all) {
    const [error] = document.errors;
    if (error !== undefined)
      throw new Refused(`is no YAML (line ${lines.linePos(error.pos[0]).line})`);
    const documentName = nameOf(document.contents);
    const walk: Walk = { lines, numbers, anchors: new Map(), documentName, aliases: 0, values: 0 };
    visit(walk, document.contents, { path: [], steps: [] }, true);
  }
  return numbers;
}

/** `fresh`: not reached by an alias, so the place in the file is the one that led here. */
function visit(walk: Walk, node: unknown, place: Place, fresh: boolean): void {
  walk.values += 1;
  if (walk.values > VALUES_MAX) throw new Refused(`has more than ${VALUES_MAX} values`);
  if (place.path.length > DEPTH_MAX || place.steps.length > DEPTH_MAX)
    throw new Refused(`is nested more deeply than ${DEPTH_MAX} levels`);
  if (isAlias(node)) {
    followAlias(walk, node.source, place);
    return;
  }
  const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
  if (anchor !== undefined && fresh) walk.anchors.set(anchor, { node: node as Node, ...place });
  if (isMap(node)) {
    const seen = new Set<string>();
    for (const pair of node.items) {
      const key = keyOf(pair.key);
      if (seen.has(key)) throw new Refused('has the same key twice in one place');
      seen.add(key);
      visit(walk, pair.value, below(place, key, pair.value), fresh);
    }
  } else if (isSeq(node)) {
    node.items.forEach((item, index) => {
      visit(walk, item, below(place, String(index), item), fresh);
    });
  } else {
    addNumber(walk, node, place);
  }
}

/** An alias means the last anchor of its name above it; what it leads to stands where the anchor is. */
function followAlias(walk: Walk, name: string, place: Place): void {
  walk.aliases += 1;
  if (walk.aliases > ALIASES_MAX) throw new Refused(`has more than ${ALIASES_MAX} aliases`);
  const target = walk.anchors.get(name);
  if (target === undefined) throw new Refused('has an alias without its anchor');
  const last = place.steps.at(-1);
  const steps = last
    ? [...place.steps.slice(0, -1), { key: last.key, name: nameOf(target.node) }]
    : [];
  visit(walk, target.node, { path: target.path, steps }, false);
}

function addNumber(walk: Walk, node: unknown, place: Place): void {
  // A quoted or tagged number is somebody's deliberate text; NaN and infinity are no limits.
  if (!isScalar(node) || node.type !== 'PLAIN' || node.tag !== undefined) return;
  const { value, range } = node;
  if (typeof value !== 'number' || !Number.isFinite(value) || !range) return;
  if (place.path.length === 0) return;
  walk.numbers.push({
    line: walk.lines.linePos(range[0]).line,
    path: place.path,
    value,
    unit: unitOf(place.path),
    start: range[0],
    end: range[1],
    steps: place.steps,
    documentName: walk.documentName,
  });
}

function below(place: Place, key: string, value: unknown): Place {
  if (key.length > KEY_CHARS_MAX)
    throw new Refused(`has a key of more than ${KEY_CHARS_MAX} characters`);
  const step = { key, name: nameOf(value) };
  return { path: [...place.path, key], steps: [...place.steps, step] };
}

function keyOf(key: unknown): string {
  if (!isScalar(key)) throw new Refused('has a key that is no text');
  // In YAML 1.1 the merge key is a symbol.
  return typeof key.value === 'symbol' ? '<<' : String(key.value).toWellFormed();
}

const NAME_KEYS: readonly unknown[] = ['name', 'id', 'tool', 'agent'];

/** What a map calls itself. */
function nameOf(node: unknown): string | null {
  if (!isMap(node)) return null;
  for (const wanted of NAME_KEYS) {
    for (const { key, value } of node.items) {
      if (!isScalar(key) || key.value !== wanted || !isScalar(value)) continue;
      if (typeof value.value === 'string') return value.value.slice(0, KEY_CHARS_MAX);
    }
  }
  return null;
}

const UNITS: Readonly<Record<string, TimeUnit>> = {
  ms: 'ms',
  msec: 'ms',
  msecs: 'ms',
  millis: 'ms',
  millisecond: 'ms',
  milliseconds: 'ms',
  s: 's',
  sec: 's',
  secs: 's',
  second: 's',
  seconds: 's',
  min: 'min',
  mins: 'min',
  minute: 'min',
  minutes: 'min',
  h: 'h',
  hour: 'h',
  hours: 'h',
};

/** `timeout_ms`, `waitSeconds`, `timeout: { ms: … }`, `timeouts_ms: { read: … }`. */
function unitOf(path: readonly string[]): TimeUnit | null {
  for (const key of path.slice(-2).reverse()) {
    const last = wordsOf(key).at(-1) ?? '';
    if (Object.hasOwn(UNITS, last)) return UNITS[last]!;
  }
  return null;
}
