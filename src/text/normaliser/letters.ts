/**
 * First half of the canonical form: the letters. Hidden characters go, compatibility forms and case
 * are folded (NFKC and small letters), lookalikes become the ASCII letter they imitate, stacked marks
 * fall off, lines end in one way. Context-free per word, so folding twice changes nothing.
 *
 * A word is folded to ASCII when it has an ASCII letter, or when each of its letters has an ASCII
 * lookalike; a word with one letter of its own script and no ASCII letter is left alone, so Russian
 * stays Russian. Normalising the whole string at once was rejected: ICU orders marks by insertion,
 * and 64 000 marks of two alternating classes took 4.4 s where 32 000 took 1.0 s.
 */

import {
  foldPoint,
  hiddenClassOf,
  isAsciiLetter,
  letterClassOf,
  looksLike,
  scriptOf,
} from './code-points.ts';
import { skipTerminalSequence } from './controls.ts';
import { OffsetMap } from './offset-map.ts';

/** One letter, mark or number of a word: what it folds to, and what stood there. */
export interface Atom {
  readonly point: number;
  readonly original: number;
  readonly start: number;
  readonly end: number;
}

export interface LetterObserver {
  /** Plain ASCII from `start` to `end`, in whole words; it may hold many lines. */
  plain(start: number, end: number): void;
  word(atoms: readonly Atom[]): void;
  sign(original: number, start: number, end: number): void;
  lineEnd(): void;
}

/** More marks than any orthography stacks: Vietnamese and IPA stop at 3, Hebrew and Tibetan below 8. */
const ASCII_MARKS_MAX = 3;
const MARKS_MAX = 8;

export function foldLetters(text: string, observer?: LetterObserver): OffsetMap {
  const map = new OffsetMap();
  let word: Atom[] = [];
  const flush = () => {
    if (word.length === 0) return;
    observer?.word(word);
    appendWord(map, word);
    word = [];
  };
  let at = 0;
  while (at < text.length) {
    const plainEnd = word.length === 0 ? plainWordsEnd(text, at) : at;
    if (plainEnd > at) {
      map.copy(text.slice(at, plainEnd).toLowerCase().replaceAll('\r', '\n'), at);
      observer?.plain(at, plainEnd);
      at = plainEnd;
      continue;
    }
    const original = text.codePointAt(at)!;
    const start = at;
    at += original > 0xffff ? 2 : 1;
    if (original < 0x80) {
      if (isWordAscii(original)) {
        word.push({ point: lowerAscii(original), original, start, end: at });
        continue;
      }
      if (original === 0x1b) {
        at = Math.max(at, skipTerminalSequence(text, start));
        continue;
      }
    } else if (original === 0x9b) {
      at = Math.max(at, skipTerminalSequence(text, start));
      continue;
    }
    const folded = foldOne(original);
    if (folded === '') continue;
    for (const character of folded) {
      const point = character.codePointAt(0)!;
      if (belongsToWord(point)) word.push({ point, original, start, end: at });
      else {
        flush();
        map.append(plainSign(character, point), start, at);
      }
    }
    if (word.length === 0) observer?.sign(original, start, at);
    if (folded === '\n') observer?.lineEnd();
  }
  flush();
  observer?.lineEnd();
  return map;
}

const NOT_PLAIN = /[^\t\n\r\x20-\x7e]/g;

/**
 * Where the plain ASCII that starts here ends, without the last word when something else follows it:
 * that word is not whole.
 */
function plainWordsEnd(text: string, start: number): number {
  if (text.charCodeAt(start) > 0x7e) return start;
  NOT_PLAIN.lastIndex = start;
  let end = NOT_PLAIN.exec(text)?.index ?? text.length;
  if (end === text.length) return end;
  while (end > start && isWordAscii(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

function foldOne(original: number): string {
  switch (hiddenClassOf(original)) {
    case 'control':
      return original === 0x0b || original === 0x0c ? ' ' : original === 0x85 ? '\n' : '';
    case 'surrogate':
    case 'nonchar':
      return '\ufffd';
    case 'space':
      return original === 0x2028 || original === 0x2029 ? '\n' : ' ';
    case 'seen':
      return original === 0x0d ? '\n' : foldPoint(original);
    case 'private':
    case 'replacement':
    case 'unassigned':
      return foldPoint(original);
    default:
      return '';
  }
}

function isWordAscii(point: number): boolean {
  return isAsciiLetter(point) || (point >= 0x30 && point <= 0x39);
}

function lowerAscii(point: number): number {
  return point >= 0x41 && point <= 0x5a ? point + 0x20 : point;
}

function belongsToWord(point: number): boolean {
  if (point < 0x80) return isWordAscii(point);
  return letterClassOf(point) !== 'rest' || isAlphanumeric(looksLike(point));
}

export function isAlphanumeric(ascii: string | undefined): ascii is string {
  return ascii !== undefined && /^[A-Za-z0-9]+$/.test(ascii);
}

/** Typographic quotes, dashes and slashes as ASCII writes them. */
function plainSign(character: string, point: number): string {
  const ascii = looksLike(point);
  return ascii === undefined || isAlphanumeric(ascii) ? character : ascii;
}

/** Whether a reader could take the whole word for ASCII. Decided on folded letters only. */
function readsAsAscii(atoms: readonly Atom[]): boolean {
  let imitating = 0;
  let own = 0;
  for (const { point } of atoms) {
    if (point < 0x80) {
      if (isAsciiLetter(point)) return true;
    } else if (letterClassOf(point) !== 'mark' && scriptOf(point) !== 'Latin') {
      if (isAlphanumeric(looksLike(point))) imitating += letterClassOf(point) === 'number' ? 0 : 1;
      else own += 1;
    } else if (scriptOf(point) === 'Latin') imitating += 1;
  }
  return own === 0 && imitating > 0;
}

function appendWord(map: OffsetMap, atoms: readonly Atom[]): void {
  const ascii = readsAsAscii(atoms);
  let at = 0;
  while (at < atoms.length) {
    const first = atoms[at]!;
    const base = isMark(first.point) ? '' : baseText(first, ascii);
    let end = at + (base === '' ? 0 : 1);
    const marksFrom = end;
    while (end < atoms.length && joinsPrevious(atoms, at, end)) end += 1;
    const marks = keptMarks(atoms, marksFrom, end, base);
    const composed = marks === '' ? base : (base + marks).normalize('NFC');
    map.append(composed, first.start, atoms[Math.max(at, end - 1)]!.end);
    at = Math.max(end, at + 1);
  }
}

function baseText(atom: Atom, ascii: boolean): string {
  if (ascii && atom.point >= 0x80) {
    const imitated = looksLike(atom.original);
    if (isAlphanumeric(imitated)) return imitated.toLowerCase();
    const imitatedSmall = looksLike(atom.point);
    if (isAlphanumeric(imitatedSmall)) return imitatedSmall.toLowerCase();
  }
  return String.fromCodePoint(atom.point);
}

function isMark(point: number): boolean {
  return point >= 0x300 && letterClassOf(point) === 'mark';
}

/** Whether NFC may compose this code point with the one before: marks, Hangul vowels and finals. */
function joinsPrevious(atoms: readonly Atom[], from: number, index: number): boolean {
  const point = atoms[index]!.point;
  if (isMark(point)) return true;
  const jamo = point >= 0x1160 && point <= 0x11ff;
  const kiratRai = point >= 0x16d63 && point <= 0x16d6a;
  return (jamo || kiratRai) && index > from && index - from < 4;
}

function keptMarks(atoms: readonly Atom[], from: number, end: number, base: string): string {
  const overAscii = /^[a-z0-9]+$/.test(base);
  let kept = '';
  let count = 0;
  for (let index = from; index < end; index += 1) {
    const point = atoms[index]!.point;
    if (overAscii && isOverlay(point)) continue;
    count += 1;
    if (count > (overAscii ? ASCII_MARKS_MAX : MARKS_MAX)) return '';
    kept += String.fromCodePoint(point);
  }
  return kept;
}

/** Strokes through and frames around a letter: they hide it from a search, not from a reader. */
function isOverlay(point: number): boolean {
  return (
    (point >= 0x334 && point <= 0x338) ||
    (point >= 0x20d2 && point <= 0x20d3) ||
    (point >= 0x20dd && point <= 0x20e0) ||
    (point >= 0x20e2 && point <= 0x20e5)
  );
}
