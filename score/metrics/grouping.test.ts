import { describe, expect, it } from 'vitest';
import { adjustedRandIndex, normaliseTemplate, scoreGrouping } from './grouping.ts';

const line = (group: string, template = group) => ({ group, template });

describe('scoreGrouping, by hand', () => {
  it('is 1 throughout for the right answer under other names', () => {
    const truth = [line('E1', 'a <*>'), line('E1', 'a <*>'), line('E2', 'b')];
    const predicted = [line('x', 'a <*>'), line('x', 'a <*>'), line('y', 'b')];
    expect(scoreGrouping(truth, predicted)).toMatchObject({ ga: 1, fga: 1, pa: 1, fta: 1 });
  });

  it('counts a group as wrong when one line is missing or too many', () => {
    // True: {0,1,2} {3,4} {5}. Predicted: {0,1} {2,3,4} {5}: only {5} is right.
    const truth = ['A', 'A', 'A', 'B', 'B', 'C'].map((g) => line(g));
    const predicted = ['p', 'p', 'q', 'q', 'q', 'r'].map((g) => line(g));
    const scores = scoreGrouping(truth, predicted);
    expect(scores.ga).toBeCloseTo(1 / 6);
    expect(scores.fga).toBeCloseTo((2 * (1 / 3) * (1 / 3)) / (1 / 3 + 1 / 3));
    expect(scores.pa).toBe(0);
    expect(scores.fta).toBe(0);
  });

  it('weighs lines for GA and PA, groups for FGA and FTA', () => {
    // One big right group with a wrong template, two small right groups, one of them rightly named.
    const truth = [...Array(8).fill(line('A', 'a <*>')), line('B', 'b'), line('C', 'c <*>')];
    const predicted = [...Array(8).fill(line('1', 'a 7')), line('2', 'b'), line('3', 'c 1')];
    const scores = scoreGrouping(truth, predicted);
    expect(scores).toMatchObject({ ga: 1, fga: 1, pa: 0.1 });
    expect(scores.fta).toBeCloseTo(1 / 3);
  });

  it('gives precision and recall their parts in F1', () => {
    // True: {0,1} {2,3}. Predicted: {0,1} {2} {3}: 1 right of 3 predicted and of 2 true.
    const scores = scoreGrouping(
      ['A', 'A', 'B', 'B'].map((g) => line(g)),
      ['A', 'A', 'x', 'y'].map((g) => line(g)),
    );
    expect(scores.ga).toBe(0.5);
    expect(scores.fga).toBeCloseTo((2 * (1 / 3) * (1 / 2)) / (1 / 3 + 1 / 2));
  });

  it('counts a right text in a wrong group for PA, not for FTA', () => {
    const scores = scoreGrouping(
      [line('A', 'a <*>'), line('A', 'a <*>')],
      [line('1', 'a <*>'), line('2', 'a <*>')],
    );
    expect(scores).toMatchObject({ ga: 0, fga: 0, pa: 1, fta: 0 });
  });

  it('takes nothing for right and refuses predictions that do not fit', () => {
    expect(scoreGrouping([], [])).toMatchObject({ ga: 1, fga: 1, pa: 1, fta: 1 });
    expect(() => scoreGrouping([line('A')], [])).toThrow(RangeError);
  });
});

describe('normaliseTemplate', () => {
  it.each([
    ['white space', '  a   <*> b ', 'a <*> b'],
    ['variables without a mark between', 'a <*><*>', 'a <*>'],
    ['dotted variables', 'ip <*>.<*>.<*>.<*>:<*>', 'ip <*>:<*>'],
    ['what is glued to a variable', 'took <*>ms of blk_<*>, (<1<*>)', 'took <*> of <*>, (<*>)'],
    ['not across a slash', 'PS/<*> and <*>/<*>', 'PS/<*> and <*>/<*>'],
    ['not spaced or coloned variables', '<*> <*>:<*>', '<*> <*>:<*>'],
    ['no literal becomes a variable', 'port 80 is true', 'port 80 is true'],
  ])('%s', (_, template, expected) => {
    expect(normaliseTemplate(template)).toBe(expected);
  });
});

describe('adjustedRandIndex, by hand', () => {
  it('is 1 for the same partition under other names', () => {
    expect(adjustedRandIndex(['a', 'a', 'b'], ['x', 'x', 'y'])).toBe(1);
  });

  it('is what the formula gives', () => {
    // Pairs together in both: {0,1} {3,4}; in left 3 + 1; in right 1 + 3; of 15.
    const left = ['a', 'a', 'a', 'b', 'b', 'c'];
    const right = ['x', 'x', 'y', 'z', 'z', 'z'];
    const [both, l, r, all] = [2, 4, 4, 15];
    const expected = (l * r) / all;
    expect(adjustedRandIndex(left, right)).toBeCloseTo(
      (both - expected) / ((l + r) / 2 - expected),
    );
  });

  it('is 0 when one side says nothing', () => {
    expect(adjustedRandIndex(['a', 'b', 'c', 'd'], ['x', 'x', 'x', 'x'])).toBe(0);
  });

  it('needs the same items', () => {
    expect(() => adjustedRandIndex(['a'], [])).toThrow(RangeError);
  });
});
