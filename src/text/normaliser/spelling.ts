/**
 * Second half of the canonical form: the spelling. White space becomes one space or one line end,
 * leet words (`1gn0r3`) and spaced-out words (`i g n o r e`) become the word they spell. Works on what
 * `letters.ts` made, and leaves no leet word, no run of single letters that spells something and no
 * double space behind, so that doing it twice changes nothing.
 */
import { letterClassOf } from './code-points.ts';
import { OffsetMap } from './offset-map.ts';
import { anyWordOf, spellingKey, WORD_LENGTH_MAX, WORD_LENGTH_MIN, wordOf } from './vocabulary.ts';

export interface SpellingObserver {
  leet(start: number, end: number, word: string): void;
  spaced(start: number, end: number, text: string): void;
}

const LEET = new Map(
  Object.entries({
    '0': 'o',
    '1': 'i',
    '2': 'z',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '6': 'g',
    '7': 't',
    '8': 'b',
    '9': 'g',
    '@': 'a',
    $: 's',
    '!': 'i',
  }),
);
const SPACED_LETTERS_MIN = 4;
const SPACED_LETTERS_MAX = 400;
const SEPARATOR_SIGNS_MAX = 3;
const SEPARATORS = new Set('.-_*|/+~,\u00b7\u2022');

export function foldSpelling(text: string, observer?: SpellingObserver): OffsetMap {
  const map = new OffsetMap();
  let at = 0;
  let copiedTo = 0;
  /** Single letters before this were looked at as one run and spell nothing. */
  let runCheckedTo = 0;
  const copy = (end: number) => {
    if (end > copiedTo) map.copy(text.slice(copiedTo, end), copiedTo);
  };
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (isSpace(unit)) {
      const end = spaceEnd(text, at);
      const replacement = replacementForSpace(text, at, end);
      if (end - at !== replacement.length || text[at] !== replacement) {
        copy(at);
        map.append(replacement, at, end);
        copiedTo = end;
      }
      at = end;
    } else if (isLeetUnit(unit) && !isWordUnit(text.charCodeAt(at - 1))) {
      const found = wordAt(text, at, at < runCheckedTo);
      if (found.kind === 'spaced' && found.word === undefined) {
        runCheckedTo = Math.max(runCheckedTo, found.end);
        at += 1;
        continue;
      }
      if (found.word !== undefined) {
        copy(at);
        map.append(found.word, at, found.end);
        copiedTo = found.end;
        observer?.[found.kind](at, found.end, found.word);
      }
      at = found.end;
    } else at += 1;
  }
  copy(text.length);
  return map;
}

interface Spelled {
  readonly kind: 'leet' | 'spaced';
  readonly end: number;
  /** What the stretch spells; undefined when it stays as it is. */
  readonly word?: string;
}

function wordAt(text: string, at: number, runChecked: boolean): Spelled {
  let end = at + 1;
  while (end < text.length && isLeetUnit(text.charCodeAt(end))) end += 1;
  if (isForeign(text.charCodeAt(end)) || isForeign(text.charCodeAt(at - 1)))
    return { kind: 'leet', end };
  if (end - at === 1) return runChecked ? { kind: 'leet', end } : spacedAt(text, at);
  const word = leetWord(text.slice(at, end));
  if (word !== undefined) return { kind: 'leet', end, word };
  // `admin!` and `@admin`: signs at the edge belong to the sentence, not to the word.
  const trimmed = /^[@$!]*([a-z0-9@$!]*?)[@$!]*$/.exec(text.slice(at, Math.min(end, at + 64)));
  const inner = end - at > 64 ? undefined : trimmed?.[1];
  if (inner === undefined || inner.length === end - at || inner.length < WORD_LENGTH_MIN)
    return { kind: 'leet', end };
  const innerWord = leetWord(inner);
  if (innerWord === undefined) return { kind: 'leet', end };
  const from = text.indexOf(inner, at);
  const before = text.slice(at, from);
  return { kind: 'leet', end: from + inner.length, word: before + innerWord };
}

function leetWord(token: string): string | undefined {
  if (token.length < WORD_LENGTH_MIN || token.length > WORD_LENGTH_MAX) return undefined;
  // A number at the end is a number (`user5`, `test1`), and one letter is not a word (`1337x`).
  // A sign in front alone is a variable or a mention (`$end`), and hexadecimal is a number (`c0de`).
  if (!/.[0-9@$!].*[a-z]|^[0-9]./.test(token) || !/[a-z].*[a-z]/.test(token)) return undefined;
  if (/^[0-9a-f]+$/.test(token)) return undefined;
  return wordOf(spellingKey(decodeLeet(token)));
}

function decodeLeet(token: string): string {
  let decoded = '';
  for (const character of token) decoded += LEET.get(character) ?? character;
  return decoded;
}

/** A run of single letters with anything between them, read as words when it spells a listed one. */
function spacedAt(text: string, at: number): Spelled {
  const places = [at];
  let end = at + 1;
  while (places.length < SPACED_LETTERS_MAX) {
    const next = separatorEnd(text, end);
    if (next === end || next >= text.length) break;
    if (!isLeetUnit(text.charCodeAt(next)) || isWordUnit(text.charCodeAt(next + 1))) break;
    places.push(next);
    end = next + 1;
  }
  if (places.length < SPACED_LETTERS_MIN) return { kind: 'spaced', end };
  const letters = places.map((place) => text[place]!).join('');
  if (letters.replace(/[^a-z]/g, '').length * 2 <= letters.length) return { kind: 'spaced', end };
  const word = readRun(letters);
  return word === undefined ? { kind: 'spaced', end } : { kind: 'spaced', end, word };
}

/** White space of any width counts as nothing: it is folded to one space, and must read the same then. */
function separatorEnd(text: string, from: number): number {
  let at = from;
  let signs = 0;
  while (at < text.length) {
    if (!isSpace(text.charCodeAt(at))) {
      if (signs === SEPARATOR_SIGNS_MAX || !SEPARATORS.has(text[at]!)) break;
      signs += 1;
    }
    at += 1;
  }
  return at;
}

/** The words that a run of letters spells; undefined when no listed word of five letters is in it. */
function readRun(letters: string): string | undefined {
  const decoded = decodeLeet(letters);
  const key = spellingKey(decoded);
  if (!containsListed(key)) return undefined;
  return segment(key) ?? decoded;
}

function containsListed(key: string): boolean {
  if (key.length === WORD_LENGTH_MIN) return wordOf(key) !== undefined;
  for (let from = 0; from < key.length; from += 1)
    for (let size = 5; size <= WORD_LENGTH_MAX && from + size <= key.length; size += 1)
      if (wordOf(key.slice(from, from + size)) !== undefined) return true;
  return false;
}

/** Splits into listed words, longest first words preferred from the end; undefined when impossible. */
function segment(key: string): string | undefined {
  const wordsTo: (string[] | undefined)[] = [[]];
  for (let end = 1; end <= key.length; end += 1) {
    for (let size = Math.min(WORD_LENGTH_MAX, end); size >= 2; size -= 1) {
      const before = wordsTo[end - size];
      const word = before === undefined ? undefined : anyWordOf(key.slice(end - size, end));
      if (before !== undefined && word !== undefined) {
        wordsTo[end] = [...before, word];
        break;
      }
    }
  }
  return wordsTo[key.length]?.join(' ');
}

function replacementForSpace(text: string, start: number, end: number): string {
  if (start === 0 || end === text.length) return '';
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === 0x0a) return '\n';
  return ' ';
}

function spaceEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && isSpace(text.charCodeAt(end))) end += 1;
  return end;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

function isLeetUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x40 ||
    unit === 0x24 ||
    unit === 0x21
  );
}

/** Part of a word: leet characters, and letters beyond ASCII. */
function isWordUnit(unit: number): boolean {
  return isLeetUnit(unit) || isForeign(unit);
}

function isForeign(unit: number): boolean {
  return unit >= 0x80 && letterClassOf(unit) !== 'rest';
}
