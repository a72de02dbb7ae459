/**
 * A compound is words joined without a space: `core.2275`, `blk_-17`, `node-7.example.org`. It is
 * read part by part; each part is literal, mixed or certainly a value, and from the parts follows
 * what the whole is. One object is used again and again, so that reading allocates nothing.
 */
import {
  APOSTROPHE,
  BINDER,
  CLASS,
  type Codes,
  DIGIT,
  DOT,
  gluesNumbers,
  hashCode,
  isHexCode,
  isPackageRoot,
  isTopLevel,
  JOINER,
  LETTER,
  MINUS,
  SLASH,
  UNDERSCORE,
} from './token-shapes.ts';
import { isBeforePort } from './token-spans.ts';

/** A word that, as far as its shape tells, stands in the program's text. Parts of it may be masked. */
export const LITERAL = 0;
/** Letters with few digits (`ssh2`, `eth0`): the same word when only the digits differ. */
export const MIXED = 1;
/** Certainly a value. */
export const VARIABLE = 2;

/** How a variable is written in texts and templates. */
export const WILDCARD = '<*>';
/** The hash of every variable. */
export const VARIABLE_HASH = 0x5bd1e995;

/** Parts that are told apart; a compound of more is a variable. */
const PARTS_MAX = 32;
/** No word in a program's text is longer: it is a value in some encoding. */
export const WORD_CHARS = 64;

/** A word of so many characters with so many numbers in it was made by chance. */
const RANDOM_CHARS = 12;
const RANDOM_RUNS = 3;
/** The endings of file names are so short. */
const ENDING_CHARS = 5;

export function mix(hash: number, value: number): number {
  const h = Math.imul(hash ^ value, 0x9e3779b1);
  return h ^ (h >>> 15);
}

function isAllHex(codes: Codes, at: number, end: number): boolean {
  for (let i = at; i < end; i++) if (!isHexCode(codes[i]!)) return false;
  return true;
}

export class Compound {
  end = 0;
  parts = 0;

  readonly #codes: Codes;
  #mixed = 0;
  #variable = 0;
  #hex = 0;
  readonly #partStart = new Int32Array(PARTS_MAX);
  readonly #partEnd = new Int32Array(PARTS_MAX);
  readonly #partKind = new Uint8Array(PARTS_MAX);
  readonly #partHash = new Int32Array(PARTS_MAX);

  constructor(codes: Codes) {
    this.#codes = codes;
  }

  /** Reads the compound that begins with the word character at `at`. */
  read(at: number): void {
    this.parts = 0;
    this.#mixed = 0;
    this.#variable = 0;
    this.#hex = 0;
    let end = at;
    for (;;) {
      end = this.#part(end);
      const from = this.#joined(end);
      if (from < 0) break;
      end = from;
    }
    this.end = end;
  }

  get firstKind(): number {
    return this.#partKind[0]!;
  }

  get firstHash(): number {
    return this.#partHash[0]!;
  }

  /** The kind of a compound of several parts. */
  get kind(): number {
    if (
      this.parts > PARTS_MAX ||
      this.#isNumber() ||
      this.#isName() ||
      this.#isFile() ||
      this.#isHost()
    )
      return VARIABLE;
    return this.#mixed > 0 ? MIXED : LITERAL;
  }

  /** Over the masked text: joined numbers count as one, digits of mixed words do not count. */
  get hash(): number {
    let hash = 0;
    let masked = false;
    for (let part = 0; part < this.parts; part++) {
      const variable = this.#partKind[part] === VARIABLE;
      const join = part === 0 ? 0 : this.#join(part);
      if (variable && masked && gluesNumbers(join)) continue;
      hash = mix(mix(hash, join), variable ? VARIABLE_HASH : this.#partHash[part]!);
      masked = variable;
    }
    return hash;
  }

  /** The masked text of the message read; with `sameKey` digits of mixed words are 0, so that texts are equal when hashes are. */
  masked(message: string, sameKey: boolean): string {
    let out = '';
    let masked = false;
    for (let part = 0; part < this.parts; part++) {
      const from = this.#partStart[part]!;
      const variable = this.#partKind[part] === VARIABLE;
      if (variable && masked && gluesNumbers(this.#join(part))) continue;
      if (part > 0) out += message.slice(this.#partEnd[part - 1]!, from);
      const word = message.slice(from, this.#partEnd[part]!);
      if (variable) out += WILDCARD;
      else out += sameKey && this.#partKind[part] === MIXED ? word.replace(/[0-9]+/g, '0') : word;
      masked = variable;
    }
    return out;
  }

  /** `name/10.0.0.1`: where the slash is, or -1. The text before an address is its name. */
  get slashBeforeIp(): number {
    const first = this.parts - 4;
    if (first < 1 || this.parts > PARTS_MAX) return -1;
    for (let part = first; part < this.parts; part++) {
      const wanted = part === first ? SLASH : DOT;
      if (this.#partKind[part] !== VARIABLE || this.#join(part) !== wanted) return -1;
    }
    return this.#partStart[first]! - 1;
  }

  /** The mark right before a part that is not the first. */
  #join(part: number): number {
    return this.#codes[this.#partStart[part]! - 1]!;
  }

  /** Where the next part begins when a joiner stands at `end`, or -1. */
  #joined(end: number): number {
    const codes = this.#codes;
    const code = codes[end]!;
    if (CLASS[code] !== JOINER) return -1;
    // `package/.Class` names a class relative to its package: both marks join.
    const from = code === SLASH && codes[end + 1]! === DOT ? end + 2 : end + 1;
    const next = CLASS[codes[from]!]!;
    if (next < LETTER || next > BINDER) return -1;
    // An apostrophe joins letters only; otherwise it is a quotation mark.
    if (code === APOSTROPHE && (next !== LETTER || CLASS[codes[end - 1]!] !== LETTER)) return -1;
    return from;
  }

  #part(at: number): number {
    const codes = this.#codes;
    let end = at;
    let hash = 0;
    let kind = LETTER;
    for (; ; end++) {
      const code = codes[end]!;
      kind = CLASS[code]!;
      if (kind !== LETTER) break;
      hash = hashCode(hash, code);
    }
    // Most words are letters only, and of those only long ones can be hex.
    if (kind === DIGIT || kind === BINDER) return this.#lettersAndDigits(at, end, hash);
    if (end - at >= 4 && isAllHex(codes, at, end)) {
      if (end - at <= 12) this.#hex++;
      this.#addPart(at, end, end - at >= 8 ? VARIABLE : LITERAL, hash);
    } else this.#addPart(at, end, end - at > WORD_CHARS ? VARIABLE : LITERAL, hash);
    return end;
  }

  /** Goes on with a part that is not of letters only; the letters before `from` are in `hash`. */
  #lettersAndDigits(at: number, from: number, start: number): number {
    const codes = this.#codes;
    let end = from;
    let hash = start;
    let digits = 0;
    let letters = from - at;
    let run = 0;
    let longest = 0;
    let bound = false;
    /** The run of digits began the word or followed a binder: `_17`. */
    let fresh = false;
    let numbered = false;
    let runs = 0;
    for (; ; end++) {
      const code = codes[end]!;
      const kind = CLASS[code]!;
      if (kind === DIGIT) {
        if (run === 0) {
          hash = hashCode(hash, 35);
          runs++;
          fresh = end === at || CLASS[codes[end - 1]!] === BINDER;
        }
        digits++;
        run++;
        if (run > longest) longest = run;
        continue;
      }
      if (kind === LETTER) {
        letters++;
        fresh = false;
      } else if (kind === BINDER) {
        bound = true;
        if (run > 0 && fresh) numbered = true;
      } else break;
      run = 0;
      hash = hashCode(hash, code);
    }
    if (run > 0 && fresh && end - at > run) numbered = true;
    const hex = !bound && end - at >= 4 && isAllHex(codes, at, end);
    if (hex && end - at <= 12) this.#hex++;
    let kind = LITERAL;
    if (digits > 0) {
      const tail = run >= 3 && letters >= 3 && run === digits;
      const certain =
        end - at > WORD_CHARS ||
        numbered ||
        longest >= 4 ||
        tail ||
        (runs >= RANDOM_RUNS && this.#isRandom(at, end)) ||
        this.#isValue(at, end, letters, hex);
      kind = certain ? VARIABLE : MIXED;
    } else if (end - at > WORD_CHARS) kind = VARIABLE;
    this.#addPart(at, end, kind, hash);
    return end;
  }

  /** A word with digits that is not a name: a number, one with a unit, hex, a version. */
  #isValue(at: number, end: number, letters: number, hex: boolean): boolean {
    const first = this.#codes[at]!;
    if (letters === 0 || CLASS[first] === DIGIT || (hex && end - at >= 6)) return true;
    // `v2` is a version, but not in `org.example.v2.api`.
    return (
      letters === 1 && (first | 32) === 118 && (this.parts === 0 || this.#codes[at - 1]! !== DOT)
    );
  }

  /** `pi_3MtwBwLkdIwHu7ix`: nobody writes a word with so many numbers in it, in capitals and small letters. */
  #isRandom(at: number, end: number): boolean {
    let [capital, small] = [false, false];
    for (let i = at; i < end; i++) {
      const code = this.#codes[i]!;
      if (code >= 65 && code <= 90) capital = true;
      else if (code >= 97 && code <= 122) small = true;
    }
    return end - at >= RANDOM_CHARS && capital && small;
  }

  #addPart(at: number, end: number, kind: number, hash: number): void {
    if (this.parts < PARTS_MAX) {
      this.#partStart[this.parts] = at;
      this.#partEnd[this.parts] = end;
      this.#partKind[this.parts] = kind;
      this.#partHash[this.parts] = hash;
    }
    this.parts++;
    if (kind === VARIABLE) this.#variable++;
    else if (kind === MIXED) this.#mixed++;
  }

  /** `10.0.0.1`, `2024-05-01`, or the five groups of a UUID. */
  #isNumber(): boolean {
    if (this.#hex === 5 && this.parts === 5) return true;
    return this.#variable === this.parts && this.#isGlued();
  }

  /** All parts joined by what may stand in a number. */
  #isGlued(): boolean {
    for (let part = 1; part < this.parts; part++) if (!gluesNumbers(this.#join(part))) return false;
    return true;
  }

  /** `R62-M1-N4`, or `blk_-17`, where the binder keeps the sign with the name. */
  #isName(): boolean {
    if (this.#mixed >= 2) return true;
    if (this.#variable === 0) return false;
    for (let part = 1; part < this.parts; part++) {
      if (this.#join(part) !== MINUS) continue;
      if (this.#codes[this.#partStart[part]! - 2]! === UNDERSCORE) return true;
    }
    return false;
  }

  /** `src/api/client.ts`: a path with the ending of a file. */
  #isFile(): boolean {
    const last = this.parts - 1;
    if (last < 2 || this.#join(last) !== DOT || this.#partKind[last] === VARIABLE) return false;
    if (this.#partEnd[last]! - this.#partStart[last]! > ENDING_CHARS) return false;
    for (let part = 1; part < last; part++) if (this.#join(part) === SLASH) return true;
    return false;
  }

  /** A domain name, a mail address, or a name with a number before a port. */
  #isHost(): boolean {
    if (this.#variable + this.#mixed > 0 && this.#isGlued()) {
      if (isBeforePort(this.#codes, this.end)) return true;
    }
    const last = this.parts - 1;
    if (this.#join(last) !== DOT || this.#partKind[last] !== LITERAL) return false;
    const isDomain = isTopLevel(this.#partHash[last]!) || (last >= 2 && this.#isCountry(last));
    return isDomain && !isPackageRoot(this.#partHash[0]!);
  }

  /** Two small letters. */
  #isCountry(part: number): boolean {
    const at = this.#partStart[part]!;
    return this.#partEnd[part]! - at === 2 && this.#codes[at]! >= 97 && this.#codes[at + 1]! >= 97;
  }
}
