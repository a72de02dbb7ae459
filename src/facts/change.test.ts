import { expect, test } from 'vitest';
import { type Change, samePlace } from './change.ts';

const text = (section: string[], file = 'a.toml'): Change => ({
  ...{ kind: 'edit_text', edit: 'replace', file, section },
});

test('a text and a part of it are one place, two parts of it are two', () => {
  const whole = text(['a.toml']);
  const [one, other] = [text(['a.toml', 'c1']), text(['a.toml', 'c2'])];
  expect(samePlace(whole, one)).toBe(true);
  expect(samePlace(one, whole)).toBe(true);
  expect(samePlace(one, text(['a.toml', 'c1']))).toBe(true);
  expect(samePlace(one, other)).toBe(false);
  expect(samePlace(whole, text(['a.toml'], 'b.toml'))).toBe(false);
  const value = (key: string): Change => ({
    ...{ kind: 'set_value', file: 'a.toml', path: [key], from: 1, to: 2 },
  });
  expect(samePlace(value('x'), value('x'))).toBe(true);
  expect(samePlace(value('x'), value('y'))).toBe(false);
  expect(samePlace(value('x'), whole)).toBe(false);
});
