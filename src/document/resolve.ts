/**
 * From syntax to meaning: aliases are followed, merge keys merged, equal keys refused. An alias means the
 * last anchor of its name before it. Each piece of the text is resolved once, so that aliases cost nothing here; walking
 * every path to the values counts them in full, and is bounded.
 */
import { quantityOf } from './quantity.ts';
import type {
  Document,
  DocumentValue,
  Entry,
  Limits,
  ListNode,
  MapNode,
  Node,
  Place,
  Step,
  Syntax,
  SyntaxList,
  SyntaxMap,
  SyntaxValue,
} from './types.ts';

/** Left by throwing inside this room only. */
export class Unsound extends Error {
  readonly line: number;

  constructor(line: number, why: string) {
    super(why);
    this.line = line;
  }
}

interface Source {
  readonly text: string;
  readonly lineAt: (offset: number) => number;
  readonly limits: Limits;
}

interface Spot {
  readonly document: number;
  readonly path: readonly string[];
}

export function resolve(
  documents: readonly Syntax[],
  source: Source,
): Pick<Document, 'roots' | 'values' | 'places'> {
  const values: DocumentValue[] = [];
  const counted = { left: source.limits.valuesMax };
  const roots = documents.map((syntax, document) =>
    new Resolver(source, values, counted).node(syntax, { document, path: [] }),
  );
  // A map may be written in several pieces (TOML's tables).
  values.sort((a, b) => a.start - b.start);
  return { roots, values, places: placesOf(roots, source) };
}

class Resolver {
  readonly #source: Source;
  readonly #values: DocumentValue[];
  readonly #counted: { left: number };
  /** `open` while the content of the anchor is not resolved yet. */
  readonly #anchors = new Map<string, Node | 'open'>();

  constructor(source: Source, values: DocumentValue[], counted: { left: number }) {
    this.#source = source;
    this.#values = values;
    this.#counted = counted;
  }

  node(syntax: Syntax, spot: Spot): Node {
    this.#count(syntax.start);
    if (spot.path.length > this.#source.limits.depthMax) this.#fail(syntax.start, TOO_DEEP);
    if (syntax.kind === 'alias') return this.#target(syntax.of, syntax.start);
    const { anchor } = syntax;
    if (anchor !== null) this.#anchors.set(anchor, 'open');
    const node = this.#own(syntax, spot);
    // Further below, the same name may have been given again.
    if (anchor !== null && this.#anchors.get(anchor) === 'open') this.#anchors.set(anchor, node);
    return node;
  }

  #own(syntax: SyntaxMap | SyntaxList | SyntaxValue, spot: Spot): Node {
    if (syntax.kind === 'map') return this.#map(syntax, spot);
    return syntax.kind === 'list' ? this.#list(syntax, spot) : this.#value(syntax, spot);
  }

  #target(name: string, at: number): Node {
    const target = this.#anchors.get(name);
    if (target === undefined) this.#fail(at, 'an alias has no anchor before it');
    if (target === 'open') this.#fail(at, 'an alias refers to itself');
    return target;
  }

  #map({ entries, start, end }: SyntaxMap, spot: Spot): MapNode {
    const own = new Map<string, Entry>();
    const names = new Set<string>();
    const merges: { readonly at: number; readonly node: Node }[] = [];
    for (const { key, value, isMerge } of entries) {
      const name = this.#keyName(key);
      // Quoted, a merge key is an ordinary key beside it.
      const unique = isMerge ? '' : `:${name}`;
      if (names.has(unique)) this.#fail(key.start, 'a key appears twice in one map');
      names.add(unique);
      const node = this.node(value, { ...spot, path: [...spot.path, name] });
      if (isMerge) merges.push({ at: key.start, node });
      else own.set(name, { key: name, line: this.#source.lineAt(key.start), node });
    }
    for (const { at, node } of merges) this.#merge(own, node, at);
    return { kind: 'map', entries: [...own.values()], start, end };
  }

  /** A map's own keys win over merged ones, and the first of several sources over the next. */
  #merge(into: Map<string, Entry>, given: Node, at: number): void {
    const line = this.#source.lineAt(at);
    const sources = given.kind === 'list' ? given.items.map(({ node }) => node) : [given];
    for (const source of sources) {
      if (source.kind !== 'map') this.#fail(at, 'a merge key (<<) takes a map or a list of maps');
      for (const entry of source.entries) {
        this.#count(at);
        if (!into.has(entry.key)) into.set(entry.key, { ...entry, line });
      }
    }
  }

  #keyName(key: Syntax): string {
    const node = key.kind === 'alias' ? this.#target(key.of, key.start) : key;
    if (node.kind !== 'value') this.#fail(key.start, 'a key is not a plain string');
    if (key.kind === 'value' && key.anchor !== null)
      this.#anchors.set(key.anchor, this.#made(key, { document: 0, path: [] }));
    return String(node.value).toWellFormed();
  }

  #list({ items, start, end }: SyntaxList, spot: Spot): ListNode {
    const found = items.map((item, index) => ({
      line: this.#source.lineAt(item.start),
      node: this.node(item, { ...spot, path: [...spot.path, String(index)] }),
    }));
    return { kind: 'list', items: found, start, end };
  }

  #value(syntax: SyntaxValue, spot: Spot): DocumentValue {
    const value = this.#made(syntax, spot);
    this.#values.push(value);
    return value;
  }

  #made({ anchor: _, ...syntax }: SyntaxValue, spot: Spot): DocumentValue {
    const { text, lineAt } = this.#source;
    const { value, start, end, style, tag, unit } = syntax;
    const own = text.slice(start, end);
    const isPlain = tag === null && style !== 'block';
    const written = isPlain ? quantityOf(typeof value === 'string' ? value : own) : null;
    const quantity = written === null || unit === undefined ? written : { ...written, unit };
    return { ...syntax, ...spot, line: lineAt(start), text: own, quantity };
  }

  #count(at: number): void {
    this.#counted.left -= 1;
    if (this.#counted.left < 0) this.#fail(at, tooMany(this.#source.limits));
  }

  #fail(at: number, why: string): never {
    throw new Unsound(this.#source.lineAt(at), why);
  }
}

const TOO_DEEP = 'it is nested too deeply';
const tooMany = ({ valuesMax }: Limits) => `it has more than ${valuesMax} values, counting aliases`;

/** Every way to every value, in the order of the maps and lists. */
function placesOf(roots: readonly Node[], { lineAt, limits }: Source): Place[] {
  const places: Place[] = [];
  let left = limits.valuesMax;
  const visit = (node: Node, document: number, steps: readonly Step[]): void => {
    left -= 1;
    if (left < 0) throw new Unsound(lineAt(node.start), tooMany(limits));
    if (steps.length > limits.depthMax) throw new Unsound(lineAt(node.start), TOO_DEEP);
    if (node.kind === 'value') places.push({ value: node, document, steps });
    else if (node.kind === 'map')
      for (const { key, node: below } of node.entries)
        visit(below, document, [...steps, { key, node: below }]);
    else
      for (const [index, { node: below }] of node.items.entries())
        visit(below, document, [...steps, { key: String(index), node: below }]);
  };
  for (const [document, root] of roots.entries()) visit(root, document, []);
  return places;
}
