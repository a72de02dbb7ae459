/**
 * Characters without a shape: zero-width joiners and spaces, tag characters, variation selectors and
 * fillers. Each has an honest use (emoji, Persian, Indic scripts, line breaks in Thai, ideographic
 * variants), and that use is recognised by its neighbours. Anything else splits words, carries bits or
 * smuggles a whole text that only a machine reads.
 */
import {
  hexPoint,
  hiddenName,
  isAsciiLetter,
  letterClassOf,
  type Script,
  scriptOf,
} from './code-points.ts';
import type { Report } from './report.ts';

interface Run {
  readonly start: number;
  readonly end: number;
}

const ZWSP = 0x200b;
const ZWNJ = 0x200c;
const ZWJ = 0x200d;
const SOFT_HYPHEN = 0xad;
const BYTE_ORDER_MARK = 0xfeff;
const GRAPHEME_JOINER = 0x034f;

const JOINING_SCRIPTS: ReadonlySet<Script> = new Set(['Arabic', 'Syriac', 'Mongolian', 'Nko']);
const INDIC_SCRIPTS: ReadonlySet<Script> = new Set([
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Gujarati',
  'Gurmukhi',
  'Oriya',
  'Sinhala',
  'Khmer',
  'Myanmar',
  'Tibetan',
]);
const UNSPACED_SCRIPTS: ReadonlySet<Script> = new Set([
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Han',
  'Hiragana',
  'Katakana',
]);
const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{1f1e6}-\u{1f1ff}]$/u;
const EMOJI = /^\p{Emoji}$/u;

export function pointBefore(text: string, at: number): number {
  if (at <= 0) return -1;
  const unit = text.charCodeAt(at - 1);
  if (unit >= 0xdc00 && unit <= 0xdfff && at >= 2)
    return text.codePointAt(at - 2)! > 0xffff ? text.codePointAt(at - 2)! : unit;
  return unit;
}

export function pointAfter(text: string, at: number): number {
  return text.codePointAt(at) ?? -1;
}

export function reportZeroWidth(text: string, run: Run, report: Report): void {
  const point = text.codePointAt(run.start)!;
  const count = run.end - run.start;
  const before = pointBefore(text, run.start);
  const after = pointAfter(text, run.end);
  if (count === 1 && isHonest(point, before, after)) return;
  report.mark(run.start, run.end);
  const name = `${hexPoint(point)} ${hiddenName(point)}`;
  if (point === BYTE_ORDER_MARK && run.start === 0 && count === 1) {
    report.add('zero_width', 'info', run, 'byte order mark at the start');
  } else if (count >= 8) {
    report.add(
      'zero_width',
      'dangerous',
      run,
      `${count} zero-width characters in a row can carry a hidden message`,
    );
  } else if (count === 1 && point === SOFT_HYPHEN) {
    report.add('zero_width', 'info', run, `${name}: seen only where a line breaks`);
  } else if (isAsciiLetter(before) && isAsciiLetter(after)) {
    report.add('zero_width', 'dangerous', run, `${name}: splits a word that looks whole`);
  } else {
    report.add('zero_width', 'suspicious', run, `${name}: takes no space and cannot be seen`);
  }
}

function isHonest(point: number, before: number, after: number): boolean {
  if (before < 0) return false;
  const scriptBefore = scriptOf(before);
  const scriptAfter = after < 0 ? 'Common' : scriptOf(after);
  switch (point) {
    case ZWJ:
      if (isPicture(before) && isPicture(after)) return true;
      return joinsLetters(scriptBefore, scriptAfter);
    case ZWNJ:
      return joinsLetters(scriptBefore, scriptAfter);
    case ZWSP:
      return UNSPACED_SCRIPTS.has(scriptBefore) || UNSPACED_SCRIPTS.has(scriptAfter);
    case GRAPHEME_JOINER:
      return letterClassOf(before) === 'mark';
    case SOFT_HYPHEN:
      return false;
    default:
      return false;
  }
}

/** Persian suffixes, Indic half-forms: a letter or mark of such a script before, and its like after. */
function joinsLetters(before: Script, after: Script): boolean {
  if (JOINING_SCRIPTS.has(before)) return after === before || after === 'Common';
  if (before === 'Inherited') return JOINING_SCRIPTS.has(after) || INDIC_SCRIPTS.has(after);
  return INDIC_SCRIPTS.has(before);
}

function isPicture(point: number): boolean {
  if (point < 0x23) return false;
  return point === 0xfe0f || PICTURE.test(String.fromCodePoint(point));
}

export function reportBlank(text: string, run: Run, report: Report): void {
  const point = text.codePointAt(run.start)!;
  const hangul =
    scriptOf(pointBefore(text, run.start)) === 'Hangul' ||
    scriptOf(pointAfter(text, run.end)) === 'Hangul';
  if (point !== 0x2800 && point !== 0x3164 && hangul) return;
  if (point === 0x17b4 || point === 0x17b5) return;
  // Between Braille cells the empty one is a space.
  const braille = isBraille(pointBefore(text, run.start)) || isBraille(pointAfter(text, run.end));
  report.mark(run.start, run.end);
  report.add(
    'blank_character',
    point === 0x2800 ? (braille ? 'info' : 'suspicious') : 'dangerous',
    run,
    `${hexPoint(point)} ${hiddenName(point)}: a letter or sign that is drawn as nothing`,
  );
}

function isBraille(point: number): boolean {
  return point > 0x2800 && point <= 0x28ff;
}

export function reportTags(text: string, run: Run, report: Report): void {
  let reads = '';
  for (let at = run.start; at < run.end && reads.length < 256; at += 2) {
    const ascii = text.codePointAt(at)! - 0xe0000;
    if (ascii >= 0x20 && ascii < 0x7f) reads += String.fromCharCode(ascii);
  }
  // Flags of regions: black flag, country and region, cancel tag (UTS #51).
  const closed = text.codePointAt(run.end - 2) === 0xe007f;
  const flag = pointBefore(text, run.start) === 0x1f3f4;
  if (
    flag &&
    closed &&
    /^[a-z]{2}[a-z0-9]{1,3}$/.test(reads) &&
    run.end - run.start === 2 * reads.length + 2
  )
    return;
  report.mark(run.start, run.end);
  report.add(
    'tag_characters',
    'dangerous',
    run,
    `${(run.end - run.start) / 2} tag characters, invisible to people and read by language models`,
    reads,
  );
}

export function reportVariation(text: string, run: Run, report: Report): void {
  const point = text.codePointAt(run.start)!;
  const width = point > 0xffff ? 2 : 1;
  const before = pointBefore(text, run.start);
  const single = run.end - run.start === width;
  if (single && selects(point, before)) return;
  report.mark(run.start, run.end);
  if (single) {
    report.add(
      'variation_selector',
      before < 0x80 ? 'suspicious' : 'info',
      run,
      `${hexPoint(point)} ${hiddenName(point)}: selects no variant of the character before it`,
    );
    return;
  }
  const reads = smuggledText(text, run);
  report.add(
    'variation_selector',
    'dangerous',
    run,
    'a run of variation selectors: each carries one byte, and none is seen',
    reads,
  );
}

function selects(point: number, before: number): boolean {
  if (before < 0) return false;
  const script = scriptOf(before);
  if (point === 0xfe0f || point === 0xfe0e) {
    return (
      EMOJI.test(String.fromCodePoint(before)) ||
      before === 0x20e3 ||
      (before > 0x2000 && letterClassOf(before) === 'rest')
    );
  }
  if (point >= 0x180b && point <= 0x180f) return script === 'Mongolian';
  if (point >= 0xe0100) return script === 'Han';
  // Standardised variants: ideographs, mathematical signs, Myanmar dots, fullwidth signs.
  return (
    script === 'Han' ||
    script === 'Myanmar' ||
    script === 'Other' ||
    (before >= 0x2190 && letterClassOf(before) === 'rest')
  );
}

/** Bytes as variation selectors carry them: VS1 to VS16 are 0 to 15, VS17 to VS256 the rest. */
function smuggledText(text: string, run: Run): string | undefined {
  const bytes: number[] = [];
  for (let at = run.start; at < run.end && bytes.length < 1_024; ) {
    const point = text.codePointAt(at)!;
    at += point > 0xffff ? 2 : 1;
    if (point >= 0xe0100) bytes.push(point - 0xe0100 + 16);
    else if (point >= 0xfe00) bytes.push(point - 0xfe00);
  }
  const decoded = new TextDecoder('utf-8').decode(Uint8Array.from(bytes));
  return /^[\t\n\r\x20-\x7e\u00a0-\ufffc]+$/.test(decoded) ? decoded : undefined;
}
