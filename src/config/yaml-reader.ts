/**
 * From YAML to plain values with the place of each, and everything that is wrong before any schema
 * is asked: syntax, duplicate keys, aliases without end, tags, `__proto__`, literal secrets.
 * Linear in the file: aliases, depth and the number of values are bounded.
 */
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { type Finding, type Place, problem } from './problem.ts';
import type { Path } from './schema-walk.ts';
import { holdsSecret, shown, shownKey } from './secrets.ts';
import { lineIndex } from './source-text.ts';
import { syntaxWords } from './syntax-words.ts';
import type { Problem } from './types.ts';
import { type Block, parseBlocks } from './yaml-blocks.ts';

const DEPTH_MAX = 32;
const ALIASES_MAX = 100;
const VALUES_MAX = 20_000;

interface Spot {
  readonly key: Place;
  readonly value: Place;
  /** False where a syntax error makes what was read a guess. */
  readonly trusted: boolean;
}

export interface Reading {
  readonly value: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
  /** Where a key and its value stand; the nearest parent's where the file does not have it. */
  spotOf(path: Path): Spot;
  /** Whether a problem was found at this very path already. */
  isReported(path: Path): boolean;
}

interface Walk {
  readonly file: string;
  readonly problems: Problem[];
  readonly reported: Set<string>;
  readonly spots: Map<string, Spot>;
  readonly anchors: Map<string, Node>;
  readonly placeAt: (offset: number) => Place;
  aliases: number;
  values: number;
}

type Keys = Map<string, Place>;

export function readYaml(text: string, file: string): Reading {
  const walk: Walk = {
    file,
    problems: [],
    reported: new Set(),
    spots: new Map(),
    anchors: new Map(),
    placeAt: lineIndex(text),
    aliases: 0,
    values: 0,
  };
  const top = { line: 1, column: 1 };
  walk.spots.set(pathKey([]), { key: top, value: top, trusted: true });
  const root: Record<string, unknown> = {};
  const keys: Keys = new Map();
  for (const block of parseBlocks(text)) {
    reportSyntax(walk, block);
    readRoot(walk, block, root, keys);
  }
  return {
    value: root,
    problems: walk.problems,
    spotOf: (path) => spotOf(walk, path),
    isReported: (path) => walk.reported.has(pathKey(path)),
  };
}

function reportSyntax(walk: Walk, block: Block): void {
  // One mistake often gives several errors on its line; the first says it best.
  const lines = new Set<number>();
  for (const { code, offset } of block.errors) {
    const place = walk.placeAt(offset);
    if (lines.has(place.line)) continue;
    lines.add(place.line);
    walk.problems.push(
      problem(walk.file, { code: 'syntax', place, path: [], ...syntaxWords(code) }),
    );
  }
  const { yaml, tags } = block.document.directives;
  if (yaml.explicit === true || Object.keys(tags).some((handle) => handle !== '!!'))
    report(walk, [], {
      code: 'unsupported',
      place: walk.placeAt(block.start),
      expected: 'no directives',
      found: 'a line that starts with %',
    });
}

function readRoot(walk: Walk, block: Block, root: Record<string, unknown>, keys: Keys): void {
  const { contents } = block.document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return;
  const place = walk.placeAt(block.start + (contents.range?.[0] ?? 0));
  if (isMap(contents)) {
    checkProperties(walk, contents, [], place);
    readMap(walk, block, contents as YAMLMap, { path: [], into: root, keys });
    return;
  }
  if (block.damagedFrom !== Number.POSITIVE_INFINITY) return;
  const found = isScalar(contents) ? shown(contents.value) : 'a list';
  report(walk, [], { code: 'wrong_type', place, expected: 'sections such as "store:"', found });
}

interface Target {
  readonly path: Path;
  readonly into: Record<string, unknown>;
  readonly keys: Keys;
}

function readMap(walk: Walk, block: Block, map: YAMLMap, target: Target): void {
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    // The parser has reported keys that are no texts.
    if (!isScalar(pair.key)) continue;
    const name = String(pair.key.value ?? '');
    const path = [...target.path, name];
    const place = walk.placeAt(block.start + (pair.key.range?.[0] ?? 0));
    checkProperties(walk, pair.key, path, place);
    const refusal = refuseKey(name, target.keys.get(name));
    if (refusal !== undefined) {
      // A refused key is dropped, so it says nothing about the key that came first.
      if (isTrusted(block, pair.key))
        walk.problems.push(problem(walk.file, { ...refusal, place, path }));
      continue;
    }
    target.keys.set(name, place);
    setSpot(walk, block, path, place, pair.value);
    target.into[name] = readValue(walk, block, pair.value, path);
  }
}

function refuseKey(
  name: string,
  first: Place | undefined,
): Omit<Finding, 'place' | 'path'> | undefined {
  if (name === '__proto__')
    return { code: 'unsupported', expected: 'a key of the configuration', found: '__proto__' };
  if (name === '<<')
    return {
      code: 'unsupported',
      expected: 'the keys themselves',
      found: 'a merge key (<<)',
      advice: 'YAML 1.2 has no merge keys; write the keys out.',
    };
  if (first === undefined) return undefined;
  const found = `"${shownKey(name)}" again (first in line ${first.line})`;
  return { code: 'duplicate_key', expected: 'each key once', found };
}

function readValue(walk: Walk, block: Block, node: Node | null, path: Path): unknown {
  if (node === null) return null;
  const place = walk.spots.get(pathKey(path))?.value ?? { line: 1, column: 1 };
  walk.values += 1;
  const excess = excessOf(walk, path);
  if (excess !== undefined) {
    // Said once: every further value would say it again.
    if (walk.values <= VALUES_MAX + 1) report(walk, path, { code: 'too_large', place, ...excess });
    return null;
  }
  if (isAlias(node)) return readAlias(walk, block, node.source, path, place);
  checkProperties(walk, node, path, place);
  if (isMap(node)) {
    const into: Record<string, unknown> = {};
    readMap(walk, block, node as YAMLMap, { path, into, keys: new Map() });
    return into;
  }
  if (isSeq(node))
    return node.items.map((item, index) => readItem(walk, block, item, [...path, index]));
  const { value } = node;
  if (typeof value === 'string' && holdsSecret(value)) reportSecret(walk, path, place, value);
  return value;
}

function excessOf(walk: Walk, path: Path): Pick<Finding, 'expected' | 'found'> | undefined {
  if (path.length > DEPTH_MAX)
    return { expected: `at most ${DEPTH_MAX} levels`, found: 'a value nested more deeply' };
  if (walk.values > VALUES_MAX)
    return { expected: `at most ${VALUES_MAX} values`, found: 'more, counting aliases' };
  return undefined;
}

function readItem(walk: Walk, block: Block, item: unknown, path: Path): unknown {
  const node = item as Node;
  const place = walk.placeAt(block.start + (node.range?.[0] ?? 0));
  setSpot(walk, block, path, place, node);
  return readValue(walk, block, node, path);
}

function readAlias(walk: Walk, block: Block, name: string, path: Path, place: Place): unknown {
  walk.aliases += 1;
  const target = walk.anchors.get(name);
  if (target !== undefined && walk.aliases <= ALIASES_MAX)
    return readValue(walk, block, target, path);
  if (target === undefined)
    report(walk, path, {
      code: 'syntax',
      place,
      expected: `an anchor "&${shownKey(name)}" above`,
      found: 'none',
      advice: 'A text that starts with * needs quotes.',
    });
  else if (walk.aliases === ALIASES_MAX + 1)
    report(walk, path, {
      code: 'too_large',
      place,
      expected: `at most ${ALIASES_MAX} aliases`,
      found: 'more',
    });
  return null;
}

/** Anchors are remembered in the order of the file, as YAML has it: an alias means the last one. */
function checkProperties(walk: Walk, node: Node, path: Path, place: Place): void {
  if (isAlias(node)) return;
  if (node.anchor !== undefined) walk.anchors.set(node.anchor, node);
  if (node.tag === undefined) return;
  report(walk, path, {
    code: 'unsupported',
    place,
    expected: 'a value without a tag',
    found: `the tag ${shownKey(node.tag)}`,
  });
}

function reportSecret(walk: Walk, path: Path, place: Place, value: string): void {
  report(walk, path, {
    code: 'secret',
    place,
    expected: 'no secret in the file',
    found: shown(value, String(path.at(-1) ?? '')),
    advice:
      'Put it into an environment variable and write env:NAME, such as env:HONE_DATABASE_URL.',
  });
}

function report(walk: Walk, path: Path, finding: Omit<Finding, 'path'>): void {
  if (walk.spots.get(pathKey(path))?.trusted === false) return;
  walk.reported.add(pathKey(path));
  walk.problems.push(problem(walk.file, { ...finding, path }));
}

function setSpot(walk: Walk, block: Block, path: Path, key: Place, node: Node | null): void {
  const offset = node?.range?.[0];
  const empty = node === null || (isScalar(node) && node.source === '');
  const value = empty || offset === undefined ? key : walk.placeAt(block.start + offset);
  walk.spots.set(pathKey(path), { key, value, trusted: node === null || isTrusted(block, node) });
}

/** A text that runs into the damage is not what somebody wrote; a mapping may start well. */
function isTrusted(block: Block, node: Node): boolean {
  const [from, to] = node.range ?? [0, 0];
  return block.start + (isScalar(node) ? to : from) < block.damagedFrom;
}

function spotOf(walk: Walk, path: Path): Spot {
  for (let length = path.length; length > 0; length -= 1) {
    const spot = walk.spots.get(pathKey(path.slice(0, length)));
    if (spot !== undefined) return spot;
  }
  return { key: { line: 1, column: 1 }, value: { line: 1, column: 1 }, trusted: true };
}

function pathKey(path: Path): string {
  return JSON.stringify(path);
}
