import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  byteSize,
  duration,
  formatDuration,
  formatSize,
  parseDuration,
  parseSize,
} from './quantities.ts';

describe('durations', () => {
  test.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['5m', 300_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
    ['0s', 0],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    '',
    '5',
    'm',
    '-5m',
    '5 m',
    '1.5h',
    '5M',
    '5min',
    '1h30m',
    '5m\n',
    '١h',
    '999999999999w',
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test('are written in the largest unit that is exact', () => {
    expect([0, 1, 1500, 90_000, 3_600_000, 172_800_000].map(formatDuration)).toEqual([
      '0s',
      '1ms',
      '1500ms',
      '90s',
      '1h',
      '2d',
    ]);
  });

  test('written and read again are the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });

  test('keep to their range, both ends included', () => {
    const type = duration({ min: '1s', max: '1h' });
    expect(type.parse('1s')).toBe(1000);
    expect(type.parse('60m')).toBe(3_600_000);
    const codes = ['999ms', '61m', 'soon'].map(
      (text) => type.safeParse(text).error?.issues[0] as z.core.$ZodIssueCustom,
    );
    expect(codes.map((issue) => issue.params?.['problem'])).toEqual([
      'out_of_range',
      'out_of_range',
      'bad_form',
    ]);
  });

  test('a range that makes no sense is a mistake of the room', () => {
    expect(() => duration({ min: '1h', max: '1s' })).toThrow('1h to 1s');
    expect(() => duration({ min: '1', max: '1s' })).toThrow();
  });
});

describe('sizes', () => {
  test('decimal and binary units differ', () => {
    expect(parseSize('500MB')).toBe(500_000_000);
    expect(parseSize('256KiB')).toBe(262_144);
    expect(parseSize('1kB')).toBe(parseSize('1KB'));
    expect(parseSize('500mb')).toBeUndefined();
    expect(byteSize({ min: '1B', max: '1GB' }).parse('2MB')).toBe(2_000_000);
  });

  test('written and read again are the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (bytes) => {
        expect(parseSize(formatSize(bytes))).toBe(bytes);
      }),
    );
  });
});
