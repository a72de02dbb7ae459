/**
 * Telephone numbers. With a plus and a country's code, or in one of the forms that only telephone numbers
 * have, they are known by themselves; other groups of digits only where a telephone is spoken of: counts,
 * times, versions, addresses and ids look the same.
 */
import { inOrder } from './shapes.ts';
import type { Edit, Rule } from './types.ts';

const DIGITS_MIN = 8;
/** ITU-T E.164. */
const DIGITS_MAX = 15;
/** Without any sign between: shorter ones are differences (`+12345678`). */
const BARE_DIGITS_MIN = 10;

const INTERNATIONAL =
  /(?<![A-Za-z0-9+.])\+(?:[1-9]\d{0,14}|\([1-9]\d{0,3}\))(?:[ .()/-]{1,3}\d{1,12}){0,7}(?!\d|:\d)/g;
/** One digit, then by their first; the rest of the codes have three. */
const COUNTRY =
  /^(?:1[2-9]\d{2}[2-9]\d{6}$|7[3-9]\d{9}$|2[07]|3[0-46-9]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|35|37|38|42|50|59|67|68|69|80|85|87|88|96|97|99)\d)/;

function international(text: string): Edit[] {
  const edits: Edit[] = [];
  if (!text.includes('+')) return edits;
  for (const { 0: found, index } of text.matchAll(INTERNATIONAL)) {
    const end = phoneEnd(found);
    if (end !== undefined) edits.push(phone(index, index + end));
  }
  return edits;
}

/** A group that is too much belongs to what follows, so they are taken away one by one. */
function phoneEnd(found: string): number | undefined {
  let end = found.length;
  while (end > 0) {
    const digits = found.slice(0, end).replace(/\D/g, '');
    const least = /^\+\d+$/.test(found.slice(0, end)) ? BARE_DIGITS_MIN : DIGITS_MIN;
    if (digits.length < least) return undefined;
    if (digits.length <= DIGITS_MAX && COUNTRY.test(digits)) return end;
    end = lastGroup(found, end);
  }
  return undefined;
}

/** Where the last group of digits before `end` and the signs before it begin. */
function lastGroup(found: string, end: number): number {
  let at = end;
  while (at > 0 && /\d/.test(found[at - 1]!)) at -= 1;
  while (at > 0 && /\D/.test(found[at - 1]!)) at -= 1;
  return at;
}

const BEFORE = '(?<![A-Za-z0-9_.,:/+-])';
const AFTER = '(?![A-Za-z0-9_]|[.,:/-]\\d)';
/** North America, and with the zero that is dialled inside a country: (415) 555-0132, (030) 901820. */
const IN_PARENTHESES = [
  '(?:1[-. ]?)?\\([2-9]\\d{2}\\) ?[2-9]\\d{2}[-. ]\\d{4}',
  '\\(0[1-9]\\d{1,4}\\)[ /-]?\\d{3,4}(?:[ -]?\\d{2,5}){1,2}',
];
/** 415-555-0132, 1-415-555-0132, 415.555.0132, 030/901820, 020-7946-0958, 01.23.45.67.89. */
const SIGNED = [
  '(?:1-)?[2-9]\\d{2}-[2-9]\\d{2}-\\d{4}',
  '[2-9]\\d{2}\\.[2-9]\\d{2}\\.\\d{4}',
  '0[1-9]\\d{1,4}[/]\\d{5,8}',
  '0[1-9]\\d{1,3}-\\d{3,4}-\\d{3,4}',
  '0[1-9](?:([.-])\\d{2})(?:\\1\\d{2}){3}',
];
/** With spaces only: 020 7946 0958. Not beside another number: columns of a table, a dump. */
const SPACED = ['0[1-9]\\d{1,3} \\d{3,4} \\d{3,4}', '07\\d{3} \\d{6}', '0[1-9](?: \\d{2}){4}'];
const FORMATTED = new RegExp(
  `(?:(?<![A-Za-z_])(?:${IN_PARENTHESES.join('|')})|${BEFORE}(?:${SIGNED.join('|')}|(?<!\\d )(?:${SPACED.join('|')})(?! [0-9a-f]{2})))${AFTER}`,
  'g',
);

function formatted(text: string): Edit[] {
  return Array.from(text.matchAll(FORMATTED), ({ 0: found, index }) =>
    phone(index, index + found.length),
  );
}

const WORD =
  '(?:tele)?phone|tele(?:f|ph)one?|tel|mobile|msisdn|whatsapp|fax|cell(?:phone)?|sms|handy(?:nummer)?|caller';
/** `"phone_number": "030 901820"`, `tel: 901820`, `Phone no. 0301901820`. */
const SPOKEN_OF = new RegExp(
  `(?<![A-Za-z])(?:[A-Za-z]{1,20}[-_])?(?:${WORD})(?:[-_ ]?(?:number|num|no|nr)\\b\\.?)?["'\`\\\\]{0,4}(?:\\s{0,3}(?:[:=#]|is|was)\\s{0,3}|\\s)["'\`\\\\]{0,4}(?=[+(\\d])`,
  'gi',
);
const CAMEL =
  /(?<=[a-z])(?:Phone|Mobile|Fax|Cell)(?:Number|No)?["'`\\]{0,4}\s{0,2}[:=]\s{0,2}["'`\\]{0,4}(?=[+(\d])/g;
const GROUPS = /\+?\(?\d{1,15}\)?(?:[ .()/-]{1,3}\d{1,12}){0,7}(?!\d|:\d)/y;
const SPOKEN_DIGITS_MIN = 7;
const DATE = /^\d{4}-\d\d-\d\d|^\d{1,3}(?:\.\d{1,3}){3}$/;

function spokenOf(text: string): Edit[] {
  const edits: Edit[] = [];
  for (const pattern of [SPOKEN_OF, CAMEL]) {
    for (const { 0: before, index } of text.matchAll(pattern)) {
      const start = index + before.length;
      GROUPS.lastIndex = start;
      const found = GROUPS.exec(text)?.[0];
      if (found === undefined || DATE.test(found)) continue;
      const digits = found.replace(/\D/g, '').length;
      if (digits < SPOKEN_DIGITS_MIN || digits > DIGITS_MAX) continue;
      edits.push(phone(start, start + found.length));
    }
  }
  return edits;
}

export const phones: Rule = (text) => {
  if (!/\d[\d ().+/-]{5,}\d/.test(text)) return [];
  return inOrder([...international(text), ...formatted(text), ...spokenOf(text)]);
};

function phone(start: number, end: number): Edit {
  return { kind: 'phone', start, end, mark: '[REDACTED:PHONE]' };
}
