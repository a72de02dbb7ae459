/**
 * Telephone numbers. With a plus or 00 and a country's code, or in one of the forms that only telephone numbers
 * have, they are known by themselves; other groups of digits only where a telephone is spoken of: counts,
 * times, versions, addresses and ids look the same.
 */
import type { Found } from './found.ts';
import { matchEnd } from './shapes.ts';
import { isDigitCode } from './signs.ts';

const DIGITS_MIN = 8;
/** ITU-T E.164. */
const DIGITS_MAX = 15;
/** Without any sign between: shorter ones are differences (`+12345678`). */
const BARE_DIGITS_MIN = 10;

const INTERNATIONAL =
  /(?<![A-Za-z0-9+.])\+(?:[1-9]\d{0,14}|\([1-9]\d{0,3}\))(?:[ .()/-]{1,3}\d{1,12}){0,7}(?!\d|:\d)/y;
/** With the sign between that tells it from a number with zeros before it. */
const DIALLED =
  /(?<![A-Za-z0-9+.,:/_-]|\d )00[1-9]\d{0,2}(?:[ ./()-]{1,3}\d{1,12}){2,7}(?!\d|[:.]\d)|(?<![A-Za-z0-9+.,:/_-])00[1-9]\d{9,12}(?!\w|\.\d)/y;
/** One digit, then by their first; the rest of the codes have three. */
const COUNTRY =
  /^(?:1[2-9]\d{2}[2-9]\d{6}$|7[3-9]\d{9}$|2[07]|3[0-46-9]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|35|37|38|42|50|59|67|68|69|80|85|87|88|96|97|99)\d)/;

/** At a plus, or at the zeros that stand for it. */
export function internationalAt(found: Found, at: number): number | undefined {
  const isPlus = found.text[at] === '+';
  const pattern = isPlus ? INTERNATIONAL : DIALLED;
  const end = matchEnd(pattern, found.text, at);
  if (end === at) return undefined;
  const number = isPlus ? found.text.slice(at, end) : `+${found.text.slice(at + 2, end)}`;
  const length = phoneEnd(number);
  if (length === undefined) return undefined;
  return phone(found, at, at + length + (isPlus ? 0 : 1));
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
const AFTER = '(?:\\s?(?:x|ext\\.?)\\s?\\d{1,6})?(?![A-Za-z0-9_]|[.,:/-]\\d)';
/** North America, and with the zero that is dialled inside a country: (415) 555-0132, (030) 901820, (08) 8747 6301. */
const IN_PARENTHESES = [
  '(?:1[-. ]?)?\\([2-9]\\d{2}\\) ?[2-9]\\d{2}[-. ]\\d{4}',
  '\\([1-9]\\d\\) 9?\\d{4}-\\d{4}',
  '\\(0[1-9]\\d{0,4}\\)[ /-]?\\d{3,4}(?:[ -]?\\d{2,5}){1,2}',
];
/** 415-555-0132, 1-415-555-0132, 415.555.0132, 030/901820, 020-7946-0958, 01.23.45.67.89. */
const SIGNED = [
  '(?:(?:001-|1-)?[2-9]\\d{2}-[2-9]\\d{2}-\\d{4})',
  '[2-9]\\d{2}\\.[2-9]\\d{2}\\.\\d{4}',
  '0[1-9]\\d{1,4} ?[/] ?\\d{5,8}',
  '0[1-9]\\d{1,4}/\\d{3} \\d{2,3} \\d{2,3}',
  '1[3-9]\\d-\\d{4}-\\d{4}',
  '8 ?\\(\\d{3}\\) ?\\d{3}-\\d{2}-\\d{2}',
  '0[1-9]\\d{0,3}-\\d{3,4}-\\d{3,4}',
  '0[1-9]\\d{0,2}-\\d{3}(?: \\d{2}){2}',
  '0[1-9]\\d?-\\d{7,8}',
  '0[1-9](?:([.-])\\d{2})(?:\\1\\d{2}){3}',
];
/** With spaces only: 020 7946 0958. Not beside another number: columns of a table, a dump. */
const SPACED = [
  '0[1-9]\\d{1,3} \\d{3,4} \\d{3,4}',
  '0[1-9]\\d{1,2} \\d{3} \\d{2} \\d{2}',
  '0[1-9]\\d{2} \\d{2} \\d{2} \\d{2}',
  '0[1-9]\\d{0,2} \\d{7}',
  '07\\d{3} \\d{6}',
  '0[2378] \\d{4} \\d{4}',
  '0800 \\d{6,7}',
  '01[5-7]\\d \\d{7,8}',
  '0[1-9](?: \\d{2}){4}',
];
const FORMATTED = new RegExp(
  `(?:(?<![A-Za-z_])(?:${IN_PARENTHESES.join('|')})|${BEFORE}(?:${SIGNED.join('|')}|(?<!\\d )(?:${SPACED.join('|')})(?! [0-9a-f]{2})))${AFTER}`,
  'y',
);

const WORD =
  '(?:tele)?phone|tele(?:f|ph)one?|telefon|tel|mobile|mobil|msisdn|whatsapp|fax|cell(?:phone)?|sms|handy(?:nummer)?|caller|call(?:ed|ing)?|dial(?:led|ed|ing)?|rufnummer|hotline|landline|reach(?:ed)?|text(?:ed)?|ring|contact|kontakt|erreichbar(?: unter)?|ruf(?:en)?(?: \\w{1,10})? an|durchwahl|rappel(?:er|ez)|joindre|bel|appelez|llam[ae]|chiam[ai]|ligue|anruf(?:en)?|tlf|電話|电话|電話番号|전화|тел(?:ефон)?|móvil|celular|portable|cellulare';
/** `"phone_number": "030 901820"`, `tel: 901820`, `Phone no. 0301901820`, "call me at 901820". */
const SPOKEN_OF = new RegExp(
  `(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?:${WORD})(?:[-_ ]?(?:number|num|no|nr)\\b)?\\.?["'\`\\\\]{0,4}(?:\\s{0,3}(?:[:=#]|is|was)\\s{0,3}|\\s|\\s(?:me|us|him|her|them|support|back|out)?\\s?(?:at|on|under|via|to)?\\s)["'\`\\\\]{0,4}$|(?<![A-Za-z])(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Yy]our|new|contact|emergency) (?:new |old |mobile |home |work |office |cell |contact )?number(?: is| was|:)\\s$`,
  'i',
);
const GROUPS = /\+?\(?\d{1,15}\)?(?:[ .()/-]{1,3}\d{1,12}){0,7}(?!\d|:\d)/y;
const SPOKEN_DIGITS_MIN = 7;
const DATE = /^\d{4}-\d\d-\d\d|^\d{1,3}(?:\.\d{1,3}){3}$/;
const SPOKEN_BEFORE = 48;

/** At a digit or a parenthesis where groups of digits begin. */
export function phoneAt(found: Found, at: number): number | undefined {
  const { text } = found;
  const end = matchEnd(FORMATTED, text, at);
  if (end > at) return phone(found, at, end);
  if (text[at] === '0' && text[at + 1] === '0') {
    const dialled = internationalAt(found, at);
    if (dialled !== undefined) return dialled;
  }
  GROUPS.lastIndex = at;
  const groups = GROUPS.exec(text)?.[0];
  if (groups === undefined || DATE.test(groups)) return undefined;
  const digits = digitsIn(groups);
  if (digits < SPOKEN_DIGITS_MIN || digits > DIGITS_MAX) return undefined;
  found.isFar = true;
  if (!SPOKEN_OF.test(text.slice(Math.max(0, at - SPOKEN_BEFORE), at))) return undefined;
  return phone(found, at, at + groups.length);
}

function digitsIn(groups: string): number {
  let digits = 0;
  for (let at = 0; at < groups.length; at++) if (isDigitCode(groups.charCodeAt(at))) digits += 1;
  return digits;
}

function phone(found: Found, start: number, end: number): number {
  found.add('phone', start, end, '[REDACTED:PHONE]');
  return end;
}
