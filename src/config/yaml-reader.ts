/**
 * From YAML to plain values with the place of each, and everything that is wrong before any schema
 * is asked: syntax, duplicate keys, aliases without end, tags, `__proto__`, literal secrets.
 * Linear in the file: aliases, depth and the number of values are bounded.
 */
import { lineIndex, readYamlParts, type YamlPart } from '../document/at-start.ts';
import type { Syntax, SyntaxMap } from '../document/index.ts';
import { type Finding, type Place, problem } from './problem.ts';
import type { Path } from './schema-walk.ts';
import { holdsSecret, shown, shownKey } from './secrets.ts';
import type { Problem } from './types.ts';

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
  /** The place of a key and its value; the nearest parent's if the file does not have it. */
  spotOf(path: Path): Spot;
  /** Whether a problem was found at this very path already. */
  isReported(path: Path): boolean;
}

interface Walk {
  readonly file: string;
  readonly problems: Problem[];
  readonly reported: Set<string>;
  readonly spots: Map<string, Spot>;
  readonly anchors: Map<string, Syntax>;
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
  for (const part of readYamlParts(text)) {
    reportSyntax(walk, part);
    readRoot(walk, part, root, keys);
  }
  return {
    value: root,
    problems: walk.problems,
    spotOf: (path) => spotOf(walk, path),
    isReported: (path) => walk.reported.has(pathKey(path)),
  };
}

function reportSyntax(walk: Walk, part: YamlPart): void {
  // One mistake often gives several errors on its line; the first says it best.
  const lines = new Set<number>();
  for (const { offset, ...words } of part.errors) {
    const place = walk.placeAt(offset);
    if (lines.has(place.line)) continue;
    lines.add(place.line);
    walk.problems.push(problem(walk.file, { code: 'syntax', place, path: [], ...words }));
  }
  if (part.hasDirectives)
    report(walk, [], {
      code: 'unsupported',
      place: walk.placeAt(part.start),
      expected: 'no directives',
      found: 'a line that starts with %',
    });
}

function readRoot(walk: Walk, part: YamlPart, root: Record<string, unknown>, keys: Keys): void {
  const { root: contents } = part;
  if (contents.kind === 'value' && contents.value === null) return;
  const place = walk.placeAt(part.start + contents.start);
  if (contents.kind === 'map') {
    checkProperties(walk, contents, [], place);
    readMap(walk, part, contents, { path: [], into: root, keys });
    return;
  }
  if (part.damagedFrom !== Number.POSITIVE_INFINITY) return;
  const found = contents.kind === 'value' ? shown(contents.value) : 'a list';
  report(walk, [], { code: 'wrong_type', place, expected: 'sections such as "store:"', found });
}

interface Target {
  readonly path: Path;
  readonly into: Record<string, unknown>;
  readonly keys: Keys;
}

function readMap(walk: Walk, part: YamlPart, map: SyntaxMap, target: Target): void {
  for (const { key, value } of map.entries) {
    // The parser has reported keys that are not strings.
    if (key.kind !== 'value') continue;
    const name = String(key.value ?? '');
    const path = [...target.path, name];
    const place = walk.placeAt(part.start + key.start);
    checkProperties(walk, key, path, place);
    const refusal = refuseKey(name, target.keys.get(name));
    if (refusal !== undefined) {
      // A refused key is dropped, so it says nothing about the key that came first.
      if (isTrusted(part, key)) walk.problems.push(problem(walk.file, { ...refusal, place, path }));
      continue;
    }
    target.keys.set(name, place);
    setSpot(walk, part, path, place, value);
    target.into[name] = readValue(walk, part, value, path);
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

function readValue(walk: Walk, part: YamlPart, node: Syntax, path: Path): unknown {
  const place = walk.spots.get(pathKey(path))?.value ?? { line: 1, column: 1 };
  walk.values += 1;
  const excess = excessOf(walk, path);
  if (excess !== undefined) {
    // Said once: every further value would say it again.
    if (walk.values <= VALUES_MAX + 1) report(walk, path, { code: 'too_large', place, ...excess });
    return null;
  }
  if (node.kind === 'alias') return readAlias(walk, part, node.of, path, place);
  checkProperties(walk, node, path, place);
  if (node.kind === 'map') {
    const into: Record<string, unknown> = {};
    readMap(walk, part, node, { path, into, keys: new Map() });
    return into;
  }
  if (node.kind === 'list')
    return node.items.map((item, index) => readItem(walk, part, item, [...path, index]));
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

function readItem(walk: Walk, part: YamlPart, item: Syntax, path: Path): unknown {
  setSpot(walk, part, path, walk.placeAt(part.start + item.start), item);
  return readValue(walk, part, item, path);
}

function readAlias(walk: Walk, part: YamlPart, name: string, path: Path, place: Place): unknown {
  walk.aliases += 1;
  const target = walk.anchors.get(name);
  if (target !== undefined && walk.aliases <= ALIASES_MAX)
    return readValue(walk, part, target, path);
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
function checkProperties(walk: Walk, node: Syntax, path: Path, place: Place): void {
  if (node.anchor !== null) walk.anchors.set(node.anchor, node);
  if (node.tag === null) return;
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

function setSpot(walk: Walk, part: YamlPart, path: Path, key: Place, node: Syntax): void {
  const value = node.start === node.end ? key : walk.placeAt(part.start + node.start);
  walk.spots.set(pathKey(path), { key, value, trusted: isTrusted(part, node) });
}

/** A text that runs into the damage is not what somebody wrote; a mapping may start well. */
function isTrusted(part: YamlPart, { kind, start, end }: Syntax): boolean {
  return part.start + (kind === 'value' ? end : start) < part.damagedFrom;
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
