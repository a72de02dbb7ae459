/**
 * The tokeniser of the template miner: one pass over the character codes of a message, no regular
 * expression, no allocation for a message seen before. A message becomes *elements* (words, names,
 * numbers) between *separators* (spaces, punctuation); what no program text contains literally
 * (numbers, hex, paths, addresses, dates, booleans) is already a variable here, whatever the source.
 *
 * Promises: linear time; at most `MAX_CHARS` characters and `MAX_ELEMENTS` elements are looked at,
 * the rest is one variable; every string is accepted (lone surrogates and control characters are
 * word characters). The same message gives the same `key` on every machine.
 */
import { Compound, LITERAL, MIXED, mix, VARIABLE, WILDCARD, WORD_CHARS } from './token-compound.ts';
import { Elements, MAX_CHARS, MAX_ELEMENTS } from './token-elements.ts';
import { dateTimeEnd, placeholderEnd, shortAddressEnd } from './token-notations.ts';
import {
  CLASS,
  COLON,
  DIGIT,
  EQUALS,
  hashCode,
  isCalendarWord,
  isDigitCode,
  isHexCode,
  isValueWord,
  isWordCode,
  JOINER,
  LETTER,
  MINUS,
  NEWLINE,
  QUOTE,
  SLASH,
  SPACE,
} from './token-shapes.ts';
import {
  addressEnd,
  asideEnd,
  boundEnd,
  colonHexEnd,
  isEmptyPair,
  labelEnd,
  objectEnd,
  pathEnd,
  startsPath,
  startsRoot,
} from './token-spans.ts';

export { LITERAL, MIXED, mix, VARIABLE, VARIABLE_HASH, WILDCARD } from './token-compound.ts';
export { LIST, MAX_CHARS, MAX_ELEMENTS } from './token-elements.ts';

/** Newlines behind the message; no look ahead goes further beyond one. */
const PADDING = 8;
function isBlank(code: number): boolean {
  return code === NEWLINE || CLASS[code] === SPACE;
}

/** A longer quoted value or address is a value, whatever it is made of. */
const OPAQUE_CHARS = 256;
const PLUS = 43;
const LESS = 60;
const GREATER = 62;
const BRACE = 123;
const PARENTHESIS = 40;
const BRACKET = 91;

export class Tokeniser extends Elements {
  readonly #bytes = Buffer.alloc(2 * (MAX_CHARS + PADDING));
  readonly #codes = new Uint16Array(
    this.#bytes.buffer,
    this.#bytes.byteOffset,
    MAX_CHARS + PADDING,
  );
  readonly #compound = new Compound(this.#codes);

  read(message: string): void {
    this.#load(message);
    const codes = this.#codes;
    let at = 0;
    for (;;) {
      const code = codes[at]!;
      const kind = CLASS[code]!;
      if (kind === SPACE) {
        this.spaced = true;
        at++;
      } else if (code === NEWLINE || this.count >= MAX_ELEMENTS) {
        const line = this.#lastLine(at);
        if (line < 0) break;
        at = line;
      } else if (kind === LETTER) at = this.#letters(at);
      else if (kind < JOINER && kind > SPACE) at = this.#word(at);
      else if (kind === JOINER) at = this.#joiner(at, code);
      else at = this.#mark(at, code);
    }
    if (at < message.length) this.#tail(at);
    this.finish();
  }

  /** The element's masked text; with `sameKey` the digits of mixed words are written as 0. */
  text(index: number, sameKey: boolean): string {
    if (this.kind[index]! >= VARIABLE) return WILDCARD;
    if (!isWordCode(this.#codes[this.start[index]!]!)) return this.raw(index);
    this.#compound.read(this.start[index]!);
    return this.#compound.end === this.end[index]
      ? this.#compound.masked(this.message, sameKey)
      : this.raw(index);
  }

  /** A hash of the element as it is in the message. */
  exact(index: number): number {
    let hash = 0;
    const end = this.end[index]!;
    for (let at = this.start[index]!; at < end; at++) hash = hashCode(hash, this.#codes[at]!);
    return hash;
  }

  /** The text before element `index`, spaces made one; after the last one for `index === count`. */
  separator(index: number): string {
    const from = index === 0 ? 0 : this.end[index - 1]!;
    const to = index === this.count ? this.stop : this.start[index]!;
    let out = '';
    let spaced = false;
    for (let at = from; at < to; at++) {
      const code = this.#codes[at]!;
      const aside = code === PARENTHESIS ? asideEnd(this.#codes, at) : -1;
      if (aside > 0 && aside <= to) at = aside - 1;
      else if (isBlank(code)) spaced = true;
      else {
        if (spaced && (out !== '' || index > 0)) out += ' ';
        spaced = false;
        out += this.message[at];
      }
    }
    return spaced && index < this.count && (index > 0 || out !== '') ? `${out} ` : out;
  }

  /**
   * Reading a typed array is several times cheaper than `charCodeAt`, which looks at the string's
   * representation each time: one copy first, then everything else on codes.
   */
  #load(message: string): void {
    const stop = Math.min(message.length, MAX_CHARS);
    this.begin(message, stop);
    this.#bytes.write(message, 0, 2 * stop, 'utf16le');
    for (let i = 0; i < PADDING; i++) this.#codes[stop + i] = NEWLINE;
  }

  /** The way of most words: letters, then a space or mark. Everything else goes through `#word`. */
  #letters(at: number): number {
    const codes = this.#codes;
    let end = at;
    let hash = 0;
    let code = codes[end]!;
    while (CLASS[code] === LETTER) {
      hash = hashCode(hash, code);
      code = codes[++end]!;
    }
    const plain = CLASS[code]! <= SPACE && code !== COLON && code !== BRACE;
    // Eight letters can be hex, and more than `WORD_CHARS` are a value; `#word` knows.
    const long = end - at >= 8 && (end - at > WORD_CHARS || isHexCode(codes[at]!));
    if (!plain || long) return this.#word(at);
    return this.#single(at, end, LITERAL, hash);
  }

  #word(at: number): number {
    const codes = this.#codes;
    const date = CLASS[codes[at]!] === DIGIT ? dateTimeEnd(codes, at) : -1;
    if (date > 0) return this.emit(at, date, VARIABLE, 0);
    if (startsRoot(codes, at)) return this.emit(at, pathEnd(codes, at), VARIABLE, 0);
    const compound = this.#compound;
    compound.read(at);
    const { end } = compound;
    const after = codes[end]!;
    if (after === BRACE) {
      const object = objectEnd(codes, at, end);
      if (object > 0) return this.emit(at, object, VARIABLE, 0);
    }
    if (compound.parts > 1) return this.#several(at);
    if (after === COLON) {
      const hex = colonHexEnd(codes, at);
      if (hex > end) return this.emit(at, hex, VARIABLE, 0);
    }
    return this.#single(at, end, compound.firstKind, compound.firstHash);
  }

  #single(at: number, end: number, kind: number, hash: number): number {
    const codes = this.#codes;
    if (kind === LITERAL && end - at <= 9) {
      if (isValueWord(hash)) return this.emit(at, end, VARIABLE, 0);
      if (codes[at]! <= 90 && isCalendarWord(hash) && this.#isDated(end)) {
        this.emit(at, end, VARIABLE, 0);
        this.inDate = true;
        return end;
      }
    }
    // `key=x1`: what stands after an equals sign and has a digit is a value.
    const isValue = kind === MIXED && this.marks > 0 && codes[at - 1] === EQUALS;
    return this.emit(at, end, isValue ? VARIABLE : kind, hash);
  }

  #several(at: number): number {
    const compound = this.#compound;
    const slash = compound.slashBeforeIp;
    if (slash > at) {
      this.emit(at, slash, VARIABLE, 0);
      this.separate(SLASH);
      return this.emit(slash + 1, compound.end, VARIABLE, 0);
    }
    const { kind } = compound;
    return this.emit(at, compound.end, kind, kind === VARIABLE ? 0 : compound.hash);
  }

  /** A month or weekday is a value next to a number or another one: `Fri Jun 17`, not `May fail`. */
  #isDated(end: number): boolean {
    const codes = this.#codes;
    let next = end;
    while (CLASS[codes[next]!] === SPACE) next++;
    if (next === end) return false;
    if (CLASS[codes[next]!] === DIGIT) return true;
    let hash = 0;
    for (let i = next; i - next < 10 && isWordCode(codes[i]!); i++)
      hash = hashCode(hash, codes[i]!);
    return isCalendarWord(hash);
  }

  #joiner(at: number, code: number): number {
    const codes = this.#codes;
    const next = codes[at + 1]!;
    if (code === SLASH && next === SLASH && at > 0 && codes[at - 1] === COLON) {
      this.separate(code);
      this.separate(next);
      const end = addressEnd(codes, at + 2);
      return end < 0 ? at + 2 : this.#opaque(at + 2, end);
    }
    if (startsPath(codes, at)) return this.emit(at, pathEnd(codes, at), VARIABLE, 0);
    if ((code === MINUS || code === PLUS) && CLASS[next] === DIGIT) {
      const compound = this.#compound;
      compound.read(at + 1);
      const kind = compound.parts === 1 ? compound.firstKind : compound.kind;
      if (kind === VARIABLE) return this.emit(at, compound.end, VARIABLE, 0);
    }
    if (code === MINUS && CLASS[next]! <= SPACE) {
      // `key=-` is a missing value; a dash alone can be one or separate, so it is a word either way.
      if (this.marks > 0 && codes[at - 1] === EQUALS) return this.emit(at, at + 1, VARIABLE, 0);
      if (this.spaced && CLASS[next] === SPACE) return this.emit(at, at + 1, LITERAL, MINUS);
    }
    this.separate(code);
    return at + 1;
  }

  #mark(at: number, code: number): number {
    if (code === LESS || code === GREATER) {
      const bound = boundEnd(this.#codes, at);
      if (bound > 0) return this.emit(at, bound, VARIABLE, 0);
      const placeholder = this.count > 0 ? placeholderEnd(this.#codes, at) : -1;
      if (placeholder > 0) return this.emit(at, placeholder, VARIABLE, 0);
    }
    if (code === BRACKET || (code === COLON && this.#codes[at + 1] === COLON)) {
      const address = shortAddressEnd(this.#codes, at);
      if (address > 0) return this.emit(at, address, VARIABLE, 0);
    }
    if (code === PARENTHESIS && this.#isAfterAmount()) {
      const aside = asideEnd(this.#codes, at);
      if (aside > 0) return aside;
    }
    const empty = isEmptyPair(this.#codes, at);
    this.separate(code);
    if (empty) return this.emit(at + 1, at + 1, VARIABLE, 0);
    if (code !== QUOTE) return at + 1;
    const end = labelEnd(this.#codes, at + 1);
    return end < 0 ? at + 1 : this.#opaque(at + 1, end);
  }

  /** `5237 bytes (5.11 KB)`: said once more in a larger unit, where it is large enough. */
  #isAfterAmount(): boolean {
    const { count, kind } = this;
    return (
      count > 1 && this.marks === 0 && kind[count - 1] === LITERAL && kind[count - 2] === VARIABLE
    );
  }

  /** An element whose inside is not looked at: a value if it holds a digit, else taken by its letters. */
  #opaque(at: number, end: number): number {
    let hash = 0;
    if (end - at > OPAQUE_CHARS) return this.emit(at, end, VARIABLE, 0);
    for (let i = at; i < end; i++) {
      const code = this.#codes[i]!;
      if (isDigitCode(code)) return this.emit(at, end, VARIABLE, 0);
      hash = mix(hash, code);
    }
    return this.emit(at, end, LITERAL, hash);
  }

  /**
   * Python says what went wrong in the last line: after a first line that ends with a colon, the
   * indented lines are one variable and the last one is read. Where it begins, or -1.
   */
  #lastLine(at: number): number {
    const codes = this.#codes;
    const isWhole = at < this.stop && this.message.length === this.stop;
    if (!isWhole || this.count >= MAX_ELEMENTS || codes[at] !== NEWLINE || codes[at - 1] !== COLON)
      return -1;
    let end = this.stop;
    while (end > at && isBlank(codes[end - 1]!)) end--;
    let line = end;
    while (line > at && codes[line - 1] !== NEWLINE) line--;
    // The second line must be indented, the last one not.
    if (line <= at + 1 || isBlank(codes[line]!) || CLASS[codes[at + 1]!] !== SPACE) return -1;
    this.spaced = true;
    this.inDate = false;
    this.endRun();
    this.emit(at + 1, line - 1, VARIABLE, 0);
    this.endRun();
    this.spaced = true;
    return line;
  }

  /** Everything from here is one variable: further lines (a stack trace), or text beyond the limits. */
  #tail(at: number): void {
    let from = at;
    while (from < this.stop) {
      if (!isBlank(this.#codes[from]!)) break;
      from++;
    }
    if (from >= this.stop && this.message.length === this.stop) return;
    if (at < this.stop && this.#codes[at] === NEWLINE) this.spaced = true;
    this.inDate = false;
    this.endRun();
    this.emit(from, this.stop, VARIABLE, 0);
  }
}
