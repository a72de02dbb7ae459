/** Finds the keys of `issuers.ts` where they begin. Built at the first text that is worth it, not at start. */

import { type Alphabet, ISSUERS, type Issuer } from './issuers.ts';
import { isMadeByHand } from './made-by-hand.ts';
import { asksForValue, isFiller, isWordy } from './placeholder.ts';
import { beginning } from './signs.ts';

const ALPHABETS: Readonly<Record<Alphabet, string>> = {
  hex: '0-9a-fA-F',
  lower: 'a-z0-9',
  upper: 'A-Z0-9',
  alnum: 'A-Za-z0-9',
  under: 'A-Za-z0-9_',
  url: 'A-Za-z0-9_-',
  base64: 'A-Za-z0-9+/=_-',
  dotted: 'A-Za-z0-9_.-',
};

interface Form extends Issuer {
  /** Of letters in both cases: then words are told from chance. */
  readonly isMixed: boolean;
  readonly prefix: string;
  readonly body: RegExp;
}

let byBeginning: Map<number, readonly Form[]> | undefined;
let byEnding: Map<number, readonly Form[]> | undefined;

let all: readonly Form[] | undefined;

function forms(): readonly Form[] {
  all ??= madeForms();
  return all;
}

function madeForms(): Form[] {
  const bodies = Object.fromEntries(
    Object.entries(ALPHABETS).map(([name, signs]) => [name, new RegExp(`[${signs}]*`, 'y')]),
  );
  return ISSUERS.flatMap((issuer) =>
    issuer.prefixes.map((prefix) => ({
      ...issuer,
      prefix,
      isMixed: !['hex', 'upper', 'lower'].includes(issuer.alphabet),
      body: bodies[issuer.alphabet]!,
    })),
  );
}

function grouped(some: readonly Form[], keyOf: (form: Form) => number[]): Map<number, Form[]> {
  const groups = new Map<number, Form[]>();
  for (const form of some)
    for (const key of keyOf(form)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [form]);
      else group.push(form);
    }
  for (const group of groups.values()) group.sort((a, b) => b.prefix.length - a.prefix.length);
  return groups;
}

/** A prefix of two signs goes with every third. */
function beginnings({ prefix }: Form): number[] {
  if (prefix.length > 2) return [beginning(prefix, 0)];
  return Array.from({ length: 32 }, (_, third) => (beginning(prefix, 0) & ~31) | third);
}

/** What of the first three signs of a word may be a key's. */
export function issuerBeginnings(): readonly number[] {
  byBeginning ??= grouped(forms(), beginnings);
  return [...byBeginning.keys()];
}

/** The last three signs of prefixes that words go on into. */
export function issuerEndings(): readonly number[] {
  byEnding ??= grouped(
    forms().filter(({ isGlued }) => isGlued === true),
    ({ prefix }) => [beginning(prefix, prefix.length - 3)],
  );
  return [...byEnding.keys()];
}

/** Where the key ends that begins at `start`. */
export function issuerKeyEnd(text: string, start: number): number | undefined {
  for (const form of byBeginning?.get(beginning(text, start)) ?? []) {
    if (!text.startsWith(form.prefix, start)) continue;
    // `+` is a sign of base64; a prefix of letters alone comes up there.
    if (text[start - 1] === '+' && /^[A-Za-z]+$/.test(form.prefix)) continue;
    const end = bodyEnd(text, start + form.prefix.length, form);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** The key whose prefix ends at `end`, whatever is before it. */
export function gluedKey(text: string, end: number): { start: number; end: number } | undefined {
  for (const form of byEnding?.get(beginning(text, end - 3)) ?? []) {
    const start = end - form.prefix.length;
    if (start < 0 || !text.startsWith(form.prefix, start) || !isBehindWord(text, start)) continue;
    const stop = bodyEnd(text, end, form);
    if (stop !== undefined) return { start, end: stop };
  }
  return undefined;
}

/** Behind letters: in a long run of chance signs the letters of a prefix come up by chance. */
function isBehindWord(text: string, start: number): boolean {
  const before = /[A-Za-z0-9+/]*$/.exec(text.slice(Math.max(0, start - 24), start))![0];
  return before.length < 20 && /^[A-Za-z]*\d{0,3}$/.test(before);
}

/** Longer keys are cut here, so that a text that is one long run is not read from each of its places. */
const BODY_MAX = 4096;

function bodyEnd(text: string, start: number, form: Form): number | undefined {
  form.body.lastIndex = start;
  form.body.test(text);
  const end = wrappedEnd(text, start, trimmedEnd(text, start, form.body.lastIndex), form);
  const length = end - start;
  if (length < form.min || length > (form.max ?? Number.POSITIVE_INFINITY)) return undefined;
  const body = text.slice(start, Math.min(end, start + BODY_MAX));
  if (form.form !== undefined && !form.form.test(body)) return undefined;
  // A form that no word has is one unless it has no digit at all: `glpat-my-token-here`.
  const isWhole = length === form.exact || length >= (form.wholeFrom ?? Number.POSITIVE_INFINITY);
  const isOwn = isWhole || (form.isGlued === true && /\d/.test(body));
  const isMixed = form.isMixed && !isOwn;
  if (isFiller(body) || (isMixed ? isWordy(body) : asksForValue(body))) return undefined;
  return (!isWhole && isMadeByHand(body)) || isMasked(text, body, end) ? undefined : end;
}

/** `xoxp-572370529330-####`: somebody hid what was secret of it. */
function isMasked(text: string, body: string, end: number): boolean {
  return /[-_.]$/.test(body) && /^([#*•.])\1{3}/.test(text.slice(end, end + 4));
}

/** A terminal or a mail breaks a long key into two lines: the rest is the whole of the next one. */
function wrappedEnd(text: string, start: number, end: number, form: Form): number {
  const least = form.exact ?? form.min;
  if (text.charCodeAt(end) !== 10 || end - start >= least || end - start < 4) return end;
  const rest = /^\n[ \t>|]{0,8}([A-Za-z0-9_-]{4,120})(?=["'`,;]{0,2}(?:\n|$))/.exec(
    text.slice(end, end + 140),
  );
  if (rest === null || isWordy(rest[1]!)) return end;
  const whole = end - start + rest[1]!.length;
  return whole >= least && /\d/.test(rest[1]!) ? end + rest[0].length : end;
}

/** A full stop or a slash at the end is the sentence's. */
function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && (text[at - 1] === '.' || text[at - 1] === '/')) at -= 1;
  return at;
}
