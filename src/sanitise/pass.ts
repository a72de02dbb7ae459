/**
 * One pass over a text that finds the few places worth a rule, and asks the rules there: a text without any costs one look
 * into a table per sign. No finder reads again what another of its kind has read, so the pass is linear in the text.
 */
import { connectionAt, emailAt, ipv4At, ipv6At, spelledEmailAt, urlAt } from './addresses.ts';
import { formPartAt } from './assigned-values.ts';
import { assignmentAt, callAt, pairAt } from './assignments.ts';
import { flagAt, netrcAt } from './commands.ts';
import { DEPTH_MAX, type Found } from './found.ts';
import { bodyLine, encodedSecret, hexText } from './key-bodies.ts';
import { cardAt, ibanAt, insuranceNumberAt, nationalIdAt } from './numbers.ts';
import { drivePathAt, pathAt, sharePathAt } from './paths.ts';
import { internationalAt, phoneAt } from './phones.ts';
import {
  behindDashes,
  behindEscape,
  continues,
  countDigits,
  isAddress,
  isColumnEnd,
  isDate,
  isEntity,
  isHexOrColon,
  isHexPair,
  isPhoneStart,
  isQuotedPrintable,
  isSeedGap,
  isTime,
} from './places.ts';
import { besideAt, insteadAt, saidAt, seedAt, seedWords } from './prose.ts';
import { issuerKeys, KEY_LENGTH_MIN, longRun, mayHoldKey, tokensInside } from './runs.ts';
import { nameOf } from './secret-names.ts';
import { markEnd } from './shapes.ts';
import {
  beginning,
  CLASS,
  DIGIT,
  isAlnumCode,
  isDigitCode,
  JOINT,
  LOWER,
  SIGN_BITS,
  SIGN_CLASS,
  UPPER,
} from './signs.ts';
import { isTopic, isTopicWord, TOPIC_LETTERS } from './strong-tokens.ts';
import {
  basicAt,
  bearerAt,
  botAt,
  elementAt,
  encodedPemAt,
  passwordHashAt,
  pemAt,
  pgpassAt,
} from './tokens.ts';
import { isBetweenLiterals, isDisguise } from './views.ts';
import { isCommandWord, NAME_ENDINGS, TRIGGER, WORD_TRIGGERS } from './words.ts';

const MIXED = LOWER | UPPER;
/** By the kinds of signs of a word: digits with letters, or both cases. */
const ODD = new Uint8Array(8);
for (const bits of [LOWER | DIGIT, UPPER | DIGIT, MIXED, MIXED | DIGIT]) ODD[bits] = 1;
/** Shorter runs decode to nothing, and are chance too often. */
const LONG_RUN_MIN = 20;
const UUID = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;
const DOT = 46;
const SLASH = 47;
const BACKSLASH = 92;
const COLON = 58;
const STAR = 42;
/** Fewer digits are no telephone number where one is spoken of. */
const DIGITS_MIN = 7;
/** Fewer bytes hold no secret that a rule would know. */
const HEX_PAIRS_MIN = 12;

/** The state of one pass: where runs began, and up to where digits and addresses were read. */
export class Pass {
  readonly #found: Found;
  readonly #text: string;
  readonly #hasPlaces: boolean;
  readonly #holdsSecret: (said: string) => boolean;
  /** Where the run of letters, digits and `+/_-` began that is not over; -1 for none. */
  #runStart = -1;
  #runBits = 0;
  #wordStart = 0;
  #digitsUntil = 0;
  #emailUntil = 0;
  #pathUntil = 0;
  #seedStart = 0;
  #seedEnd = -1;
  #seedWords = 0;
  #hexStart = 0;
  #hexEnd = -1;
  #hexCount = 0;

  /** `holdsSecret`: whether a text that was taken out of an encoding does. */
  constructor(found: Found, holdsSecret: (said: string) => boolean) {
    this.#found = found;
    this.#holdsSecret = holdsSecret;
    this.#text = found.text;
    this.#hasPlaces = !found.scope.without.has('path');
  }

  run(): void {
    const text = this.#text;
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? SIGN_CLASS[code]! : CLASS.other;
      if (kind === CLASS.word) at = this.#word(at);
      else {
        if (this.#runStart !== -1 && kind !== CLASS.slash && kind !== CLASS.plus) this.#endRun(at);
        at = kind === CLASS.plain ? at + 1 : this.#sign(kind, at);
      }
    }
    this.#endRun(text.length);
    this.#endSeed();
  }

  #endRun(at: number): void {
    const start = this.#runStart;
    const bits = this.#runBits;
    this.#runStart = -1;
    this.#runBits = 0;
    if (start === -1 || at - start < LONG_RUN_MIN) return;
    // Words in one case are no chance and no base64.
    if ((bits & DIGIT) === 0 && (bits & MIXED) !== MIXED) return;
    longRun(this.#found, start, at);
    bodyLine(this.#found, start, at);
    if (this.#found.scope.depth < DEPTH_MAX)
      encodedSecret(this.#found, start, at, this.#holdsSecret);
  }

  /** A run of letters, digits, `_` and `-`; returns where it ends, or where what was found there ends. */
  #word(start: number): number {
    const text = this.#text;
    const size = text.length;
    let end = start;
    let bits = 0;
    while (end < size) {
      const code = text.charCodeAt(end);
      const bit = code < 128 ? SIGN_BITS[code]! : 0;
      if (bit === 0) break;
      bits |= bit;
      end += 1;
    }
    if (this.#runStart === -1) this.#runStart = start;
    this.#runBits |= bits;
    const before = start === 0 ? 0 : text.charCodeAt(start - 1);
    const from = before === BACKSLASH || before === 37 ? behindEscape(text, start) : start;
    this.#wordStart = from;
    const length = end - from;
    if ((bits & JOINT) > 0 && length > 1 && text.charCodeAt(from) === 45) {
      const stop = this.#dashed(from);
      if (stop !== undefined) return stop;
    }
    const letter = (bits & JOINT) > 0 ? behindDashes(text, from, end) : from;
    const trigger = WORD_TRIGGERS[beginning(text, letter)]!;
    if (trigger !== TRIGGER.none) this.#trigger(trigger, letter, end);
    if (length > 5 && NAME_ENDINGS[beginning(text, end - 3)] === 1) this.#named(from, end);
    if ((bits & DIGIT) > 0) this.#digits(from, end);
    if (bits === LOWER) this.#seedWord(from, end);
    else if (length > 4 && ODD[bits & 7] === 1) this.#found.oddWords.push(from);
    const next = end < size ? text.charCodeAt(end) : 0;
    if (length >= KEY_LENGTH_MIN || (continues(next, length) && mayHoldKey(text, from, end)))
      issuerKeys(this.#found, from, end);
    if ((bits & UPPER) > 0 && (length >= LONG_RUN_MIN || next === DOT))
      tokensInside(this.#found, from, end);
    if (length >= 36 && (bits & JOINT) > 0 && this.#found.rules.redactUuids) this.#uuids(from, end);
    if (length === 2 && isHexPair(text, from)) this.#hexPair(from, end);
    if (length === 2) this.#pairOfLetters(from, end, bits);
    return end;
  }

  /** "at" of an address that is spelled out, or the beginning of a person's number. */
  #pairOfLetters(from: number, end: number, bits: number): void {
    const text = this.#text;
    if ((text.charCodeAt(from) | 32) === 97 && (text.charCodeAt(from + 1) | 32) === 116)
      spelledEmailAt(this.#found, from - 1);
    if (bits === UPPER && end + 1 < text.length && isDigitCode(text.charCodeAt(end + 1)))
      insuranceNumberAt(this.#found, from);
  }

  #dashed(from: number): number | undefined {
    if (this.#text.startsWith('-----', from)) {
      const stop = pemAt(this.#found, from);
      if (stop !== undefined) this.#endRun(from);
      return stop;
    }
    if (!isAlnumCode(this.#text.charCodeAt(from - 1))) flagAt(this.#found, from);
    return undefined;
  }

  #trigger(trigger: number, from: number, end: number): void {
    const found = this.#found;
    if ((trigger & TRIGGER.command) > 0 && isCommandWord(this.#text, from, end))
      found.hasCommand = true;
    if ((trigger & TRIGGER.bearer) > 0) bearerAt(found, from);
    if ((trigger & TRIGGER.basic) > 0) basicAt(found, from);
    if ((trigger & TRIGGER.pem) > 0) encodedPemAt(found, from);
    if ((trigger & TRIGGER.netrc) > 0) netrcAt(found, from);
    if ((trigger & TRIGGER.seed) > 0) seedAt(found, from);
    if (
      (trigger & (TRIGGER.said | TRIGGER.topic | TRIGGER.bearer)) > 0 &&
      isTopic(this.#text, from, end)
    )
      found.topics.push(from);
    if ((trigger & TRIGGER.said) > 0) {
      saidAt(found, from);
      if (isColumnEnd(this.#text, end)) found.columns.push(from);
    }
  }

  /** `kube_token`, `requirepass`: a name of a secret, also where no sign follows. */
  #named(from: number, end: number): void {
    const name = nameOf(this.#text.slice(from, end));
    if (name === undefined || name.kind === 'header') {
      if (isTopic(this.#text, from, end)) this.#found.topics.push(from);
      return;
    }
    this.#found.topics.push(from);
    if (name.kind === 'password') besideAt(this.#found, end);
    insteadAt(this.#found, end);
  }

  /** BIP 39: twelve words or more of three to eight small letters, with a blank or a number between. */
  #seedWord(from: number, end: number): void {
    const isNext =
      (this.#seedEnd === from - 1 && this.#text.charCodeAt(from - 1) === 32) ||
      isSeedGap(this.#text, this.#seedEnd, from);
    const isWord = end - from >= 3 && end - from <= 8;
    if (!isNext || !isWord) this.#endSeed();
    if (!isWord) return;
    if (this.#seedWords === 0) this.#seedStart = from;
    this.#seedWords += 1;
    this.#seedEnd = end;
  }

  /** `67 68 70 5f`: bytes with a sign between. */
  #hexPair(from: number, end: number): void {
    const isNext = this.#hexEnd === from - 1;
    if (!isNext) this.#hexStart = from;
    this.#hexCount = isNext ? this.#hexCount + 1 : 1;
    this.#hexEnd = end;
    if (isHexPair(this.#text, end + 1) && !isAlnumCode(this.#text.charCodeAt(end + 3))) return;
    if (this.#hexCount < HEX_PAIRS_MIN || this.#found.scope.depth >= DEPTH_MAX) return;
    const start = this.#hexStart;
    const said = hexText(this.#text.slice(start, end));
    if (said !== undefined && this.#holdsSecret(said)) this.#found.secret(start, end);
  }

  #endSeed(): void {
    const words = this.#seedWords;
    this.#seedWords = 0;
    if (words >= 12) seedWords(this.#found, { start: this.#seedStart, end: this.#seedEnd, words });
    this.#seedEnd = -1;
  }

  #uuids(from: number, end: number): void {
    for (const { index } of this.#text.slice(from, end).matchAll(UUID))
      this.#found.add('uuid', from + index, from + index + 36, '[REDACTED:UUID]');
  }

  #digits(from: number, end: number): void {
    const text = this.#text;
    const found = this.#found;
    if (end - from === 16 && from + 6 < text.length && isDigitCode(text.charCodeAt(from + 6)))
      insuranceNumberAt(found, from);
    if (isDigitCode(text.charCodeAt(from))) this.#groups(from);
    else if (isDigitCode(text.charCodeAt(from + 2)) && !isDigitCode(text.charCodeAt(from + 1))) {
      ibanAt(found, from);
      insuranceNumberAt(found, from);
    }
    if (this.#hasPlaces && end < text.length && text.charCodeAt(end) === DOT) {
      let first = end;
      while (first > from && end - first < 3 && isDigitCode(text.charCodeAt(first - 1))) first -= 1;
      if (first < end) ipv4At(found, first);
    }
  }

  /** Digits in groups: a card, a person's number or a telephone. */
  #groups(at: number): void {
    if (at < this.#digitsUntil) return;
    if (isDate(this.#text, at)) {
      this.#digitsUntil = at + 10;
      return;
    }
    if (countDigits(this.#text, at) < DIGITS_MIN || isAddress(this.#text, at)) return;
    const found = this.#found;
    const end = cardAt(found, at) ?? nationalIdAt(found, at) ?? phoneAt(found, at);
    if (end !== undefined) this.#digitsUntil = end;
  }

  #sign(kind: number, at: number): number {
    const text = this.#text;
    const found = this.#found;
    switch (kind) {
      case CLASS.separator:
        this.#separator(at);
        break;
      case CLASS.at:
        connectionAt(found, at);
        this.#emailUntil = emailAt(found, at, at + 1, this.#emailUntil) ?? this.#emailUntil;
        break;
      case CLASS.slash:
        if (this.#hasPlaces && at >= this.#pathUntil)
          this.#pathUntil = pathAt(found, at) ?? this.#pathUntil;
        break;
      case CLASS.backslash:
        this.#backslash(at);
        break;
      case CLASS.percent:
        if (isHexPair(text, at + 1)) found.hidden.push(at);
        break;
      case CLASS.ampersand:
        if (isEntity(text, at)) found.hidden.push(at);
        break;
      case CLASS.dollar:
        return passwordHashAt(found, at);
      case CLASS.angle:
        elementAt(found, at);
        break;
      case CLASS.bracket: {
        const end = markEnd(text, at);
        if (end !== undefined) return end;
        this.#opened(at);
        break;
      }
      case CLASS.parenthesis:
        this.#opened(at);
        callAt(found, at);
        break;
      case CLASS.newline:
        if (isBetweenLiterals(text, at)) found.hidden.push(at);
        break;
      case CLASS.plus:
        if (isBetweenLiterals(text, at)) found.hidden.push(at);
        if (at >= this.#digitsUntil && isPhoneStart(text.charCodeAt(at + 1)))
          this.#digitsUntil = internationalAt(found, at) ?? this.#digitsUntil;
        break;
      case CLASS.comma:
        pairAt(found, at);
        break;
      case CLASS.other:
        if (TOPIC_LETTERS.has(text.charCodeAt(at)) && isTopicWord(text, at)) found.topics.push(at);
        if (isDisguise(text, at)) found.hidden.push(at);
        break;
      default:
    }
    return at + 1;
  }

  /** Behind `(` or `[`: a telephone's area, or the word "at" of an address. */
  #opened(at: number): void {
    const next = this.#text.charCodeAt(at + 1);
    if (isDigitCode(next)) this.#area(at);
    else if ((next | 32) === 97 || next === 64) spelledEmailAt(this.#found, at);
  }

  /** `(415) 555-0132`. */
  #area(at: number): void {
    if (at < this.#digitsUntil || countDigits(this.#text, at) < DIGITS_MIN) return;
    this.#digitsUntil = phoneAt(this.#found, at) ?? this.#digitsUntil;
  }

  #separator(at: number): void {
    const text = this.#text;
    const found = this.#found;
    if (text.charCodeAt(at) === COLON) {
      const next = text.charCodeAt(at + 1);
      if ((next === SLASH || next === BACKSLASH) && this.#address(at)) return;
      if (this.#hasPlaces && isHexOrColon(next) && !isTime(text, at)) ipv6At(found, at);
      if (at - this.#wordStart <= 15 && isAlnumCode(next)) botAt(found, this.#wordStart);
      if (isDigitCode(next) || next === STAR) pgpassAt(found, at);
    } else {
      if (text.startsWith('name', at - 4)) formPartAt(found, at);
      if (isQuotedPrintable(text, at)) found.hidden.push(at);
    }
    assignmentAt(found, at);
  }

  #address(colon: number): boolean {
    if (urlAt(this.#found, colon)) return true;
    if (this.#hasPlaces && colon > this.#pathUntil)
      this.#pathUntil = drivePathAt(this.#found, colon) ?? this.#pathUntil;
    return false;
  }

  #backslash(at: number): void {
    const next = this.#text.charCodeAt(at + 1);
    if (next === BACKSLASH) {
      if (this.#hasPlaces && at >= this.#pathUntil)
        this.#pathUntil = sharePathAt(this.#found, at) ?? this.#pathUntil;
    } else if (next === 117 || next === 120 || next === 85 || (next >= 48 && next <= 51))
      this.#found.hidden.push(at);
  }
}
