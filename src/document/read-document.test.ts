import { afterEach, describe, expect, test, vi } from 'vitest';
import { yaml } from './formats/yaml/yaml.ts';
import { readDocument } from './index.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('what cannot be read', () => {
  test.each([
    ['a.lua', 'x = 1', 'there is no format for files of this name'],
    ['yaml', 'x: 1', 'there is no format for files of this name'],
    ['a.yaml/x', 'x: 1', 'there is no format for files of this name'],
    ['a.yaml', '#'.repeat(1024 * 1024 + 1), 'it is longer than 1048576 characters'],
  ])('%s', (path, text, why) => {
    expect(readDocument(path, text)).toEqual({ ok: false, line: 1, why });
  });

  test.each([
    [new RangeError('stack'), 'it is nested too deeply'],
    [new TypeError('of secret'), 'its parser gave up on it'],
  ])('a parser that throws %s', (error, why) => {
    vi.spyOn(yaml, 'parse').mockImplementation(() => {
      throw error;
    });
    expect(readDocument('a.yaml', 'a: 1')).toEqual({ ok: false, line: 1, why });
  });
});
