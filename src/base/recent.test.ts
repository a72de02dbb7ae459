import { expect, test } from 'vitest';
import { Recent } from './recent.ts';

test('what is used is made once; the one used longest ago makes room', () => {
  const recent = new Recent<string | undefined>(2);
  const made: string[] = [];
  const get = (key: string) =>
    recent.get(key, () => {
      made.push(key);
      return key === 'none' ? undefined : key.toUpperCase();
    });
  expect([get('a'), get('b'), get('a'), get('c'), get('a'), get('b')]).toEqual([
    ...['A', 'B', 'A', 'C', 'A', 'B'],
  ]);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  get('none');
  get('none');
  expect(made.filter((key) => key === 'none')).toHaveLength(1);
});
