/** A map that grows while its text is read: a table may be continued further down. */
import type { Syntax, SyntaxEntry, SyntaxValue } from './types.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `L` is what else a format lets grow, such as a list of tables. */
export class GrowingMap<L = never> {
  readonly kind = 'map';
  readonly tag = null;
  readonly anchor = null;
  readonly entries: SyntaxEntry[] = [];
  readonly start: number;
  end: number;
  readonly #byKey = new Map<string, Syntax | GrowingMap<L> | L>();

  constructor({ start, end }: Span) {
    this.start = start;
    this.end = end;
  }

  get(key: string): Syntax | GrowingMap<L> | L | undefined {
    return this.#byKey.get(key);
  }

  add(key: string, at: Span, value: Syntax | GrowingMap<L> | L): void {
    this.#byKey.set(key, value);
    this.entries.push({ key: keyValue(key, at), value: value as Syntax, isMerge: false });
  }
}

function keyValue(key: string, span: Span): SyntaxValue {
  return { kind: 'value', value: key, style: 'plain', tag: null, anchor: null, ...span };
}
