/**
 * Changes one number, true or false in a YAML or JSON text. Only the bytes of that value are replaced, so comments,
 * quotes, line ends and alignment stay; the new text is parsed again, and exactly that value must
 * differ. The text is attacker-controlled: parsing is linear in its size.
 */
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Scalar } from 'yaml';

/** One value of the text: a scalar, an alias, or an empty list or map. */
interface Leaf {
  readonly document: number;
  readonly path: readonly string[];
  /** Everything a reader could tell: kind, value, tag, anchors. */
  readonly means: string;
  /** Of the node itself and of everything around it. */
  readonly anchors: readonly string[];
  readonly number: {
    readonly value: number | boolean;
    readonly start: number;
    readonly end: number;
  } | null;
}

export interface PlainNumber {
  readonly value: number | boolean;
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** How many aliases lead to it, so that a change is seen there too. */
  readonly aliases: number;
}

export interface NumberPlace {
  readonly path: readonly string[];
  readonly value: number | boolean;
  /** Tells equal places of several documents apart. */
  readonly line: number;
}

/** Undefined when the text is no sound YAML or has no such number there. */
export function findNumber(text: string, place: NumberPlace): PlainNumber | undefined {
  const leaves = leavesOf(text) ?? [];
  const found = leaves.flatMap(({ number, path, anchors }) => {
    if (number === null || number.value !== place.value || !samePath(path, place.path)) return [];
    const line = text.slice(0, number.start).split('\n').length;
    const aliases = leaves.filter((one) => anchors.some((name) => one.means === `*${name}`)).length;
    return [{ ...number, line, aliases }];
  });
  return found.length === 1 ? found[0] : found.find(({ line }) => line === place.line);
}

/** The text with the number replaced; undefined when more or less than that would change. */
export function replaceNumber(
  text: string,
  old: PlainNumber,
  value: number | boolean,
): string | undefined {
  const next = text.slice(0, old.start) + String(value) + text.slice(old.end);
  const [before, after] = [leavesOf(text), leavesOf(next)];
  if (before === undefined || after === undefined || before.length !== after.length)
    return undefined;
  const changed = after.filter((leaf, at) => !sameLeaf(leaf, before[at]!));
  const [only] = changed;
  const right = only?.number?.start === old.start && only.number.value === value;
  return changed.length === 1 && right ? next : undefined;
}

function samePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

function sameLeaf(one: Leaf, other: Leaf): boolean {
  return (
    one.document === other.document && one.means === other.means && samePath(one.path, other.path)
  );
}

const DEPTH_MAX = 40;

type Spot = Pick<Leaf, 'document' | 'path' | 'anchors'>;

class Unsound extends Error {}

function leavesOf(text: string): Leaf[] | undefined {
  try {
    return readLeaves(text);
  } catch (error) {
    // The parser calls itself for each level of nesting.
    if (error instanceof Unsound || error instanceof RangeError) return undefined;
    throw error;
  }
}

function readLeaves(text: string): Leaf[] {
  // The parser's own checks for equal keys and its pretty errors take quadratic time.
  const options = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
  const documents = parseAllDocuments(text, options);
  const leaves: Leaf[] = [];
  for (const [document, one] of ('empty' in documents ? [] : documents).entries()) {
    if (one.errors.length > 0) throw new Unsound();
    collect(leaves, one.contents, { document, path: [], anchors: [] });
  }
  return leaves;
}

function collect(leaves: Leaf[], node: unknown, spot: Spot): void {
  if (spot.path.length > DEPTH_MAX) throw new Unsound();
  if (isAlias(node)) {
    leaves.push({ ...spot, means: `*${node.source}`, number: null });
    return;
  }
  const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
  const anchors = anchor === undefined ? spot.anchors : [...spot.anchors, anchor];
  const below = (key: string): Spot => ({ ...spot, path: [...spot.path, key], anchors });
  if (isMap(node) && node.items.length > 0) {
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      const name = keyOf(key);
      if (seen.has(name)) throw new Unsound();
      seen.add(name);
      collect(leaves, value, below(name));
    }
  } else if (isSeq(node) && node.items.length > 0) {
    node.items.forEach((item, index) => {
      collect(leaves, item, below(String(index)));
    });
  } else if (isScalar(node)) {
    leaves.push({ ...spot, anchors, means: scalarMeans(node, anchors), number: numberOf(node) });
  } else {
    const means = JSON.stringify([isMap(node), isSeq(node), anchors]);
    leaves.push({ ...spot, anchors, means, number: null });
  }
}

function keyOf(key: unknown): string {
  if (!isScalar(key)) throw new Unsound();
  // In YAML 1.1 the merge key is a symbol.
  return typeof key.value === 'symbol' ? '<<' : String(key.value).toWellFormed();
}

function scalarMeans(node: Scalar, anchors: readonly string[]): string {
  return JSON.stringify([
    typeof node.value,
    String(node.value),
    node.type,
    node.tag ?? '',
    anchors,
  ]);
}

/** Quoted or tagged numbers are somebody's deliberate text. */
function numberOf({ value, range, type, tag }: Scalar): Leaf['number'] {
  if (type !== 'PLAIN' || tag !== undefined || !range) return null;
  if (typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value)))
    return null;
  return { value, start: range[0], end: range[1] };
}
