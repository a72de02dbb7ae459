/**
 * Any character of Unicode, for texts in tests: `fc.string({ unit: anyCharacter })`.
 *
 * The same as fast-check's unit 'binary', which keeps a table of all 1.1 million of them for as long as the process
 * lives: a second to fill, a hundred megabytes to keep.
 */
import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map(characterAt, placeOf);

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES.from ? place : place + SURROGATES.count);
}

/** With the way back fast-check also makes texts of its dangerous words, and makes what fails shorter. */
function placeOf(value: unknown): number {
  const point = typeof value === 'string' ? value.codePointAt(0) : undefined;
  const place = point === undefined || point < SURROGATES.from ? point : point - SURROGATES.count;
  if (place === undefined || characterAt(place) !== value) throw new TypeError('no character');
  return place;
}
