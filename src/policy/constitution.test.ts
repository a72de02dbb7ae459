import { expect, test } from 'vitest';
import { CONSTITUTION, matchingPath } from './index.ts';

test('the constitution has eleven rules, numbered, each with somebody who enforces it', () => {
  expect(CONSTITUTION.rules.map(({ number }) => number)).toEqual(
    Array.from({ length: 11 }, (_, index) => index + 1),
  );
  for (const { title, says, enforcedBy } of CONSTITUTION.rules)
    expect([title.length > 0, says.endsWith('.'), enforcedBy.length > 0]).toEqual([
      true,
      true,
      true,
    ]);
});

test.each([
  ['hone.yaml', 'hone.yaml', true],
  ['hone.yaml', 'a/b/Hone.Yaml', true],
  ['/hone.yaml', 'a/hone.yaml', false],
  ['/hone.yaml', 'hone.yaml', true],
  ['hone.yaml', 'hone.yaml.bak', false],
  ['hone.yaml', 'hone.yaml/x', false],
  ['policies/**', 'a/policies/b/c', true],
  ['policies/**', 'policies', true],
  ['policies/**', 'mypolicies/b', false],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z', true],
  ['a/**/z', 'a/b/c/z/y', false],
  ['*.test.*', 'src/a.test.ts', true],
  ['*.test.*', 'src/test.ts', false],
  ['a*b*c', 'aXbYc', true],
  ['a*b*c', 'abbc', true],
  ['a*b*b', 'ab', false],
  ['.env*', '.env', true],
  ['.env*', 'x.env', false],
])('%s and %s: %s', (pattern, path, matched) => {
  expect(matchingPath(path, [pattern]) !== undefined).toBe(matched);
});

test('a hostile path or pattern ends in time', () => {
  const [stars, long] = [`${'**/'.repeat(100)}x`, 'a/'.repeat(2000)];
  expect(matchingPath(long, [stars])).toBeUndefined();
  expect(matchingPath('a'.repeat(4000), [`${'*a'.repeat(200)}b`])).toBeUndefined();
});
