/** What differs between languages when their constants are read. */
import type { Scalar, Style } from '../../types.ts';

/** A value that is written down as it is. */
export interface Literal {
  readonly value: Scalar;
  readonly style: Style;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A name and what it is given. */
export interface Named<N> {
  readonly key: string;
  /** Where the name stands. */
  readonly at: N;
  readonly value: N;
}

/** What a file declares: a constant, or a class with constants of its own. */
export type Declared<N> = Named<N> | Omit<Named<N> & { readonly scope: N }, 'value'>;

/** Of a parser's nodes. */
export interface Language<N> {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly words: { readonly true: string; readonly false: string };
  /** For a sentence: `JavaScript or TypeScript`. */
  readonly shown: string;
  /** The file, or where it stops being sound. */
  parse(text: string): { readonly file: N } | { readonly brokenAt: number };
  span(node: N): Span;
  /** What a file, or the body of a class, declares. */
  declarations(scope: N, text: string): Iterable<Declared<N>>;
  literal(node: N, text: string): Literal | undefined;
  /** Undefined for what is no map; entries that are computed are left out. */
  entries(node: N, text: string): Named<N>[] | undefined;
  /** Undefined for what is no list, or one whose numbering is not known. */
  items(node: N): N[] | undefined;
  /** Of a product its parts from left to right, and undefined for anything else; a part that is itself a product stays one. */
  factors(node: N, text: string): readonly [N, N] | undefined;
  /** The name that it refers to, or the last part of one: `units.SECOND`. */
  reference(node: N, text: string): string | undefined;
  /** What stands for the same value: without parentheses, a type behind it, or the call that takes it. */
  within(node: N): N | undefined;
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([\s\S]))/g;

/** A text between two equal quotes on one line, with escapes that every language here has; undefined for any other. */
export function quotedText(source: string): Literal | undefined {
  const quote = source[0];
  if ((quote !== '"' && quote !== "'") || source.length < 2 || !source.endsWith(quote))
    return undefined;
  if (source.length > 2 && source.startsWith(quote.repeat(3))) return undefined;
  const inner = source.slice(1, -1);
  if (/[\n\r]/.test(inner)) return undefined;
  let isKnown = true;
  const value = inner.replace(ESCAPE, (_, byte?: string, unit?: string, sign?: string) => {
    if (sign === undefined) return String.fromCharCode(Number.parseInt((byte ?? unit)!, 16));
    const meant = SIMPLE[sign];
    if (meant === undefined) isKnown = false;
    return meant ?? '';
  });
  return isKnown ? { value, style: quote === '"' ? 'double' : 'single' } : undefined;
}

const NUMBER =
  /^-?(?:0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)$/;

/** Numbers that other readers would take for another one (`017`), or that are none (`5n`, `2j`), are left out. */
export function numberOf(source: string): Literal | undefined {
  const plain = source.replaceAll('_', '');
  if (!NUMBER.test(plain)) return undefined;
  const isNegative = plain.startsWith('-');
  const amount = Number(isNegative ? plain.slice(1) : plain);
  if (!Number.isFinite(amount)) return undefined;
  return { value: isNegative ? -amount : amount, style: 'plain' };
}
