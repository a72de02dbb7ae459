import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearest } from './spelling.ts';

test('slips of the hand find their word', () => {
  const known = ['store', 'server', 'schedules', 'allowedHosts', 'ttl'];
  expect(nearest('sever', known)).toBe('server');
  expect(nearest('scheduels', known)).toBe('schedules');
  expect(nearest('allowed_hosts', known)).toBe('allowedHosts');
  expect(nearest('Allowed-Hosts', known)).toBe('allowedHosts');
  expect(nearest('tll', known)).toBe('ttl');
});

test('other words find nothing', () => {
  expect(nearest('database', ['store', 'server'])).toBeUndefined();
  expect(nearest('x', ['ttl'])).toBeUndefined();
  expect(nearest('s'.repeat(10_000), ['server'])).toBeUndefined();
  expect(nearest('server', [])).toBeUndefined();
});

test('the distance is a distance', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3);
  expect(editDistance('ab', 'ba')).toBe(1);
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
    }),
  );
});
