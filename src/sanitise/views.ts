/**
 * What a text says in another writing: percent and HTML escapes, `\u0061`, full-width and look-alike letters. Such a part
 * is written out, looked at, and what is found there is given in the places of the text itself, so that nothing harmless
 * is rewritten. Only the surroundings of such signs are looked at.
 */
import { lineStart, matchEnd } from './shapes.ts';
import { isAlnumCode } from './signs.ts';

/** A part of a text written out. `origins[i]` is where sign `i` came from; the last is the part's end. */
export interface View {
  readonly text: string;
  readonly origins: readonly number[];
}

/** What stands before and behind an escape and may be its name or its value. */
const AROUND = 160;

/** Written-out surroundings of the places given, in their order. */
export function viewsOf(text: string, places: readonly number[]): View[] {
  const views: View[] = [];
  let part: { start: number; end: number } | undefined;
  const close = () => {
    if (part === undefined) return;
    const view = written(text, part.start, part.end);
    if (view !== undefined) views.push(view);
  };
  for (const place of places) {
    const [start, end] = [Math.max(0, place - AROUND), Math.min(text.length, place + AROUND)];
    if (part !== undefined && start <= part.end) part.end = end;
    else {
      close();
      part = { start, end };
    }
  }
  close();
  return views;
}

const ESCAPE =
  /%([0-9A-Fa-f]{2})|&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|([A-Za-z]{2,8}));?|\\+(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|U0{3}([0-9A-Fa-f]{5})|([0-3]?[0-7]{2})(?![0-9]))/y;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  equals: '=',
  colon: ':',
  commat: '@',
  period: '.',
  sol: '/',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  num: '#',
  percnt: '%',
  plus: '+',
};

/** A line that goes on: `\\` in a shell, `=` in a mail. */
const CONTINUED = /[=\\]\n[ \t]{0,40}/y;
/** A mail's lines are broken at 76 signs; a shorter line that ends in `=` is the end of base64. */
function isSoftBreak(text: string, at: number): boolean {
  if (text[at] !== '=' || text[at + 1] !== '\n' || text[at - 1] === '=') return false;
  const start = lineStart(text, at, 78);
  return start !== undefined && at - start > 70;
}

/** A mail's way to write `=` and others: only where the next is written so too, or it is the sign itself. */
const QUOTED_PRINTABLE = /^=(3D|[2-7][0-9A-F](?==[0-9A-F]))/;

/** Two literals that code puts together: `'ghp_abc' + 'def'`, or one below the other. */
const LITERALS = /(["'`])(?:\s{0,20}[+.&,]\s{0,40}|\s{0,4}\\?\n\s{0,40}|\s{1,4})\1/y;

export function isBetweenLiterals(text: string, at: number): boolean {
  let quote = at;
  if (text[at] === '\n' && (text[at - 1] === '\\' || isSoftBreak(text, at - 1))) return true;
  while (quote > 0 && at - quote < 8 && /[\s\\]/.test(text[quote - 1]!)) quote -= 1;
  return quote > 0 && matchEnd(LITERALS, text, quote - 1) > at;
}

function written(text: string, start: number, end: number): View | undefined {
  let said = '';
  const origins: number[] = [];
  let isChanged = false;
  for (let at = start; at < end; ) {
    const { sign, length } = signAt(text, at);
    if (length > 1 || sign !== text[at]) isChanged = true;
    for (let unit = 0; unit < sign.length; unit++) origins.push(at);
    said += sign;
    at += length;
  }
  origins.push(end);
  return isChanged ? { text: said, origins } : undefined;
}

function signAt(text: string, at: number): { sign: string; length: number } {
  const code = text.charCodeAt(at);
  if (code === 37 || code === 38 || code === 92) {
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(text);
    const sign = match === null ? undefined : escapedSign(match);
    if (sign !== undefined) return { sign, length: match![0].length };
  }
  if (code === 61 || code === 92) {
    const end = code === 92 || isSoftBreak(text, at) ? matchEnd(CONTINUED, text, at) : at;
    if (end > at) return { sign: '', length: end - at };
    const quoted = code === 61 ? QUOTED_PRINTABLE.exec(text.slice(at, at + 6))?.[1] : undefined;
    if (quoted !== undefined)
      return { sign: String.fromCharCode(Number.parseInt(quoted, 16)), length: 3 };
  }
  if (code === 34 || code === 39 || code === 96) {
    const end = matchEnd(LITERALS, text, at);
    if (end > at) return { sign: '', length: end - at };
  }
  if (code < 128) return { sign: text[at]!, length: 1 };
  const point = text.codePointAt(at)!;
  const length = point > 0xffff ? 2 : 1;
  return { sign: folded(point) ?? text.slice(at, at + length), length };
}

function escapedSign(match: RegExpExecArray): string | undefined {
  const [, percent, decimal, hex, entity, ...unicode] = match;
  const octal = match.at(-1);
  if (octal !== undefined) return signOf(Number.parseInt(octal, 8), false);
  if (entity !== undefined) return ENTITIES[entity];
  const code =
    decimal !== undefined
      ? Number(decimal)
      : Number.parseInt(percent ?? hex ?? unicode.find((one) => one !== undefined)!, 16);
  return signOf(code, percent !== undefined);
}

/** Others are no letters of a key, and control signs do something. */
function signOf(code: number, isByte: boolean): string | undefined {
  if (code < 32 || code === 127 || code > 0x10ffff) return undefined;
  if (code < 127) return String.fromCharCode(code);
  return isByte ? undefined : folded(code);
}

/** Letters of other scripts that are drawn as these are (Unicode's confusables, for letters of keys and names). */
const LIKE: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'ЬƄ',
  c: 'сϲᴄ',
  d: 'ԁ',
  e: 'еҽ',
  f: 'ẝ',
  g: 'ɡց',
  h: 'һհ',
  i: 'іıɩι',
  j: 'јϳ',
  k: 'κк',
  l: 'ӏⅼ',
  m: 'ⅿ',
  n: 'ոռ',
  o: 'оοօ',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'τт',
  u: 'υս',
  v: 'νѵ',
  w: 'ԝѡω',
  x: 'хχ',
  y: 'уγ',
  z: 'ᴢ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  E: 'ЕΕ',
  H: 'НΗ',
  I: 'ІΙӀ',
  J: 'Ј',
  K: 'КΚ',
  M: 'МΜ',
  N: 'Ν',
  O: 'ОΟ',
  P: 'РΡ',
  S: 'ЅՏ',
  T: 'ТΤ',
  X: 'ХΧ',
  Y: 'ҮΥ',
  Z: 'Ζ',
  '-': '‐‑‒–−',
  ':': '꞉ː∶：',
  '=': '＝',
};
let likeness: ReadonlyMap<number, string> | undefined;
/** Signs that are not seen and no control: selectors, joiners, fillers. */
const UNSEEN =
  /^(?:\u034f|\u115f|\u1160|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|\u3164|\uffa0|\p{Variation_Selector})$/u;

const FOLDINGS_MAX = 4096;
const foldings = new Map<number, string | null>();

/** The plain sign that a code point stands for; empty for what is not seen. */
function folded(point: number): string | undefined {
  const known = foldings.get(point);
  if (known !== undefined) return known ?? undefined;
  if (foldings.size >= FOLDINGS_MAX) foldings.clear();
  const plain = foldingOf(point);
  foldings.set(point, plain ?? null);
  return plain;
}

function foldingOf(point: number): string | undefined {
  likeness ??= new Map(
    Object.entries(LIKE).flatMap(([sign, all]) =>
      [...all].map((one) => [one.codePointAt(0)!, sign]),
    ),
  );
  const like = likeness.get(point);
  if (like !== undefined) return like;
  const character = String.fromCodePoint(point);
  if (UNSEEN.test(character)) return '';
  if (point < 0x2070) return undefined;
  const plain = character.normalize('NFKC');
  return /^[ -~]$/.test(plain) ? plain : undefined;
}

/** A plain letter or digit, at once or behind the sign that joins the parts of a key. */
function isBesidePlain(text: string, at: number, step: 1 | -1): boolean {
  const beside = text[at + step];
  const next = beside === '-' || beside === '_' ? at + 2 * step : at + step;
  return isAlnumCode(text.charCodeAt(next));
}

/** Whether a sign outside ASCII may stand in for one of it: it does, and plain letters are beside it. */
export function isDisguise(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Full-width forms and mathematical letters need none beside them.
  if ((code >= 0xff01 && code <= 0xff5e) || code === 0xd835) return true;
  if (!isBesidePlain(text, at, -1) && !isBesidePlain(text, at, 1)) return false;
  return folded(text.codePointAt(at)!) !== undefined;
}
