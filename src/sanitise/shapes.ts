/**
 * What distinguishes a secret from a word, and where a value ends. Shared by the rules; everything here takes
 * time linear in what it looks at.
 */
import type { Edit } from './types.ts';

/**
 * Where a secret may begin: not inside a word, but behind an escape of JSON or of a URL, whose last
 * letter only looks like one (`\nsk-…`, `%3Dsk-…`, `\u0022sk-…`).
 */
export const BEGINS = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}))`;

/** What is in the place of a secret and is not one. */
const MARK = /^(?:(?:Bearer|Basic) )?\[REDACTED[:\]]/;

export function isMark(value: string): boolean {
  return MARK.test(value);
}

const QUOTES = new Set(['"', "'", '`']);

export interface Quote {
  readonly sign: string;
  /** Backslashes before it: a quote inside quoted text is closed by one that has as many. */
  readonly depth: number;
}

/** The quote that ends at `end`, if one does. */
export function quoteBefore(text: string, end: number): Quote | undefined {
  const sign = text[end - 1];
  if (sign === undefined || !QUOTES.has(sign)) return undefined;
  let depth = 0;
  while (text[end - 2 - depth] === '\\') depth += 1;
  return { sign, depth };
}

/** Where a value that begins at `start` ends: at its quote, else at the line's end, escaped or not. */
export function endOfValue(text: string, start: number, quote: Quote | undefined): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '\\') {
      depth += 1;
      continue;
    }
    if (sign === '\n') return at;
    if (quote !== undefined && sign === quote.sign && depth <= quote.depth) return at - depth;
    if (quote === undefined && depth % 2 === 1 && (sign === 'n' || sign === 'r')) return at - depth;
    depth = 0;
  }
  return text.length;
}

/** By place; of two that overlap the first stays. */
export function inOrder(edits: Edit[]): Edit[] {
  edits.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return edits.filter((edit) => {
    if (edit.start < end) return false;
    end = edit.end;
    return true;
  });
}

/** Capital and small letters and digits. */
export function hasAllKinds(run: string): boolean {
  return /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run);
}

/** In chance signs of 62 kinds six of ten neighbours are of different kinds; in names at most three. */
const KIND_CHANGES = 0.36;

/** Whether a run is chance by itself, with nothing beside it that says so. */
export function isChance(run: string): boolean {
  if (!hasAllKinds(run)) return false;
  let changes = 0;
  for (let at = 1; at < run.length; at++) {
    if (signKind(run, at) !== signKind(run, at - 1)) changes += 1;
  }
  return changes > (run.length - 1) * KIND_CHANGES;
}

function signKind(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 97) return 0;
  if (code >= 65) return 1;
  return code >= 48 ? 2 : 3;
}

/** What a text in base64 says, if it is one of plain signs. */
export function fromBase64(text: string): string | undefined {
  const said = Buffer.from(text, 'base64').toString('latin1');
  return said !== '' && /^[ -~]+$/.test(said) ? said : undefined;
}

/** Shorter parts say nothing; `index2` and `sha256` are words with a number. */
const PART_LENGTH_MIN = 6;
const RANDOM_LENGTH_MIN = 14;
/** In camel case every fourth letter or fewer changes case; in random letters every second. */
const CASE_CHANGES = 0.35;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a run of signs looks like chance and not like words, numbers or a UUID. */
export function looksRandom(run: string): boolean {
  if (UUID.test(run)) return false;
  let random = 0;
  for (const part of run.split(/[^A-Za-z0-9]+/)) {
    if (part.length >= PART_LENGTH_MIN && isRandomPart(part)) random += part.length;
  }
  return random >= RANDOM_LENGTH_MIN;
}

function isRandomPart(part: string): boolean {
  if (/^(?:[A-Za-z]+\d{0,4}|\d+[A-Za-z]{0,3}|v\d+)$/.test(part)) return changesCase(part);
  return /[A-Za-z]/.test(part) && /\d/.test(part);
}

function changesCase(part: string): boolean {
  let changes = 0;
  for (let at = 1; at < part.length; at++) {
    if (isUpper(part, at) !== isUpper(part, at - 1)) changes += 1;
  }
  return changes > part.length * CASE_CHANGES;
}

function isUpper(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90;
}
