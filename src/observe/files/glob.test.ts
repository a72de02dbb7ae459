import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandBraces, isMatched, parseGlob, startOf, stepInto } from './glob.ts';

function matches(pattern: string, path: string): boolean {
  const glob = parseGlob(`/${pattern}`);
  let matched = startOf(glob);
  for (const name of path.split('/')) {
    const next = stepInto(glob, matched, name);
    if (next === undefined) return false;
    matched = next;
  }
  return isMatched(glob, matched);
}

describe('patterns', () => {
  test.each([
    ['*.jsonl', 'a.jsonl', true],
    ['*.jsonl', 'a.json', false],
    ['*.jsonl', 'b/a.jsonl', false],
    ['a?.log', 'ab.log', true],
    ['a?.log', 'a.log', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]x', '[]x', true],
    ['{a,b{c,d}}.log', 'bd.log', true],
    ['{a,b{c,d}}.log', 'b.log', false],
    ['{a/b,c}/*.log', 'a/b/x.log', true],
    ['**/*.log', 'x.log', true],
    ['**/*.log', 'a/b/c/x.log', true],
    ['a/**', 'a/b/c', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b/**/c', 'a/x/b/y/z/c', true],
    ['a/**/b/**/c', 'a/x/y/z/c', false],
    ['**/*.log', '.hidden/x.log', false],
    ['**/*.log', 'node_modules/x.log', false],
    ['*/x.log', '.hidden/x.log', false],
    ['{.hidden,x}/*.log', '.hidden/x.log', true],
    ['.*/x.log', '.hidden/x.log', true],
    ['{node_modules,x}/*.log', 'node_modules/x.log', true],
    ['{a', '{a', true],
    ['{a}', '{a}', true],
    ['*ü?', 'größe über🙂', false],
    ['*ü*🙂', 'größe über🙂', true],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  test('the folder above the first pattern is where the search begins', () => {
    expect(parseGlob('/var/log/{a,b}/c').base).toBe('/var/log');
    expect(parseGlob('/*').base).toBe('/');
  });

  test('are the same as the regular expression that says the same', () => {
    const char = fc.constantFrom('a', 'b', '*', '?');
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.string({ unit: char, minLength: 1, maxLength: 8 }), name, (pattern, text) => {
        const same = pattern.replaceAll('*', '.*').replaceAll('?', '.');
        expect(matches(pattern === '**' ? '*' : pattern, text)).toBe(
          new RegExp(`^${same}$`).test(text),
        );
      }),
    );
  });

  test('no pattern takes long, whatever the name', () => {
    const started = performance.now();
    for (let round = 0; round < 100; round++) matches(`${'*a'.repeat(100)}b`, 'a'.repeat(255));
    expect(expandBraces('{a,b}'.repeat(100)).length).toBeLessThanOrEqual(256);
    expect(expandBraces('{'.repeat(2000))).toEqual(['{'.repeat(2000)]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
