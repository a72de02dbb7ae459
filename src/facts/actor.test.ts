import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparedId } from './index.ts';

describe('identities as they are compared', () => {
  test('another spelling is the same identity, another letter is not', () => {
    const same = [
      'Operator@Example.ORG',
      ' operator@example.org\n',
      'operator\u200b@example.org',
      '\uff4fperator@example.org',
    ];
    expect(new Set(same.map(comparedId))).toEqual(new Set(['operator@example.org']));
    expect(comparedId('operator2@example.org')).not.toBe(comparedId('operator@example.org'));
    expect(comparedId('token:operator')).not.toBe(comparedId('operator'));
  });

  test('letter case and spaces never matter', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9.:@+_-]{1,40}$/), (id) => {
        expect(comparedId(` ${id.toUpperCase()} `)).toBe(comparedId(id));
        expect(comparedId(id)).toBe(id);
      }),
    );
  });
});
