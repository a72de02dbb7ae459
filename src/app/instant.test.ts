import { expect, test } from 'vitest';
import { instantOf, windowOf } from './instant.ts';

const NOW_MS = Date.UTC(2026, 2, 2, 12);

test.each([
  ['24h', NOW_MS - 86_400_000],
  ['90m', NOW_MS - 5_400_000],
  ['2026-03-01', Date.UTC(2026, 2, 1)],
  ['2026-03-01T09:30', Date.UTC(2026, 2, 1, 9, 30)],
  ['2026-03-01 09:30:10', Date.UTC(2026, 2, 1, 9, 30, 10)],
  ['2026-03-01T09:30:00+02:00', Date.UTC(2026, 2, 1, 7, 30)],
])('%s is a time', (text, atMs) => {
  expect(instantOf(text, NOW_MS)).toBe(atMs);
});

test.each(['', 'lately', '24', '2026-13-01', '2026-03-01T25:00', '1 h'])('%j is none', (text) => {
  expect(instantOf(text, NOW_MS)).toMatchObject({ kind: 'usage' });
});

test('a window needs an end behind its beginning', () => {
  expect(windowOf({ since: '1h', until: '2h' }, NOW_MS, 0)).toHaveProperty('refused');
  expect(windowOf({ until: '2h' }, NOW_MS, 0)).toEqual({ fromMs: 0, toMs: NOW_MS - 7_200_000 });
});
