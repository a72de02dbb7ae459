import { describe, expect, test } from 'vitest';
import { isWithin, touchedBetween, touchedByDiff } from './touched.ts';

const files = new Map([['a.yaml', 'x: 1\ny: 2\nz: 3\n']]);
const diffOf = (body: string) =>
  `diff --git a/a.yaml b/a.yaml\n--- a/a.yaml\n+++ b/a.yaml\n${body}`;

describe('touched lines', () => {
  test('of a diff are those it takes away, and the neighbours of what it only adds', () => {
    const replaced = touchedByDiff(diffOf('@@ -1,3 +1,3 @@\n x: 1\n-y: 2\n+y: 5\n z: 3\n'));
    expect([...replaced.get('a.yaml')!]).toEqual([2]);
    const added = touchedByDiff(diffOf('@@ -1,3 +1,4 @@\n x: 1\n y: 2\n+w: 5\n z: 3\n'));
    expect([...added.get('a.yaml')!]).toEqual([2, 3]);
  });

  test('between two versions are those that differ', () => {
    const lines = (text: string) => [
      ...(touchedBetween(files, new Map([['a.yaml', text]])).get('a.yaml') ?? []),
    ];
    expect(lines('x: 1\ny: 9\nz: 3\n')).toEqual([2]);
    expect(lines('x: 1\ny: 2\nw: 9\nz: 3\n')).toEqual([2, 3]);
    expect(lines('x: 1\nz: 3\n')).toEqual([2]);
    expect(lines('x: 1\ny: 2\nz: 3\n')).toEqual([]);
  });

  test('are right only where every one of them is at a place that is named', () => {
    const place = { file: 'a.yaml', path: ['y'] };
    const at = (...lines: number[]) => new Map([['a.yaml', new Set(lines)]]);
    expect(isWithin(at(2), [place], files)).toBe(true);
    expect(isWithin(at(3), [place], files)).toBe(false);
    expect(isWithin(at(3), [{ file: 'a.yaml' }], files)).toBe(true);
    expect(isWithin(new Map([...at(2), ['b.yaml', new Set([1])]]), [place], files)).toBe(false);
    expect(isWithin(new Map(), [place], files)).toBe(false);
  });
});
