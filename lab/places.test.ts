import { describe, expect, test } from 'vitest';
import { amountIn, durationIn, findPlace, numberIn } from './places.ts';

const found = (file: string, text: string, place: object) =>
  findPlace(new Map([[file, text]]), { file, ...place });

describe('a place in a file', () => {
  test.each([
    ['a.yaml', 'x:\n  - { wait: 5 }\n', ['x', 0, 'wait'], 5, 2],
    ['a.yaml', 'base: &b\n  wait: 5\nown:\n  <<: *b\n', ['own', 'wait'], 5, 4],
    ['a.json', '{\n  "x": {\n    "wait": "30s" } }', ['x', 'wait'], '30s', 3],
    ['a.jsonc', '{\n  // wait: 1\n  "x": 7, /* y */\n}', ['x'], 7, 3],
    ['a.toml', 'wait = 1\n[tools.x]\n# wait = 2\nwait = 3 # s\n', ['tools', 'x', 'wait'], 3, 4],
    ['a.toml', '[tools]\nx = { wait = "4s", tries = 2 }\n', ['tools', 'x', 'wait'], '4s', 2],
    ['a.toml', 'names = ["a", "b"]\n', ['names'], ['a', 'b'], 1],
    ['a.md', '---\nname: x\nwait: 9\n---\nwait: 1\n', ['wait'], 9, 3],
    ['.env', '# WAIT=1\nexport WAIT="2"\n', ['WAIT'], '2', 2],
  ])('is found in %s with its line', (file, text, path, value, line) => {
    expect(found(file, text, { path })).toEqual({ value, line });
  });

  test('is found in code by an expression', () => {
    const text = 'const A = 1;\nconst WAIT_MS = 2_000;\n';
    expect(found('a.ts', text, { match: 'WAIT_MS = ([\\d_]+)' })).toEqual({
      value: '2_000',
      line: 2,
    });
  });

  test('is nothing where it cannot be read', () => {
    expect(found('a.yaml', 'x: [', { path: ['x'] })).toBeUndefined();
    expect(found('a.yaml', 'x: 1', { path: ['x', 'y'] })).toBeUndefined();
    expect(found('a.yaml', 'x: 1', { match: 'y: (\\d)' })).toBeUndefined();
    expect(findPlace(new Map(), { file: 'a.yaml', path: ['x'] })).toBeUndefined();
  });
});

test('numbers and times are read as files write them', () => {
  expect(['800', '1_200', ' 3.5 ', 4].map(numberIn)).toEqual([800, 1200, 3.5, 4]);
  expect(['x', '5s', null, Number.NaN].map(numberIn)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(durationIn('30', 's')).toBe(30_000);
  expect(durationIn('1m30s', 'ms')).toBe(90_000);
  expect(durationIn('2 parsecs', 'ms')).toBeUndefined();
  expect(amountIn('250ms')).toBe(250);
});
