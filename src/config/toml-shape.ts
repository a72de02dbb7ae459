/**
 * The structure of a TOML text, for looking at and nothing else: tables, keys, and what kind of value each has. Not
 * a parser: what it cannot read is left out. One pass over the lines, so any text costs little.
 */

type Table = Record<string, unknown>;

const LINES_MAX = 5_000;

export function tomlShape(text: string): Table {
  const root: Table = {};
  let table = root;
  let closing: string | undefined;
  for (const line of text.split('\n', LINES_MAX)) {
    if (closing !== undefined) {
      if (line.includes(closing)) closing = undefined;
      continue;
    }
    const header = /^\s*\[{1,2}([\w.\- "']+)\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1];
    if (header !== undefined) {
      table = tableAt(root, header);
      continue;
    }
    const [, key, value] = /^\s*([\w-]+)\s*=\s*(\S.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const quotes = /^("""|''')/.exec(value)?.[1];
    if (quotes !== undefined && !value.slice(3).includes(quotes)) closing = quotes;
    put(table, key, quotes === undefined ? kindOf(value) : 'a text of several lines');
  }
  return root;
}

function tableAt(root: Table, header: string): Table {
  let table = root;
  for (const step of header.split('.').map((one) => one.replace(/["'\s]/g, ''))) {
    const below = Object.hasOwn(table, step) ? table[step] : undefined;
    const next: Table = typeof below === 'object' && below !== null ? (below as Table) : {};
    put(table, step, next);
    table = next;
  }
  return table;
}

/** Also where the key is `__proto__`. */
function put(table: Table, key: string, value: unknown): void {
  Object.defineProperty(table, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function kindOf(source: string): unknown {
  const text = /^"([^"]*)"|^'([^']*)'/.exec(source);
  if (text !== null) return text[1] ?? text[2];
  if (source.startsWith('[')) return [];
  if (source.startsWith('{')) return {};
  const number = Number(source.replace(/#.*$/, '').replaceAll('_', ''));
  return Number.isNaN(number) ? source : number;
}
