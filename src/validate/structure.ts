/**
 * What a file says, so that two of it can be compared: its values by their path, with aliases followed and merge keys
 * merged, so that a permission cannot be smuggled in by way of an anchor. What is hostile is bounded.
 */
import { formatOf, type Node, readDocument, type Scalar } from '../document/index.ts';

const TEXT_UNITS_MAX = 256 * 1024;
const VALUES_MAX = 20_000;

/** Stands for a map or list without anything in it. */
export const EMPTY = '(empty)';

export interface Leaf {
  /** Keys as they are; an item of a list is `- ` and its name or value. */
  readonly path: readonly string[];
  readonly value: Scalar;
  readonly line: number;
}

export type Structure =
  | {
      readonly ok: true;
      /** By `keyOf(path)`. */
      readonly leaves: ReadonlyMap<string, Leaf>;
      /** Every path that exists: leaves, maps and lists. */
      readonly paths: ReadonlySet<string>;
      /** Lines with tags that are not the format's own. */
      readonly tagLines: readonly number[];
    }
  | { readonly ok: false; readonly line: number; readonly why: string };

export function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Undefined for a file without structure: of no known format, or a text without front matter. */
export function readStructure(path: string, text: string): Structure | undefined {
  if (formatOf(path) === undefined) return undefined;
  if (text.length > TEXT_UNITS_MAX)
    return { ok: false, line: 1, why: `it is longer than ${TEXT_UNITS_MAX} characters` };
  const reading = readDocument(path, text, { valuesMax: VALUES_MAX });
  if (!reading.ok) return reading;
  const { format, roots, problems } = reading.document;
  // Another reader of the target may be stricter than the one that the change was made for.
  const loose = problems.find(({ code }) => code === 'not_strict');
  if (loose !== undefined) return { ok: false, line: loose.line, why: loose.why };
  if (format.isProse && roots.length === 0) return undefined;
  const [leaves, paths] = [new Map<string, Leaf>(), new Set<string>()];
  const typed = format.isUntyped === true ? asRead : (value: Scalar) => value;
  // Several documents in one file: the second's values are others than the first's.
  for (const [index, root] of roots.entries())
    collect(
      root,
      { path: index === 0 ? [] : [`document ${index + 1}`], line: 1 },
      { leaves, paths, typed },
    );
  const tagLines = problems.filter(({ code }) => code === 'unknown_tag').map(({ line }) => line);
  return { ok: true, leaves, paths, tagLines };
}

interface Found {
  readonly leaves: Map<string, Leaf>;
  readonly paths: Set<string>;
  readonly typed: (value: Scalar) => Scalar;
}

/** As a reader of texts takes them: `VERIFY=false` is a switch, and `LEVEL=0` a number. */
function asRead(value: Scalar): Scalar {
  if (typeof value !== 'string') return value;
  if (/^(?:true|yes|on)$/i.test(value)) return true;
  if (/^(?:false|no|off)$/i.test(value)) return false;
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value;
}

/** `line` is where the value is used, even if an alias leads elsewhere. */
function collect(node: Node, { path, line }: Omit<Leaf, 'value'>, found: Found): void {
  found.paths.add(keyOf(path));
  const leaf = (value: Scalar) => void found.leaves.set(keyOf(path), { path, value, line });
  if (node.kind === 'value') leaf(found.typed(node.value));
  else if (node.kind === 'map') {
    if (node.entries.length === 0) leaf(EMPTY);
    for (const { key, line: at, node: below } of node.entries)
      collect(below, { path: [...path, key], line: at }, found);
  } else {
    if (node.items.length === 0) leaf(EMPTY);
    const seen = new Map<string, number>();
    for (const [index, { line: at, node: below }] of node.items.entries()) {
      const name = itemName(below) ?? `#${index + 1}`;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      const step = `- ${name}${times > 1 ? ` (${times})` : ''}`;
      collect(below, { path: [...path, step], line: at }, found);
    }
  }
}

/** How an item is known again when the list's order changes. */
function itemName(item: Node): string | undefined {
  if (item.kind === 'value') return String(item.value);
  if (item.kind === 'list') return undefined;
  const at = (wanted: string) => item.entries.find(({ key }) => key === wanted)?.node;
  for (const wanted of ['name', 'id', 'key']) {
    const own = at(wanted);
    if (own?.kind === 'value' && (typeof own.value === 'string' || typeof own.value === 'number'))
      return String(own.value);
  }
  // As OpenAI's tools are written: `{ type: function, function: { name: … } }`.
  const inner = at('function');
  return inner?.kind === 'map' ? itemName(inner) : undefined;
}
