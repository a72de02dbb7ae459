/**
 * What a YAML or JSON file says: its values by their path, with aliases followed and merge keys merged,
 * so that a permission cannot be smuggled in by way of an anchor. Strict: unique keys, sound syntax.
 * The text is attacker-controlled: its size, depth and number of values are bounded, and aliases are
 * counted as the values they stand for.
 */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from 'yaml';

const TEXT_UNITS_MAX = 256 * 1024;
const VALUES_MAX = 20_000;
const DEPTH_MAX = 60;

/** Stands for a map or list without anything in it. */
export const EMPTY = '(empty)';

export interface Leaf {
  /** Keys as they are; an item of a list is `- ` and its name or value. */
  readonly path: readonly string[];
  readonly value: string | number | boolean | null;
  readonly line: number;
}

export type Structure =
  | {
      readonly ok: true;
      /** By `keyOf(path)`. */
      readonly leaves: ReadonlyMap<string, Leaf>;
      /** Every path that exists: leaves, maps and lists. */
      readonly paths: ReadonlySet<string>;
      /** Lines with tags that are not YAML's own. */
      readonly tagLines: readonly number[];
    }
  | { readonly ok: false; readonly line: number; readonly why: string };

export function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Left by throwing inside this file only. */
class Unsound extends Error {
  readonly line: number;

  constructor(line: number, why: string) {
    super(why);
    this.line = line;
  }
}

export function readStructure(text: string, format: 'yaml' | 'json'): Structure {
  if (text.length > TEXT_UNITS_MAX)
    return { ok: false, line: 1, why: `it is longer than ${TEXT_UNITS_MAX} characters` };
  try {
    if (format === 'json') requireJson(text);
    return new Walk(text).read();
  } catch (error) {
    if (error instanceof Unsound) return { ok: false, line: error.line, why: error.message };
    // The parser's own recursion gives up on what is nested thousands of times.
    if (error instanceof RangeError) return { ok: false, line: 1, why: 'it is nested too deeply' };
    throw error;
  }
}

/** JSON is YAML, but not the other way round. Its messages repeat the text, so they are not passed on. */
function requireJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = Number(/position (\d+)/.exec(error.message)?.[1] ?? 0);
    throw new Unsound(text.slice(0, at).split('\n').length, 'it is not JSON');
  }
}

interface Taking {
  readonly path: readonly string[];
  readonly taken: Set<string>;
  /** Where the merge key stands; the keys' own lines when nothing is merged. */
  readonly line: number | undefined;
  readonly depth: number;
}

/** Quoted it is a key like any other. */
function isMergeKey(key: Node | null): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

class Walk {
  readonly #lines = new LineCounter();
  readonly #leaves = new Map<string, Leaf>();
  readonly #paths = new Set<string>();
  readonly #tagLines: number[] = [];
  /** What each alias stands for: the nearest anchor of its name before it. */
  readonly #targets = new Map<Alias, Node>();
  readonly #documents: readonly Document.Parsed[];
  #values = 0;

  constructor(text: string) {
    // Unique keys are checked here: the parser's own check takes quadratic time.
    const options = {
      lineCounter: this.#lines,
      uniqueKeys: false,
      strict: true,
      logLevel: 'error',
    };
    const parsed = parseAllDocuments(text, options as Parameters<typeof parseAllDocuments>[1]);
    this.#documents = Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
  }

  read(): Structure {
    this.#documents.forEach((document, index) => {
      const [error] = document.errors;
      if (error !== undefined)
        throw new Unsound(this.#lineAt(error.pos[0]), syntaxWords(error.code));
      for (const warning of document.warnings) this.#tagLines.push(this.#lineAt(warning.pos[0]));
      this.#findTargets(document);
      // Several documents in one file: the second's values are others than the first's.
      const path = index === 0 ? [] : [`document ${index + 1}`];
      this.#visit(document.contents, path, 1);
    });
    const [leaves, paths, tagLines] = [this.#leaves, this.#paths, this.#tagLines];
    return { ok: true, leaves, paths, tagLines };
  }

  #lineAt(offset: number): number {
    return Math.max(1, this.#lines.linePos(offset).line);
  }

  #lineOf(node: Node | null | undefined, fallback: number): number {
    return node?.range == null ? fallback : this.#lineAt(node.range[0]);
  }

  #findTargets(document: Document.Parsed): void {
    const anchors = new Map<string, Node>();
    visit(document, {
      Node: (_, node) => {
        if (isAlias(node)) {
          const target = anchors.get(node.source);
          if (target !== undefined) this.#targets.set(node, target);
        } else if (node.anchor !== undefined) anchors.set(node.anchor, node as Node);
      },
    });
  }

  /** `line` is where the value is asked for, also when an alias leads elsewhere. */
  #visit(node: Node | null | undefined, path: readonly string[], line: number): void {
    if (++this.#values > VALUES_MAX)
      throw new Unsound(line, `it has more than ${VALUES_MAX} values, aliases counted`);
    if (path.length > DEPTH_MAX) throw new Unsound(line, 'it is nested too deeply');
    this.#paths.add(keyOf(path));
    if (isAlias(node)) this.#visit(this.#target(node, line), path, line);
    else if (isMap(node)) this.#visitMap(node as YAMLMap<Node, Node | null>, path, line);
    else if (isSeq(node)) this.#visitList(node.items as Node[], path, line);
    else this.#leaf(path, isScalar(node) ? node.value : null, line);
  }

  #target(alias: Alias, line: number): Node {
    const target = this.#targets.get(alias);
    if (target === undefined) throw new Unsound(line, 'an alias has no anchor before it');
    return target;
  }

  #visitMap(map: YAMLMap<Node, Node | null>, path: readonly string[], line: number): void {
    if (map.items.length === 0) this.#leaf(path, EMPTY, line);
    const names = new Set<string>();
    const taken = new Set<string>();
    for (const { key } of map.items) {
      const at = this.#lineOf(key, line);
      const name = this.#keyName(key, at);
      if (names.has(name)) throw new Unsound(at, 'a key stands twice in one map');
      names.add(name);
    }
    this.#takeKeys(map, { path, taken, line: undefined, depth: 0 });
  }

  /** A map's own keys win over merged ones, and the first of several sources over the next. */
  #takeKeys(map: YAMLMap<Node, Node | null>, into: Taking): void {
    if (++this.#values > VALUES_MAX || into.depth > DEPTH_MAX)
      throw new Unsound(into.line ?? 1, 'its merge keys lead in circles or too far');
    const merges = map.items.filter(({ key }) => isMergeKey(key));
    for (const { key, value } of map.items) {
      const line = into.line ?? this.#lineOf(key, 1);
      const name = this.#keyName(key, line);
      if (isMergeKey(key) || into.taken.has(name)) continue;
      into.taken.add(name);
      this.#visit(value, [...into.path, name], line);
    }
    for (const { key, value } of merges) {
      const line = into.line ?? this.#lineOf(key, 1);
      for (const source of this.#mergeSources(value, line))
        this.#takeKeys(source, { ...into, line, depth: into.depth + 1 });
    }
  }

  #mergeSources(value: Node | null, line: number): YAMLMap<Node, Node | null>[] {
    const given = isAlias(value) ? this.#target(value, line) : value;
    return (isSeq(given) ? (given.items as Node[]) : [given]).map((source) => {
      const map = isAlias(source) ? this.#target(source, line) : source;
      if (!isMap(map)) throw new Unsound(line, 'a merge key (<<) takes a map or a list of maps');
      return map as YAMLMap<Node, Node | null>;
    });
  }

  #keyName(key: Node | null, line: number): string {
    const node = isAlias(key) ? this.#target(key, line) : key;
    if (!isScalar(node)) throw new Unsound(line, 'a key is no plain text');
    return String(node.value);
  }

  #visitList(items: readonly Node[], path: readonly string[], line: number): void {
    if (items.length === 0) this.#leaf(path, EMPTY, line);
    const seen = new Map<string, number>();
    items.forEach((item, index) => {
      const at = this.#lineOf(item, line);
      const name = this.#itemName(isAlias(item) ? this.#target(item, at) : item) ?? `#${index + 1}`;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      this.#visit(item, [...path, `- ${name}${times > 1 ? ` (${times})` : ''}`], at);
    });
  }

  /** How an item is known again when the list's order changes. */
  #itemName(item: Node): string | undefined {
    if (isScalar(item)) return String(item.value);
    if (!isMap(item)) return undefined;
    for (const key of ['name', 'id', 'key']) {
      const value = item.get(key);
      if (typeof value === 'string' || typeof value === 'number') return String(value);
    }
    return undefined;
  }

  #leaf(path: readonly string[], value: unknown, line: number): void {
    const plain =
      typeof value === 'number' || typeof value === 'boolean' || value === null
        ? value
        : String(value);
    this.#leaves.set(keyOf(path), { path, value: plain, line });
  }
}

const SYNTAX_WORDS: Readonly<Record<string, string>> = {
  BAD_INDENT: 'the indentation is wrong, or a bracket is not closed',
  TAB_AS_INDENT: 'a tab is used as indentation',
  MISSING_CHAR: 'a character is missing, such as a closing quote or bracket',
  DUPLICATE_KEY: 'a key stands twice in one map',
  RESOURCE_EXHAUSTION: 'it is nested too deeply',
};

/** The parser's own words repeat the text, so only its codes are used. */
function syntaxWords(code: string): string {
  return SYNTAX_WORDS[code] ?? `the syntax is wrong (${code.toLowerCase().replaceAll('_', ' ')})`;
}
