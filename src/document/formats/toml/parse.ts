/** TOML as a tree of what is written. A date and a number that no program here can hold exactly are texts. */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { GrowingMap, type Span } from '../../growing-map.ts';
import type { Parsed, Scalar, Style, Syntax } from '../../types.ts';

type Table = GrowingMap<Tables>;

/** `[[name]]`: a list of tables that is still growing. */
class Tables {
  readonly kind = 'list';
  readonly tag = null;
  readonly anchor = null;
  readonly items: Table[] = [];
  readonly start: number;
  end: number;

  constructor({ start, end }: Span) {
    this.start = start;
    this.end = end;
  }
}

export function parseToml(text: string): Parsed {
  const source = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  try {
    const [top] = parseTOML(source, { tomlVersion: '1.0' }).body;
    const root = new GrowingMap<Tables>({ start: 0, end: text.length });
    for (const part of top.body)
      if (part.type === 'TOMLKeyValue') put(root, part, source);
      else putTable(root, part, source);
    return { documents: [root], sections: [], problems: [] };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const offset = Math.max(0, Math.min(text.length, error.index));
    const why = 'it is not valid TOML, or it says something twice';
    return { documents: [], sections: [], problems: [{ code: 'syntax', offset, why }] };
  }
}

function putTable(root: Table, table: AST.TOMLTable, text: string): void {
  const names = table.key.keys;
  const own = spanOf(table);
  let at = root;
  names.forEach((name, index) => {
    at.end = Math.max(at.end, own.end);
    const key = nameOf(name);
    const isNew = index === names.length - 1 && table.kind === 'array';
    at = isNew ? addItem(at, key, { key: spanOf(name), own }) : inner(at, key, spanOf(name), own);
  });
  for (const pair of table.body) put(at, pair, text);
}

function addItem(at: Table, key: string, spans: { key: Span; own: Span }): Table {
  const there = at.get(key);
  const list = there instanceof Tables ? there : new Tables(spans.own);
  if (list !== there) at.add(key, spans.key, list);
  const item = new GrowingMap<Tables>(spans.own);
  list.items.push(item);
  list.end = spans.own.end;
  return item;
}

/** The table of that name, made where there is none; of a list of tables the last one. */
function inner(at: Table, key: string, keySpan: Span, own: Span): Table {
  const there = at.get(key);
  if (there instanceof GrowingMap) return there;
  if (there instanceof Tables) return there.items.at(-1)!;
  const made = new GrowingMap<Tables>(own);
  at.add(key, keySpan, made);
  return made;
}

function put(table: Table, pair: AST.TOMLKeyValue, text: string): void {
  const names = pair.key.keys;
  let at = table;
  names.forEach((name, index) => {
    const key = nameOf(name);
    if (index === names.length - 1) at.add(key, spanOf(name), syntaxOf(pair.value, text));
    else at = inner(at, key, spanOf(name), spanOf(pair));
  });
}

function syntaxOf(node: AST.TOMLContentNode, text: string): Syntax {
  const common = { ...spanOf(node), tag: null, anchor: null };
  if (node.type === 'TOMLArray')
    return { kind: 'list', items: node.elements.map((one) => syntaxOf(one, text)), ...common };
  if (node.type === 'TOMLInlineTable') {
    const table = new GrowingMap<Tables>(common);
    for (const pair of node.body) put(table, pair, text);
    return table;
  }
  return { kind: 'value', ...scalarOf(node, text.slice(common.start, common.end)), ...common };
}

function scalarOf(node: AST.TOMLValue, written: string): { value: Scalar; style: Style } {
  if (node.kind === 'string') {
    const style = node.multiline ? 'block' : node.style === 'literal' ? 'single' : 'double';
    return { value: node.value, style };
  }
  if (node.kind === 'boolean') return { value: node.value, style: 'plain' };
  if (node.kind === 'integer' && Number.isSafeInteger(node.value))
    return { value: node.value, style: 'plain' };
  if (node.kind === 'float' && Number.isFinite(node.value))
    return { value: node.value, style: 'plain' };
  return { value: written, style: 'plain' };
}

function nameOf(name: AST.TOMLBare | AST.TOMLQuoted): string {
  return name.type === 'TOMLBare' ? name.name : name.value;
}

function spanOf({ range: [start, end] }: { readonly range: [number, number] }): Span {
  return { start, end };
}
