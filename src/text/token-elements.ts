/**
 * Where the tokeniser puts what it reads: elements and the separators between them become arrays,
 * and at once two keys, so that a message seen before is recognised without making a string of it.
 */
import { mix, VARIABLE, VARIABLE_HASH } from './token-compound.ts';
import { COLON, EQUALS, SLASH } from './token-shapes.ts';

/** Two or more variables with the same separator between them: one element, however long. */
export const LIST = 3;

/** Beyond this a message is cut; what follows is one variable. */
export const MAX_CHARS = 16_384;
/** Elements beyond this are not looked at either: the rest is one variable. */
export const MAX_ELEMENTS = 400;

const SEED_HIGH = 0x2c1b3c6d;
const SEED_LOW = 0x297a2d39;
const PAIR_HASH = 0x1b873593;
const LIST_HASH = 0x38b34ae5;

/** A second, independent mixture; the two together are a key. */
function mixLow(hash: number, value: number): number {
  const h = Math.imul(hash + value, 0x85ebca6b);
  return h ^ (h >>> 13);
}

function keyOf(high: number, low: number): number {
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}

export abstract class Elements {
  /** Elements of the message read last. */
  count = 0;
  /** 53 bits over the masked text: equal for messages that differ in certain variables only. */
  key = 0;
  /** 53 bits over the separators alone: what two messages of one template have in common at least. */
  skeleton = 0;

  readonly start = new Int32Array(MAX_ELEMENTS + 1);
  readonly end = new Int32Array(MAX_ELEMENTS + 1);
  readonly kind = new Uint8Array(MAX_ELEMENTS + 1);
  /** How many variables a list holds; 1 for every other element. */
  readonly size = new Int32Array(MAX_ELEMENTS + 1);
  /** 32 bits over the element's masked text; the same for all variables and lists. */
  readonly hash = new Int32Array(MAX_ELEMENTS + 1);

  protected message = '';
  /** Where the part of the message that is looked at ends. */
  protected stop = 0;
  /** Whether white space was read since the last element or mark. */
  protected spaced = false;
  /** Marks (not spaces) since the last element. */
  protected marks = 0;
  /** Inside a date written in words: spaces join instead of separating. */
  protected inDate = false;

  #high = SEED_HIGH;
  #low = SEED_LOW;
  #frameHigh = SEED_HIGH;
  #frameLow = SEED_LOW;
  /** The hash of the separator since the last element. */
  #separator = 0;
  /** Whether that separator can stand between members of a list; `=` and `/` cannot. */
  #listable = true;
  /** The run of variables that ends at the last element: length, separator, hashes after its first. */
  #run = 0;
  #runSeparator = 0;
  #runHigh = 0;
  #runLow = 0;
  readonly #gapStart = new Int32Array(MAX_ELEMENTS + 1);
  readonly #gapEnd = new Int32Array(MAX_ELEMENTS + 1);

  raw(index: number): string {
    return this.message.slice(this.start[index]!, this.end[index]!);
  }

  /** The text between the first two members of a list. */
  between(index: number): string {
    return this.message.slice(this.#gapStart[index]!, this.#gapEnd[index]!).replace(/\s+/g, ' ');
  }

  protected begin(message: string, stop: number): void {
    this.message = message;
    this.stop = stop;
    this.count = 0;
    this.spaced = false;
    this.inDate = false;
    this.#high = SEED_HIGH;
    this.#low = SEED_LOW;
    this.#frameHigh = SEED_HIGH;
    this.#frameLow = SEED_LOW;
    this.#run = 0;
    this.#endSeparator();
  }

  protected finish(): void {
    this.#mixIn(this.#separator, 0);
    this.key = keyOf(this.#high, this.#low);
    this.skeleton = keyOf(this.#frameHigh, this.#frameLow);
  }

  protected separate(code: number): void {
    this.#space();
    this.#separator = mix(this.#separator, code);
    this.marks++;
    if (code === EQUALS || code === SLASH) this.#listable = false;
    if (code !== COLON) this.inDate = false;
  }

  #space(): void {
    if (!this.spaced) return;
    this.spaced = false;
    if (this.count > 0 || this.marks > 0) this.#separator = mix(this.#separator, 32);
  }

  #endSeparator(): void {
    this.marks = 0;
    this.#separator = 0;
    this.#listable = true;
  }

  /** Ends the run of variables, so that the next one is not in a list with them. */
  protected endRun(): void {
    this.#run = 0;
  }

  protected emit(start: number, end: number, kind: number, hash: number): number {
    // A date written in words is one variable: its spaces join instead of separating.
    if (this.inDate && kind === VARIABLE && this.spaced && this.marks === 0) {
      this.end[this.count - 1] = end;
      this.spaced = false;
      return end;
    }
    this.#space();
    if (kind !== VARIABLE) {
      this.#run = 0;
      this.inDate = false;
    } else if (this.#extendRun(start, end)) return end;
    const mark = kind === VARIABLE ? VARIABLE_HASH : hash;
    this.#mixIn(this.#separator, mark);
    if (this.#run === 1) {
      this.#runHigh = this.#high;
      this.#runLow = this.#low;
    }
    this.hash[this.count] = mark;
    this.start[this.count] = start;
    this.end[this.count] = end;
    this.kind[this.count] = kind;
    this.size[this.count] = 1;
    this.count++;
    this.#endSeparator();
    return end;
  }

  /** Takes the variable into the run before it: true when it is now a member of a list. */
  #extendRun(start: number, end: number): boolean {
    const separator = this.#separator;
    if (this.#run === 0 || !this.#listable || (this.#run > 1 && separator !== this.#runSeparator)) {
      this.#run = 1;
      return false;
    }
    const last = this.count - 1;
    this.#run++;
    if (this.#run === 2) {
      this.#runSeparator = separator;
      this.kind[last] = LIST;
      this.#gapStart[last] = this.end[last]!;
      this.#gapEnd[last] = start;
    }
    // The key tells one, two and many apart, not how many.
    if (this.#run <= 3) {
      this.#high = this.#runHigh;
      this.#low = this.#runLow;
      const size = this.#run === 2 ? PAIR_HASH : LIST_HASH;
      this.#high = mix(this.#high, size ^ separator);
      this.#low = mixLow(this.#low, size + separator);
    }
    this.end[last] = end;
    this.size[last] = this.#run;
    this.#endSeparator();
    return true;
  }

  /** The separator goes into the skeleton, separator and element into the key. */
  #mixIn(separator: number, mark: number): void {
    this.#frameHigh = mix(this.#frameHigh, separator);
    this.#frameLow = mixLow(this.#frameLow, separator);
    const both = Math.imul(separator, 0x27d4eb2f) ^ mark;
    this.#high = mix(this.#high, both);
    this.#low = mixLow(this.#low, both);
  }
}
