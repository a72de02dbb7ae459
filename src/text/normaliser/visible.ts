/**
 * The visible form: the original with each hidden character as `⟨U+200B ZERO WIDTH SPACE⟩` and each
 * imitating letter as `⟨U+0430 Cyrillic, looks like a⟩`. A text that already writes such a mark has its
 * first bracket marked too, so the original can always be told from the visible form. Marks after the
 * first 2 000 carry only the code point, and runs are counted: the form of the worst text is 8 times
 * its length.
 */
import {
  foldPoint,
  hexPoint,
  hiddenClassOf,
  hiddenName,
  looksLike,
  scriptOf,
} from './code-points.ts';

const NAMED_MARKS_MAX = 2_000;
const RUN_SHOWN_MAX = 8;
const OPEN = '\u27e8';
const CLOSE = '\u27e9';

/** `marks` are flat pairs of start and end, in any order, not overlapping in part. */
export function makeVisible(text: string, marks: readonly number[]): string {
  const places = sortedPlaces(text, marks);
  if (places.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  let shown = 0;
  for (const [start, end] of places) {
    if (end <= from) continue;
    let at = Math.max(start, from);
    parts.push(text.slice(from, at));
    while (at < end) {
      const point = text.codePointAt(at)!;
      const width = point > 0xffff ? 2 : 1;
      const what = describe(point);
      if (what === undefined) {
        parts.push(text.slice(at, at + width));
        at += width;
        continue;
      }
      const runEnd = sameRunEnd(text, at, end, point);
      const count = (runEnd - at) / width;
      const repeat = count > RUN_SHOWN_MAX ? ` \u00d7${count}` : '';
      shown += 1;
      const mark = `${OPEN}${hexPoint(point)}${shown <= NAMED_MARKS_MAX ? ` ${what}` : ''}${repeat}${CLOSE}`;
      parts.push(repeat === '' ? mark.repeat(count) : mark);
      at = runEnd;
    }
    from = Math.max(from, end);
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** The marks that are in the text itself count as hidden: they would read as ours. */
function sortedPlaces(text: string, marks: readonly number[]): [number, number][] {
  const places: [number, number][] = [];
  for (let index = 0; index < marks.length; index += 2)
    places.push([marks[index]!, marks[index + 1]!]);
  for (let at = text.indexOf(`${OPEN}U+`); at !== -1; at = text.indexOf(`${OPEN}U+`, at + 1))
    places.push([at, at + 1]);
  return places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function sameRunEnd(text: string, at: number, end: number, point: number): number {
  const width = point > 0xffff ? 2 : 1;
  let runEnd = at + width;
  while (runEnd < end && text.codePointAt(runEnd) === point) runEnd += width;
  return runEnd;
}

function describe(point: number): string | undefined {
  if (point === 0x27e8) return 'LEFT ANGLE BRACKET';
  if (point === 0x0d) return 'CARRIAGE RETURN';
  if (hiddenClassOf(point) !== 'seen') return hiddenName(point);
  if (point < 0x80) return undefined;
  const ascii = looksLike(point) ?? foldPoint(point);
  if (!/^[!-~]+$/.test(ascii)) return undefined;
  const script = scriptOf(point);
  return `${script === 'Common' ? 'styled' : script}, looks like ${ascii}`;
}
