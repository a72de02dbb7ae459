/**
 * Escapes inside a text: percent, HTML entities, `\u`, `\x` and octal escapes, quoted-printable. Near
 * ones are opened together with the text around them, so that a sentence with every third letter
 * escaped reads as a sentence. Escaping a reserved character or a letter beyond ASCII is ordinary;
 * escaping plain letters, or characters that nobody would see, is not.
 */
import type { Decoded } from './blobs.ts';
import { hiddenClassOf } from './code-points.ts';

/** Every alternative starts with its own character and is bounded or a plain repetition: linear. */
const ESCAPES =
  /(?:%[0-9A-Fa-f]{2})+|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,24});|\\u\{[0-9A-Fa-f]{1,6}\}|(?:\\u[0-9A-Fa-f]{4})+|\\U[0-9A-Fa-f]{8}|(?:\\x[0-9A-Fa-f]{2})+|(?:\\[0-3][0-7]{2}){3,}|(?:=[0-9A-F]{2}){3,}/g;

/** Escapes nearer than this to each other are one region. */
const REGION_GAP_UNITS = 160;
const CONTEXT_UNITS = 64;
const UNNEEDED_MIN = 3;

const ENTITIES = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    shy: '\u00ad',
    zwj: '\u200d',
    zwnj: '\u200c',
    lrm: '\u200e',
    rlm: '\u200f',
    ZeroWidthSpace: '\u200b',
    NoBreak: '\u2060',
    InvisibleTimes: '\u2062',
    ApplyFunction: '\u2061',
    NewLine: '\n',
    Tab: '\t',
    colon: ':',
    sol: '/',
    lpar: '(',
    rpar: ')',
    lsqb: '[',
    rsqb: ']',
    lbrace: '{',
    rbrace: '}',
    period: '.',
    comma: ',',
    semi: ';',
    equals: '=',
    num: '#',
    percnt: '%',
    commat: '@',
    dollar: '$',
    excl: '!',
    quest: '?',
    ast: '*',
    plus: '+',
    lowbar: '_',
    grave: '`',
    verbar: '|',
    bsol: '\\',
    hellip: '\u2026',
    ndash: '\u2013',
    mdash: '\u2014',
    lsquo: '\u2018',
    rsquo: '\u2019',
    ldquo: '\u201c',
    rdquo: '\u201d',
    copy: '\u00a9',
    reg: '\u00ae',
    trade: '\u2122',
    middot: '\u00b7',
    bull: '\u2022',
    times: '\u00d7',
  }),
);

/** What an escape may write without anybody asking why. */
const PLAIN_CLASSES = new Set(['seen', 'space', 'replacement']);

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly unneeded: number;
  readonly hidden: number;
}

export function decodeEscapes(text: string, unitsMax: number): Decoded[] {
  const found: Decoded[] = [];
  let region: Piece[] = [];
  let regionFloor = 0;
  const close = () => {
    const decoded = openRegion(text, region, regionFloor, unitsMax);
    if (decoded !== undefined) found.push(decoded);
    regionFloor = region[region.length - 1]?.end ?? regionFloor;
    region = [];
  };
  ESCAPES.lastIndex = 0;
  for (let match = ESCAPES.exec(text); match !== null; match = ESCAPES.exec(text)) {
    const piece = decodePiece(match[0], match.index);
    if (piece === undefined) continue;
    const last = region[region.length - 1];
    if (last !== undefined && piece.start - last.end > REGION_GAP_UNITS) close();
    region.push(piece);
  }
  close();
  return found;
}

function openRegion(
  text: string,
  pieces: readonly Piece[],
  floor: number,
  unitsMax: number,
): Decoded | undefined {
  const first = pieces[0];
  const last = pieces[pieces.length - 1];
  if (first === undefined || last === undefined) return undefined;
  const unneeded = pieces.reduce((sum, piece) => sum + piece.unneeded, 0);
  const hidden = pieces.reduce((sum, piece) => sum + piece.hidden, 0);
  // Escaped reserved characters alone are harmless; letters, or an escape inside an escape, are not.
  if (unneeded === 0 && hidden === 0 && !pieces.some((piece) => /[\p{L}%&\\]/u.test(piece.text)))
    return undefined;
  const parts: string[] = [];
  let from = Math.max(floor, first.start - CONTEXT_UNITS);
  for (const piece of pieces) {
    parts.push(text.slice(from, piece.start), piece.text);
    from = piece.end;
  }
  parts.push(text.slice(from, from + CONTEXT_UNITS));
  const alarm =
    unneeded >= UNNEEDED_MIN
      ? `${unneeded} letters or digits written as escapes that need none`
      : hidden > 0
        ? `${hidden} hidden character${hidden === 1 ? '' : 's'} written as escapes`
        : undefined;
  return {
    encoding: 'escapes',
    start: first.start,
    end: last.end,
    text: parts.join('').slice(0, unitsMax),
    prose: false,
    inCode: pieces.every((piece) => text.startsWith('\\', piece.start)),
    ...(alarm === undefined ? {} : { alarm }),
  };
}

function decodePiece(written: string, start: number): Piece | undefined {
  const text = decodeOne(written);
  if (text === undefined) return undefined;
  let unneeded = 0;
  let hidden = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    if (/[A-Za-z0-9]/.test(character)) unneeded += 1;
    else if (point > 0x7f && !PLAIN_CLASSES.has(hiddenClassOf(point))) hidden += 1;
  }
  return {
    start,
    end: start + written.length,
    text,
    unneeded,
    hidden: isMarkup(written) ? hidden : 0,
  };
}

/** `\u200b` in source code is how an honest program writes it; an entity or %E2%80%8B will be shown. */
function isMarkup(written: string): boolean {
  return written.startsWith('&') || written.startsWith('%');
}

function decodeOne(written: string): string | undefined {
  if (written.startsWith('&#')) {
    const hex = /^&#[xX]/.test(written);
    return fromPoint(Number.parseInt(written.slice(hex ? 3 : 2, -1), hex ? 16 : 10));
  }
  if (written.startsWith('&')) return ENTITIES.get(written.slice(1, -1));
  if (written.startsWith('\\u{')) return fromPoint(Number.parseInt(written.slice(3, -1), 16));
  if (written.startsWith('\\U')) return fromPoint(Number.parseInt(written.slice(2), 16));
  if (written.startsWith('\\u'))
    return written.replace(/\\u([0-9A-Fa-f]{4})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  const octal = /^\\[0-3]/.test(written);
  const digits = written.match(octal ? /[0-7]{3}/g : /[0-9A-Fa-f]{2}/g) ?? [];
  const bytes = Uint8Array.from(digits, (digit) => Number.parseInt(digit, octal ? 8 : 16));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function fromPoint(point: number): string | undefined {
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}
