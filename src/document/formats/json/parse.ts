/**
 * JSON with the place of every value, in one pass. It reads comments and commas before a closing bracket too, and says
 * so. Promises: any text gives a tree or a problem, in linear time.
 */
import type { Parsed, Problem, Scalar, Syntax, SyntaxEntry } from '../../types.ts';

const DEPTH_MAX = 200;
const PROBLEMS_MAX = 100;

/** Left by throwing inside this file only. */
class Broken extends Error {
  readonly offset: number;

  constructor(offset: number, why: string) {
    super(why);
    this.offset = offset;
  }
}

export function parseJson(text: string): Parsed {
  const reader = new Reader(text);
  try {
    const root = reader.read();
    return { documents: [root], sections: [], problems: reader.problems };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    const problem = { code: 'syntax' as const, offset: error.offset, why: error.message };
    return { documents: [], sections: [], problems: [problem] };
  }
}

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /true|false|null/y;
/** Up to the quote that ends it; what is inside is checked by `JSON.parse`. */
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/y;
const COMMENT = /\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y;

class Reader {
  readonly problems: Problem[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Syntax {
    if (this.#text.startsWith('\ufeff')) this.#lenient('a byte order mark', 1);
    this.#skip();
    const root = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) this.#fail('nothing after the value');
    return root;
  }

  #value(depth: number): Syntax {
    if (depth > DEPTH_MAX) throw new Broken(this.#at, 'it is nested too deeply');
    const start = this.#at;
    const sign = this.#text[start];
    if (sign === '{') return this.#map(start, depth);
    if (sign === '[') return this.#list(start, depth);
    const source = this.#match(
      sign === '"' ? STRING : sign === '-' || isDigit(sign) ? NUMBER : WORD,
    );
    if (source === undefined) this.#fail('a value');
    return this.#scalar(start, source);
  }

  #scalar(start: number, source: string): Syntax {
    let value: Scalar;
    try {
      value = JSON.parse(source) as Scalar;
    } catch {
      throw new Broken(
        start,
        'expected a string without control characters and with known escapes',
      );
    }
    return { ...this.#span(start), kind: 'value', value, style: 'json' };
  }

  #map(start: number, depth: number): Syntax {
    const entries: SyntaxEntry[] = [];
    this.#each('}', () => {
      const at = this.#at;
      const source = this.#match(STRING);
      if (source === undefined) this.#fail('a key in double quotes');
      const key = this.#scalar(at, source);
      this.#skip();
      if (this.#text[this.#at] !== ':') this.#fail('a colon after the key');
      this.#at += 1;
      this.#skip();
      entries.push({ key, value: this.#value(depth + 1), isMerge: false });
    });
    return { ...this.#span(start), kind: 'map', entries };
  }

  #list(start: number, depth: number): Syntax {
    const items: Syntax[] = [];
    this.#each(']', () => void items.push(this.#value(depth + 1)));
    return { ...this.#span(start), kind: 'list', items };
  }

  /** The items between the brackets, separated by commas. */
  #each(closing: string, one: () => void): void {
    this.#at += 1;
    this.#skip();
    let comma: number | undefined;
    while (this.#text[this.#at] !== closing) {
      one();
      this.#skip();
      comma = undefined;
      if (this.#text[this.#at] === ',') {
        comma = this.#at;
        this.#at += 1;
        this.#skip();
      } else if (this.#text[this.#at] !== closing) this.#fail(`a comma or a closing ${closing}`);
    }
    if (comma !== undefined) this.#lenient('a comma before a closing bracket', 0, comma);
    this.#at += 1;
  }

  #skip(): void {
    this.#match(BLANK);
    while (this.#text[this.#at] === '/') {
      const at = this.#at;
      if (this.#match(COMMENT) === undefined) this.#fail('a comment that ends');
      this.#lenient('a comment', 0, at);
      this.#match(BLANK);
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #lenient(what: string, length: number, offset = this.#at): void {
    this.#at += length;
    if (this.problems.length >= PROBLEMS_MAX) return;
    this.problems.push({ code: 'not_strict', offset, why: `it is not JSON: there is ${what}` });
  }

  #span(start: number) {
    return { start, end: this.#at, tag: null, anchor: null };
  }

  #fail(expected: string): never {
    const at = Math.min(this.#at, this.#text.trimEnd().length);
    throw new Broken(at, `it is not JSON: expected ${expected}`);
  }
}

function isDigit(sign: string | undefined): boolean {
  return sign !== undefined && sign >= '0' && sign <= '9';
}
