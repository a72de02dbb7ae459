/**
 * What distinguishes a secret from a word, and where a value ends. Shared by the rules; everything here takes
 * time linear in what it looks at.
 */

/** What is in the place of a secret and is not one. */
const MARK = /^(?:(?:Bearer|Basic) )?\[(?:REDACTED|EXTERNAL_IP)[:\]]/;

export function isMark(value: string): boolean {
  return MARK.test(value);
}

/** Longer than any mark with its suffix. */
const MARK_LENGTH_MAX = 80;

/** Where a mark that begins at `start` ends, if one does. */
export function markEnd(text: string, start: number): number | undefined {
  if (!text.startsWith('[REDACTED', start) && !text.startsWith('[EXTERNAL_IP', start)) return;
  const end = text.indexOf(']', start);
  return end === -1 || end - start > MARK_LENGTH_MAX ? undefined : end + 1;
}

export interface Quote {
  readonly sign: string;
  /** Backslashes before it: a quote inside quoted text is closed by one that has as many. */
  readonly depth: number;
}

/** The quote that ends at `end`, if one does. */
export function quoteBefore(text: string, end: number): Quote | undefined {
  const code = text.charCodeAt(end - 1);
  if (code !== 34 && code !== 39 && code !== 96) return undefined;
  const sign = text[end - 1]!;
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

/** Where `pattern` (sticky) stops matching from `start`. */
export function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

/** Capital and small letters and digits. */
export function hasAllKinds(run: string): boolean {
  return /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run);
}

/** In chance signs of 62 kinds six of ten neighbours are of different kinds; in names at most three. */
const KIND_CHANGES = 0.36;

/** Whether a run is chance by itself, with nothing beside it that says so. */
export function isChance(run: string): boolean {
  return hasAllKinds(run) && kindChanges(run) > (run.length - 1) * KIND_CHANGES;
}

/** How often a sign is of another kind than the one before. */
export function kindChanges(run: string): number {
  let changes = 0;
  for (let at = 1; at < run.length; at++) {
    if (signKind(run, at) !== signKind(run, at - 1)) changes += 1;
  }
  return changes;
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
  return said !== '' && /^[ -~\n\r\t]+$/.test(said) ? said : undefined;
}

/** Shorter parts say nothing; `index2` and `sha256` are words with a number. */
const PART_LENGTH_MIN = 6;
const RANDOM_LENGTH_MIN = 14;
/** In camel case every fourth letter or fewer changes case; in random letters every second. */
const CASE_CHANGES = 0.35;
export const HEX_RUN = /^(?:0x)?[0-9a-fA-F]+$/;
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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

/** Where the line of `at` begins; undefined if that is more than `max` signs before. Never reads further. */
export function lineStart(text: string, at: number, max: number): number | undefined {
  const floor = at - max;
  for (let start = at; start > floor; start--) {
    if (start === 0 || text.charCodeAt(start - 1) === 10) return start;
  }
  return undefined;
}
