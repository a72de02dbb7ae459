import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { honeSections } from '../loop/sections.ts';
import { composeSections, field, section } from './fields.ts';
import { expectedOf } from './schema-walk.ts';
import { leavesOf, ONCE_NAMED, weakenedKeys } from './weakens.ts';

const about = <T extends z.ZodType>(type: T, written: z.input<T>, weakens: never) =>
  composeSections([
    section('part', 'A part.', { key: field(type, written, { weakens, comment: 'A key.' }) }),
  ]);
const weakens = (schema: z.ZodObject, before: unknown, after: unknown) =>
  weakenedKeys(schema, { part: { key: before } }, { part: { key: after } }).length > 0;

const numbers = fc.integer({ min: 0, max: 4 });
const lists = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
const words = fc.constantFrom('enforce', 'observe', 'off');
const DIRECTIONS = [
  ['higher', about(z.int(), 0, 'higher' as never), numbers],
  ['lower', about(z.int(), 0, 'lower' as never), numbers],
  ['addition', about(z.array(z.string()), [], 'addition' as never), lists],
  ['removal', about(z.array(z.string()), [], 'removal' as never), lists],
  ['any', about(z.int(), 0, 'any' as never), numbers],
  ['never', about(z.int(), 0, 'never' as never), numbers],
  ['once named', about(z.array(z.string()), [], ONCE_NAMED as never), lists],
  [
    'an order of words',
    about(z.string(), '', { strictestFirst: ['enforce', 'observe', 'off'] } as never),
    words,
  ],
] as const;

describe.each(DIRECTIONS)('CONFIG-1 %s', (_, schema, values) => {
  test('the same value weakens nothing, and two harmless changes never add up to a weaker value', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        expect(weakens(schema, a, a)).toBe(false);
        if (!weakens(schema, a, b) && !weakens(schema, b, c))
          expect(weakens(schema, a, c)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['higher', 1, 2, true],
  ['higher', 2, 1, false],
  ['lower', 2, 1, true],
  ['lower', 1, 2, false],
  ['addition', ['a'], ['a', 'b'], true],
  ['addition', ['a', 'b'], ['b'], false],
  ['addition', [{ a: 1 }], [{ a: 2 }], true],
  ['removal', ['a', 'b'], ['b'], true],
  ['removal', ['a'], ['b', 'a'], false],
  ['removal', ['a'], [], true],
  ['any', 1, 2, true],
  ['never', 1, 2, false],
  [ONCE_NAMED, [], ['a'], false],
  [ONCE_NAMED, ['a'], ['a', 'b'], true],
  [ONCE_NAMED, ['a'], [], true],
  [{ strictestFirst: [true, false] }, true, false, true],
  [{ strictestFirst: [true, false] }, false, true, false],
])('%j: %j → %j is weaker: %j', (direction, before, after, expected) => {
  const schema = about(z.any(), null, direction as never);
  expect(weakens(schema, before, after)).toBe(expected);
});

test('what another build read: a new key weakens nothing, what cannot be compared does', () => {
  const schema = composeSections(honeSections);
  const now = schema.parse({});
  expect(weakenedKeys(schema, {}, now)).toEqual([]);
  expect(weakenedKeys(schema, { ...now, limits: { cyclesPerDay: 'few' } }, now)).toEqual([
    'limits.cyclesPerDay',
  ]);
  expect(weakenedKeys(schema, { ...now, identity: { agents: ['claude'] } }, now)).toEqual([
    'identity.agents',
  ]);
});

test('an agent more or less in any spelling weakens; another name of it does not', () => {
  const schema = composeSections(honeSections);
  const agents = (matches: string[], name = 'bot') =>
    schema.parse({ identity: { agents: [{ name, matches }] } });
  const of = (before: unknown, after: unknown) => weakenedKeys(schema, before, after);
  expect(of(agents(['Bot@x.example']), agents(['bot@X.example'], 'other'))).toEqual([]);
  expect(of(agents(['a', 'b']), agents(['b']))).toEqual(['identity.agents']);
  expect(of(agents(['b']), agents(['a', 'b']))).toEqual(['identity.agents']);
});

test('CONFIG-1 every key’s direction fits its values', () => {
  for (const { path, schema, weakens } of leavesOf(composeSections(honeSections))) {
    const expects = expectedOf(schema);
    const isList = expects.startsWith('a list');
    if (weakens === 'addition' || weakens === 'removal')
      expect([path, isList]).toEqual([path, true]);
    if (weakens === 'higher' || weakens === 'lower')
      expect([path, /number|duration|size/.test(expects)]).toEqual([path, true]);
  }
});
