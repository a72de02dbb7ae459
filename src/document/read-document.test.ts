import { afterEach, describe, expect, test, vi } from 'vitest';
import { yaml } from './formats/yaml/yaml.ts';
import { readDocument } from './index.ts';
import { quantityOf, quantityText } from './quantity.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('what cannot be read', () => {
  test.each([
    ['a.lua', 'x = 1', 'there is no format for files of this name'],
    ['yaml', 'x: 1', 'there is no format for files of this name'],
    ['a.yaml/x', 'x: 1', 'there is no format for files of this name'],
    ['a.yaml', '#'.repeat(1024 * 1024 + 1), 'it is longer than 1048576 characters'],
  ])('%s', (path, text, why) => {
    expect(readDocument(path, text)).toEqual({ ok: false, line: 1, why });
  });

  test.each([
    [new RangeError('stack'), 'it is nested too deeply'],
    [new TypeError('of secret'), 'its parser gave up on it'],
  ])('a parser that throws %s', (error, why) => {
    vi.spyOn(yaml, 'parse').mockImplementation(() => {
      throw error;
    });
    expect(readDocument('a.yaml', 'a: 1')).toEqual({ ok: false, line: 1, why });
  });
});

test.each([
  ['PT10M', 10, 'm', 2, 'PT2M'],
  ['PT1M30S', 90, 's', 125, 'PT2M5S'],
  ['PT2H', 2, 'h', 3, 'PT3H'],
  ['PT0.23S', 0.23, 's', 0.6, 'PT0.6S'],
  ['PT1.5S', 1.5, 's', 4, 'PT4.0S'],
  ['10 Minutes', 10, 'minutes', 4, '4 Minutes'],
  ['2 min', 2, 'min', 5, '5 min'],
  ['10m', 10, 'm', 2, '2m'],
] as const)('%s is %d %s, and is written in its own form', (text, amount, unit, to, written) => {
  expect(quantityOf(text)).toEqual({ amount, unit });
  expect(quantityText(text, to)).toBe(written);
});

test.each(['PT', 'PT1.5M', 'P1D', 'PT.5S', 'PT1M1.5S', 'PTM', '3 MiNs x', 'PT1S1M'])(
  '%s is no quantity',
  (text) => {
    expect(quantityOf(text)).toBeNull();
  },
);
