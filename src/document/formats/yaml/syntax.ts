/** Turns the parser's tree into the room's own. */
import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml';
import type { Scalar as Plain, Style, Syntax, SyntaxEntry, SyntaxMap } from '../../types.ts';

/** Anything nested more deeply is refused by every caller, and left out here. */
const DEPTH_MAX = 200;

const STYLES: Readonly<Record<Scalar.Type, Style>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_FOLDED: 'block',
  BLOCK_LITERAL: 'block',
};

export function syntaxOf(node: unknown, at = 0, depth = 0): Syntax {
  const [start, end] = (node as Node | null)?.range ?? [at, at];
  const empty = { start, end, tag: null, anchor: null };
  if (depth > DEPTH_MAX) return { ...empty, kind: 'value', value: null, style: 'plain' };
  if (isAlias(node)) return { ...empty, kind: 'alias', of: node.source };
  if (isPair(node)) return mapOf([node], empty, depth);
  if (!isScalar(node) && !isMap(node) && !isSeq(node))
    return { ...empty, kind: 'value', value: null, style: 'plain' };
  const written = { start, end, tag: node.tag ?? null, anchor: node.anchor ?? null };
  if (isMap(node)) return mapOf(node.items, written, depth);
  if (isSeq(node))
    return {
      ...written,
      kind: 'list',
      items: node.items.map((item) => syntaxOf(item, start, depth + 1)),
    };
  return { ...written, kind: 'value', value: plainOf(node), style: STYLES[node.type ?? 'PLAIN'] };
}

function mapOf(
  pairs: readonly Pair[],
  written: Pick<SyntaxMap, 'start' | 'end' | 'tag' | 'anchor'>,
  depth: number,
): SyntaxMap {
  const entries = pairs.map((pair): SyntaxEntry => {
    const key = syntaxOf(pair.key, written.start, depth + 1);
    const value = syntaxOf(pair.value, key.end, depth + 1);
    return { key, value, isMerge: isMergeKey(pair.key) };
  });
  return { ...written, kind: 'map', entries };
}

/** In YAML 1.1 it is a symbol; quoted, it is an ordinary key. */
function isMergeKey(key: unknown): boolean {
  if (!isScalar(key) || key.type !== 'PLAIN') return false;
  return typeof key.value === 'symbol' || key.value === '<<';
}

/** Dates and bytes, which YAML 1.1 knows, are the text that they were written as. */
function plainOf({ value, source }: Scalar): Plain {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' ? value : (source ?? String(value));
}
