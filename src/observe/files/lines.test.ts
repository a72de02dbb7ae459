import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LINE_BYTES_MAX, type Line, splitLines } from './lines.ts';

/** All lines, read in pieces of any size, as a collector does. */
function readAll(bytes: Buffer, readBytes: number, linesMax: number): (Line & { at: number })[] {
  const found: (Line & { at: number })[] = [];
  let [at, skipping] = [0, false];
  for (;;) {
    const piece = bytes.subarray(at, at + readBytes);
    const split = splitLines(piece, skipping, linesMax);
    found.push(...split.lines.map((line) => ({ ...line, at: at + line.offset })));
    if (split.consumed === 0) return found;
    at += split.consumed;
    skipping = split.skipping;
  }
}

test('lines come whole, once and in order, however the file is read', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'ü', '🙂', ' ', '{') }));
  fc.assert(
    fc.property(texts, fc.boolean(), fc.integer({ min: 1, max: 9 }), (all, ended, linesMax) => {
      const text = all.join('\n') + (ended ? '\n' : '');
      const complete = text.split('\n').slice(0, -1);
      const lines = readAll(Buffer.from(text), LINE_BYTES_MAX * 4, linesMax);
      expect(lines.map((line) => line.text)).toEqual(complete.filter((one) => one.trim() !== ''));
      for (const line of lines) {
        expect(Buffer.from(text).subarray(line.at).toString().startsWith(line.text)).toBe(true);
      }
    }),
  );
});

test('a line that is too long is told once, also over many reads, and the next one is whole', () => {
  const long = 'x'.repeat(LINE_BYTES_MAX * 5 + 17);
  for (const text of [`a\n${long}\nb\n`, `${long}\nb\n`, `a\n${long}`]) {
    const lines = readAll(Buffer.from(text), LINE_BYTES_MAX + 100, 500);
    const expected = text.split('\n').filter((one) => one !== '');
    expect(lines.map(({ tooLong }) => tooLong)).toEqual(expected.map((one) => one === long));
    for (const line of lines) if (!line.tooLong) expect(expected).toContain(line.text);
  }
});

test('the longest line that is allowed is taken, one byte more is not', () => {
  const of = (length: number) => Buffer.from(`${'x'.repeat(length)}\n`);
  expect(splitLines(of(LINE_BYTES_MAX), false, 9).lines[0]).toMatchObject({ tooLong: false });
  expect(splitLines(of(LINE_BYTES_MAX + 1), false, 9).lines[0]).toMatchObject({ tooLong: true });
});

test('a line without its end waits', () => {
  const split = splitLines(Buffer.from('a\nhalf'), false, 9);
  expect(split).toMatchObject({ consumed: 2, skipping: false, lines: [{ text: 'a' }] });
  expect(splitLines(Buffer.from('half'), false, 9)).toMatchObject({ consumed: 0, lines: [] });
});
