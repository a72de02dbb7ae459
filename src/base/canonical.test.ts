import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, digestOf, digestOfBytes, type Json, sha256, sha256Hex } from './index.ts';

describe('canonical JSON', () => {
  test('the RFC’s own example', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('keys are ordered by UTF-16 code units, absent members left out, -0 is 0', () => {
    const value = { '\u{1F600}': 1, '\ufb33': 2, b: undefined, a: -0 };
    expect(canonicalJson(value)).toBe('{"a":0,"\u{1F600}":1,"\ufb33":2}');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { a: '\udc00' }, () => 1, 1n])(
    'refuses what JSON cannot say',
    (value) => {
      expect(() => canonicalJson(value as Json)).toThrow();
    },
  );

  test('the round trip gives the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

test('digests name bytes, and equal values have equal digests', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256Hex('abc')).toBe(abc);
  expect(sha256(Buffer.from('abc')).toString('hex')).toBe(abc);
  expect(digestOfBytes('abc')).toBe(`sha256:${abc}`);
  expect(digestOf({ b: 1, a: 2 })).toBe(digestOf({ a: 2, b: 1 }));
});

test('what is in order already and what is not get the same form', () => {
  const shuffled = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([key, member]) => [key, shuffled(member as Json)]);
    return Object.fromEntries(members.reverse()) as Json;
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const form = canonicalJson(value as Json);
      expect(canonicalJson(shuffled(value as Json))).toBe(form);
      expect(canonicalJson(JSON.parse(form) as Json)).toBe(form);
    }),
  );
});

test.each([
  [{ a: new Date(0) }, '{"a":"1970-01-01T00:00:00.000Z"}'],
  [{ toJSON: () => 7 }, '7'],
  [[1, { b: 1, a: 2 }], '[1,{"a":2,"b":1}]'],
  [{ 10: 'a', 9: 'b' }, '{"10":"a","9":"b"}'],
  [Object.assign(Object.create({ inherited: 1 }), { own: 2 }), '{"own":2}'],
])('odd values are not written as they stand: %j', (value, form) => {
  expect(canonicalJson(value as never)).toBe(form);
});
