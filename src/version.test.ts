import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isNodeNewEnough, NODE_MIN } from './version.ts';

test('the oldest Node is the one that package.json asks for', () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest).engines.node).toBe(`>=${NODE_MIN}`);
});

test.each([
  ['20.19.5', false],
  ['24.9.0', false],
  ['24.14.99', false],
  [`${NODE_MIN}.0`, true],
  ['24.15.0', true],
  ['26.0.0', true],
  ['100.0.0-nightly', true],
])('Node %s: %s', (version, runs) => {
  expect(isNodeNewEnough(version)).toBe(runs);
});
