/** Personal numbers, recognised by their check digits: cards, accounts, persons. Each at a place where digits begin. */
import type { Found } from './found.ts';
import { matchEnd } from './shapes.ts';

/** Without signs between, or in the groups that are printed on cards, all with one sign between. */
const BARE_CARD = /(?<![\d.,])(?<![\dA-Fa-f]{4}-)(?<![A-Za-z_])\d{12,19}(?![\dA-Za-z_])(?!\.\d)/y;
const GROUPED_CARD =
  /(?<![\d.,])(?<![\dA-Fa-f]{4}-)(?:\d{4}([ .-])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3}(?!\d))?|\d{4}([ -])\d{6}\2\d{4,5})(?![\dA-Za-z_])/y;

/** Issuers and the lengths of their numbers (ISO/IEC 7812, as the networks publish them). */
const ISSUERS: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|2(?:2[2-9][1-9]|2[3-9]|[3-6]|7[01]|720))/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[689])/, [14, 16, 19]],
  [/^6(?:011|4[4-9]|5|2)/, [16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^(?:1800|2131)/, [15]],
  [/^(?:50|5[6-9]|6[0-9])/, [12, 13, 14, 15, 16, 17, 18, 19]],
];
/**
 * Lengths that a bare number may have. Of other lengths are times in ms (13) and ns (19) and the ids of
 * messages (17 to 19): one in ten passes the check, so a card has to be spoken of.
 */
const BARE_LENGTHS = [14, 15, 16];
const CARD_WORD =
  /(?<![A-Za-z])(?:card|cards|creditcard|cc|pan|visa|mastercard|maestro|amex|unionpay|debit|credit|payment)(?![a-z])|(?:card|Card|CARD)[-_ ]?(?:[Nn]o|[Nn]um|NO|NUM)/i;

export function cardAt(found: Found, at: number): number | undefined {
  const { text } = found;
  GROUPED_CARD.lastIndex = at;
  const grouped = GROUPED_CARD.exec(text)?.[0];
  const length = grouped === undefined ? undefined : cardLength(grouped);
  if (length !== undefined) return card(found, at, at + length);
  BARE_CARD.lastIndex = at;
  const bare = BARE_CARD.exec(text)?.[0];
  if (bare === undefined || !isCard(bare)) return undefined;
  found.isFar = true;
  const isSpokenOf = BARE_LENGTHS.includes(bare.length) || CARD_WORD.test(near(text, at));
  return isSpokenOf ? card(found, at, at + bare.length) : undefined;
}

function card(found: Found, start: number, end: number): number {
  found.add('card', start, end, '[REDACTED:CARD]');
  return end;
}

/** How much of a grouped number is a card: what follows its last group of four may be something else. */
function cardLength(found: string): number | undefined {
  if (isCard(found.replace(/[ .-]/g, ''))) return found.length;
  const four = /^\d{4}([ .-])\d{4}\1\d{4}\1\d{4}/.exec(found)?.[0];
  return four !== undefined && isCard(four.replace(/[ .-]/g, '')) ? four.length : undefined;
}

function isCard(digits: string): boolean {
  const isIssued = ISSUERS.some(
    ([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits),
  );
  // A number of one digit over and over is a filler, not a card.
  return isIssued && passesLuhn(digits) && !/^(\d)\1+$/.test(digits);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const doubled = digit * 2;
    sum += at % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The text shortly before. Marks hold none of the words searched for, so later passes see no more. */
const NEAR_LENGTH = 40;

function near(text: string, at: number): string {
  return text.slice(Math.max(0, at - NEAR_LENGTH), at);
}

const IBAN =
  /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/iy;
/** By country, how long its numbers are (the IBAN registry). */
const IBAN_LENGTHS = new Map(
  [
    'NO15 BE16 DK18 FI18 FO18 GL18 NL18 SD18 FK18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 MN20 XK20',
    'CH21 HR21 LI21 LV21 BG22 BH22 CR22 DE22 GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 OM23',
    'TL23 SO23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24 SE24 SK24 TN24 VG24 LY25 PT25 ST25 IS26 TR26 BI27',
    'DJ27 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 BY28 CY28 DO28 GT28 HU28 LB28 NI28 PL28 SV28 BR29',
    'EG29 PS29 QA29 UA29 JO30 KW30 MU30 YE30 MT31 SC32 LC32 RU33',
  ]
    .join(' ')
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** At a word of two letters and two digits. */
export function ibanAt(found: Found, at: number): void {
  const length = IBAN_LENGTHS.get(found.text.slice(at, at + 2).toUpperCase());
  if (length === undefined) return;
  IBAN.lastIndex = at;
  const match = IBAN.exec(found.text)?.[0];
  const end = match === undefined ? undefined : endOfSigns(match, length);
  if (end === undefined || !passesMod97(match!.slice(0, end))) return;
  found.add('iban', at, at + end, '[REDACTED:IBAN]');
}

/** Where the first `count` letters and digits end, if a group ends there: a word may follow. */
function endOfSigns(found: string, count: number): number | undefined {
  let seen = 0;
  for (let at = 0; at < found.length; at++) {
    if (/[A-Za-z0-9]/.test(found[at]!)) seen += 1;
    if (seen === count) return /^(?:$|[ -])/.test(found.slice(at + 1)) ? at + 1 : undefined;
  }
  return undefined;
}

/** ISO 7064: the first four signs moved to the end, letters as numbers from 10, remainder 1. */
function passesMod97(iban: string): boolean {
  const signs = iban.replace(/[ -]/g, '').toUpperCase();
  let rest = 0;
  for (const sign of signs.slice(4) + signs.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** A social security number of the United States; numbers that were never given are none. */
const SOCIAL_SECURITY =
  /(?<![\dA-Za-z.-])(?!000|666|9\d\d)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\dA-Za-z]|[.-]\d)/y;
const ID_WORD =
  /(?:ssn|social(?: security| insurance)?|national id|tax id|\btin\b|nino|insurance|passport|person(?:al)?(?:n?ummer|nummer| number| id)|\bsin\b|ausweis|steuer|dni\b|nie\b|nif\b|bsn\b|cpf\b|aadhaa?r|nhs|medicare|ahv|avs|pesel|codice fiscale|insee|sécu)[^\n]{0,24}$/i;
/** Numbers of persons elsewhere, only where one is spoken of. */
const OTHER_ID =
  /\d \d{2} \d{2} \d{2} \d{3} \d{3}(?: \d{2})?(?![\dA-Za-z])|\d{3} \d{3} \d{4}(?![\dA-Za-z])|\d{2} \d{3} \d{3} \d{3}(?![\dA-Za-z])|\d{3}[ .-]?\d{3}[ .-]?\d{3}(?:[ .-]?\d{2})?(?![\dA-Za-z])|\d{4}[ -]?\d{4}[ -]?\d{4}(?![\dA-Za-z])|756\.\d{4}\.\d{4}\.\d{2}|\d{8}-?[A-Z](?![A-Za-z\d])|\d{6}[-+]?\d{4}(?![\dA-Za-z])|\d{3}[ -]?\d{2}[ -]?\d{4}(?![\dA-Za-z])|\d{9,13}(?![\dA-Za-z])/y;

export function nationalIdAt(found: Found, at: number): number | undefined {
  const { text } = found;
  SOCIAL_SECURITY.lastIndex = at;
  const match = SOCIAL_SECURITY.exec(text);
  if (match !== null && (match[1] === '-' || ID_WORD.test(near(text, at))))
    return nationalId(found, at, SOCIAL_SECURITY.lastIndex);
  if (/[\w.-]/.test(text[at - 1] ?? '')) return undefined;
  const end = matchEnd(OTHER_ID, text, at);
  if (end > at) found.isFar = true;
  return end > at && ID_WORD.test(near(text, at)) ? nationalId(found, at, end) : undefined;
}

/** Great Britain's national insurance number: letters, three pairs of digits, a letter; Italy's tax code. */
const INSURANCE =
  /(?<![A-Za-z0-9])(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![A-Za-z0-9])|(?<![A-Za-z0-9])[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?![A-Za-z0-9])/y;

export function insuranceNumberAt(found: Found, at: number): void {
  INSURANCE.lastIndex = at;
  if (INSURANCE.test(found.text)) nationalId(found, at, INSURANCE.lastIndex);
}

function nationalId(found: Found, start: number, end: number): number {
  found.add('national_id', start, end, '[REDACTED:NATIONAL_ID]');
  return end;
}
