/** The constants of a file of code as a tree of maps, lists and values. */
import type { Parsed, Syntax, SyntaxEntry, SyntaxMap } from '../../types.ts';
import type { Language, Named, Span } from './language.ts';
import { type Factor, type ProductUnit, unitOfFactors } from './products.ts';

/** Deeper ones are refused by the room anyway. */
const DEPTH_MAX = 100;

/** Left by throwing inside this file only. */
class TooDeep extends Error {}

export function parseCode<N>(text: string, language: Language<N>): Parsed {
  const parsed = language.parse(text);
  if ('brokenAt' in parsed) return refused(parsed.brokenAt, `it is not valid ${language.shown}`);
  try {
    const names = namesIn(parsed.file, { text, language });
    const root = scopeOf(parsed.file, { text, language, depth: 0, names });
    return { documents: [root], sections: [], problems: [] };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return refused(0, 'it is nested too deeply');
  }
}

function refused(offset: number, why: string): Parsed {
  return { documents: [], sections: [], problems: [{ code: 'syntax', offset, why }] };
}

interface Place<N> {
  readonly text: string;
  readonly language: Language<N>;
  readonly depth: number;
  /** Constants of the file that hold one value, and where each is declared. */
  readonly names: ReadonlyMap<string, number>;
}

/** What may be referred to by its name: single values that are given one once, at the top of the file. */
function namesIn<N>(
  file: N,
  { text, language }: Pick<Place<N>, 'text' | 'language'>,
): ReadonlyMap<string, number> {
  const place = { text, language, depth: 0, names: new Map() };
  const found = new Map<string, number>();
  const seen = new Set<string>();
  for (const declared of language.declarations(file, text)) {
    const { key } = declared;
    const isAgain = seen.has(key);
    seen.add(key);
    found.delete(key);
    if (isAgain || 'scope' in declared) continue;
    const isValue =
      language.literal(declared.value, text) !== undefined ||
      productOf(declared.value, place) !== undefined;
    if (isValue && syntaxOf(declared.value, place)?.kind === 'value')
      found.set(key, language.span(declared.at).start);
  }
  return found;
}

function scopeOf<N>(node: N, place: Place<N>): SyntaxMap {
  const { text, language } = place;
  const inner = deeper(place);
  const entries: SyntaxEntry[] = [];
  for (const declared of language.declarations(node, text)) {
    const value =
      'scope' in declared ? scopeOf(declared.scope, inner) : syntaxOf(declared.value, inner);
    const isNamed = place.names.get(declared.key) === language.span(declared.at).start;
    const named = isNamed && value?.kind === 'value' ? { ...value, anchor: declared.key } : value;
    if (named !== undefined) entries.push(entryOf(declared, named, language));
  }
  return { kind: 'map', entries: once(entries), ...spanned(language.span(node)) };
}

/** Undefined for what has to be run to be known. */
function syntaxOf<N>(node: N, place: Place<N>): Syntax | undefined {
  const { text, language } = place;
  const literal = language.literal(node, text);
  if (literal !== undefined) return { kind: 'value', ...literal, ...spanned(language.span(node)) };
  const inner = deeper(place);
  const product = productOf(node, place);
  if (product !== undefined) return durationOf(product, place);
  const same = language.within(node);
  if (same !== undefined) return syntaxOf(same, inner);
  const of = referredTo(node, place);
  if (of !== undefined) return { kind: 'alias', of, ...spanned(language.span(node)) };
  const named = language.entries(node, text);
  if (named !== undefined) {
    const entries = named.flatMap((one) => {
      const value = syntaxOf(one.value, inner);
      return value === undefined ? [] : [entryOf(one, value, language)];
    });
    return { kind: 'map', entries: once(entries), ...spanned(language.span(node)) };
  }
  const items = language.items(node)?.map((one) => syntaxOf(one, inner));
  if (items === undefined || items.includes(undefined)) return undefined;
  return { kind: 'list', items: items as Syntax[], ...spanned(language.span(node)) };
}

/** The number that people turn, and its unit; undefined for any other product. It stands first as a rule, and else last. */
function durationOf<N>({ first, others }: Product<N>, place: Place<N>): Syntax | undefined {
  const last = others.at(-1)!;
  return timesOf(first, others, place) ?? timesOf(last, [first, ...others.slice(0, -1)], place);
}

/** This number of the unit that the others are. */
function timesOf<N>(
  node: N,
  others: readonly N[],
  { text, language }: Place<N>,
): Syntax | undefined {
  const literal = language.literal(node, text);
  if (typeof literal?.value !== 'number') return undefined;
  const factors = others.map((one): Factor | undefined => {
    const number = language.literal(one, text)?.value;
    if (typeof number === 'number') return { number };
    const name = language.reference(one, text);
    return name === undefined ? undefined : { name };
  });
  if (factors.includes(undefined)) return undefined;
  const unit: ProductUnit | undefined = unitOfFactors(factors as Factor[]);
  if (unit === undefined) return undefined;
  return { kind: 'value', ...literal, unit, ...spanned(language.span(node)) };
}

/** The constant that stands there by its name alone, declared before. */
function referredTo<N>(node: N, { text, language, names }: Place<N>): string | undefined {
  const { start, end } = language.span(node);
  const name = language.reference(node, text);
  // Of `units.SECOND` the whole is written there, and the last part is another's name.
  if (name === undefined || text.slice(start, end) !== name) return undefined;
  const declaredAt = names.get(name);
  return declaredAt !== undefined && declaredAt < start ? name : undefined;
}

interface Product<N> {
  readonly first: N;
  readonly others: readonly N[];
}

/** More are no unit. */
const FACTORS_MAX = 3;

/** `a * b * c` is `(a * b) * c`. Undefined for what is no product, or a long one. */
function productOf<N>(node: N, { text, language }: Place<N>): Product<N> | undefined {
  const others: N[] = [];
  let first = node;
  for (;;) {
    const parts = language.factors(first, text);
    if (parts === undefined) return others.length === 0 ? undefined : { first, others };
    if (others.length === FACTORS_MAX) return undefined;
    others.unshift(parts[1]);
    first = parts[0];
  }
}

function deeper<N>(place: Place<N>): Place<N> {
  if (place.depth >= DEPTH_MAX) throw new TooDeep();
  return { ...place, depth: place.depth + 1 };
}

function entryOf<N>(
  { key, at }: Pick<Named<N>, 'key' | 'at'>,
  value: Syntax,
  { span }: Language<N>,
): SyntaxEntry {
  const name = { kind: 'value', value: key, style: 'plain', ...spanned(span(at)) } as const;
  return { key: name, value, isMerge: false };
}

/** A name that is given twice may be either: both are left out. */
function once(entries: readonly SyntaxEntry[]): SyntaxEntry[] {
  const keyOf = ({ key }: SyntaxEntry) => (key.kind === 'value' ? String(key.value) : '');
  const counts = new Map<string, number>();
  for (const one of entries) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return entries.filter((one) => counts.get(keyOf(one)) === 1);
}

function spanned({ start, end }: Span) {
  return { start, end, tag: null, anchor: null };
}
