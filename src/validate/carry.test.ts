import { describe, expect, test } from 'vitest';
import { canBeRead, worseMeasures } from './index.ts';
import { SETTINGS } from './validate.test-support.ts';

describe('what the evidence depends on', () => {
  test('commands can read the files that they are shown, and nothing else', () => {
    const settings = { ...SETTINGS, test: ['npm', 'test'], files: ['/services/shop/**'] };
    const ports = { settings, replay: undefined };
    expect(canBeRead('services/shop/test/a.js', ports)).toBe(true);
    expect(canBeRead('services/Shop/test/a.js', ports)).toBe(true);
    expect(canBeRead('services/other/test/a.js', ports)).toBe(false);
    const all = { ...SETTINGS, prepare: ['npm', 'ci'] };
    expect(canBeRead('.github/x', { settings: all, replay: undefined })).toBe(true);
  });

  test('without commands only the replay reads, and everything unless it says what', () => {
    const settings = SETTINGS;
    const replay = { commands: [], run: async () => [] };
    expect(canBeRead('a', { settings, replay: undefined })).toBe(false);
    expect(canBeRead('a', { settings, replay })).toBe(true);
    const some = { ...replay, reads: ['agents/**'] };
    expect(canBeRead('agents/a.yaml', { settings, replay: some })).toBe(true);
    expect(canBeRead('docs/a.md', { settings, replay: some })).toBe(false);
  });
});

describe('what got worse', () => {
  const ran = (passed: number, failed: number) => ({
    candidate: [{ tests: { passed: 0, failed: 9 } }, { tests: { passed, failed } }],
  });
  const played = (usable: number, better: number, worse: number, change = 0) => ({
    ...{ counts: { usable, better, worse }, rails: [{ metric: 'latency', change }] },
  });

  test('fewer tests that pass, or more that fail, as in a suite that was weakened', () => {
    expect(worseMeasures('unit', ran(10, 1), ran(10, 1))).toEqual([]);
    expect(worseMeasures('unit', ran(10, 1), ran(11, 0))).toEqual([]);
    expect(worseMeasures('unit', ran(10, 1), ran(9, 1))).toEqual(['unit: passed']);
    expect(worseMeasures('unit', ran(10, 1), ran(10, 2))).toEqual(['unit: failed']);
    expect(worseMeasures('unit', ran(10, 1), { candidate: [] })).toHaveLength(2);
  });

  test('shares of sessions, and what they cost beside', () => {
    expect(worseMeasures('replay', played(100, 20, 0), played(200, 40, 0))).toEqual([]);
    expect(worseMeasures('replay', played(100, 20, 0), played(100, 19, 1, 0.1))).toEqual([
      'replay: share that got better',
      'replay: share that got worse',
      'replay: latency',
    ]);
    const gone = { counts: null, rails: [] };
    expect(worseMeasures('replay', played(100, 20, 0), gone)).toHaveLength(3);
    expect(worseMeasures('eval', { ...ran(3, 0), ...played(3, 1, 0) }, ran(3, 0))).toHaveLength(3);
  });

  test('modes that measure nothing cannot get worse', () => {
    expect(worseMeasures('policy', {}, {})).toEqual([]);
  });
});
