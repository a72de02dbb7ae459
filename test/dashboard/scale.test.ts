import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const HOUR_MS = 3_600_000;
const zone = process.env['TZ'];
let scale: typeof import('../../dashboard/src/scale.ts');

// Formatters of times keep the zone in which they were made.
beforeAll(async () => {
  process.env['TZ'] = 'Europe/Berlin';
  vi.resetModules();
  scale = await import('../../dashboard/src/scale.ts');
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
  vi.resetModules();
});

test.each([
  { hours: 6, width: 900 },
  { hours: 26, width: 900 },
  { hours: 51, width: 900 },
  { hours: 51, width: 300 },
  { hours: 7 * 24, width: 900 },
  { hours: 7 * 24, width: 1100 },
  { hours: 30 * 24, width: 700 },
])(
  'times on a chart of $hours h and $width px neither touch nor follow on the same label',
  ({ hours, width }) => {
    // Over the night on which clocks are put back: that day has 25 hours.
    const fromMs = Date.parse('2026-10-24T07:23:00Z');
    const shown = scale.ticks(fromMs, fromMs + hours * HOUR_MS, width);
    expect(shown.length).toBeGreaterThan(0);
    for (const [at, { ms, label }] of shown.entries()) {
      expect(label).not.toBe(shown[at - 1]?.label);
      const before = shown[at - 1]?.ms ?? -Infinity;
      expect(((ms - before) / (hours * HOUR_MS)) * width).toBeGreaterThan(60);
    }
    const days = shown.map(({ label }) => label).filter((label) => !label.includes(':'));
    expect(new Set(days).size).toBe(days.length);
  },
);

test('the three shares on an axis are three different words, however small they are', () => {
  for (const worst of [0.9, 0.31, 0.24, 0.1, 0.078, 0.004, 0.00031, 0.000002]) {
    const top = scale.ceiling(worst);
    const said = [0, 0.5, 1].map((part) => scale.axisShare(part * top));
    expect(new Set(said).size, `${worst}: ${said.join(', ')}`).toBe(3);
    expect(Number.parseFloat(said[1]!) * 2).toBeCloseTo(Number.parseFloat(said[2]!), 10);
  }
});

test('sentences of the server have their times in the viewer’s zone, and numbers one form', async () => {
  const { inZone, number } = await import('../../dashboard/src/format.ts');
  const said = inZone('Since 2026-11-17T11:49:00.000Z more calls failed.').replaceAll(
    '\u202f',
    ' ',
  );
  expect(said).toBe('Since Nov 17, 12:49 PM more calls failed.');
  expect(inZone('version 2026-11-17 stays')).toBe('version 2026-11-17 stays');
  expect([number(13567), number(0.25), number(621.2)]).toEqual(['13\u202f567', '0.3', '621']);
});
