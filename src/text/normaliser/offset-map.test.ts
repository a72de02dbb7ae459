import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OffsetMap } from './offset-map.ts';

describe('the offset map', () => {
  it('points into copied stretches unit by unit and at replaced ones as a whole', () => {
    const map = new OffsetMap();
    map.copy('abc', 0);
    map.append('-', 3, 7);
    map.copy('de', 7);
    map.append('long', 9, 10);
    expect(map.toString()).toBe('abc-delong');
    expect(map.originalRange(1, 2)).toEqual({ start: 1, end: 2 });
    expect(map.originalRange(3, 4)).toEqual({ start: 3, end: 7 });
    expect(map.originalRange(2, 6)).toEqual({ start: 2, end: 9 });
    expect(map.originalRange(7, 8)).toEqual({ start: 9, end: 10 });
  });

  it('answers for nothing, and for ranges outside', () => {
    expect(new OffsetMap().originalRange(0, 5)).toEqual({ start: 0, end: 0 });
    const map = new OffsetMap();
    map.copy('ab', 4);
    expect(map.originalRange(-3, 99)).toEqual({ start: 4, end: 6 });
    expect(map.originalRange(1, 1)).toEqual({ start: 5, end: 5 });
  });

  it('finds each unit of a text copied in pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1 }),
        (pieces) => {
          const map = new OffsetMap();
          let at = 0;
          for (const piece of pieces) {
            map.copy(piece, at);
            at += piece.length;
          }
          for (let index = 0; index < at; index += 1)
            expect(map.originalRange(index, index + 1)).toEqual({ start: index, end: index + 1 });
        },
      ),
    );
  });
});
