/**
 * How many columns of a terminal a text takes. Node keeps its own function for this internal. Colours and combining
 * marks take none, East Asian wide characters and emoji take two.
 */
import { stripVTControlCharacters } from 'node:util';

/** Code points whose East Asian Width is W or F, as in Unicode's EastAsianWidth.txt; emoji are asked for by property. */
const WIDE_RANGES = String.raw`\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}`;
const WIDE = new RegExp(String.raw`[${WIDE_RANGES}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f`, 'u');
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]*$/u;
const PLAIN = /^[ -~]*$/;

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as one character each. */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return graphemes(stripVTControlCharacters(text))
    .map((one) => (ZERO.test(one) ? 0 : isWide(one) ? 2 : 1))
    .reduce<number>((sum, width) => sum + width, 0);
}

export function isWide(grapheme: string): boolean {
  return WIDE.test(grapheme);
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** The beginning of it that fits, with `…` where something is missing. For what is only looked at, never copied. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const one of graphemes(text)) {
    room -= displayWidth(one);
    if (room < 0) break;
    kept += one;
  }
  return `${kept}…`;
}
