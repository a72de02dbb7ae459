import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { composeSections, parseConfig } from '../config/index.ts';
import { observeSection, sourceEntry } from './config-section.ts';
import { jsonl } from './sources/jsonl/jsonl.ts';
import type { SourceKind } from './types.ts';

const parse = (text: string) => parseConfig(text, 'hone.yaml', composeSections([observeSection]));

test('an empty file has the defaults', () => {
  expect(parse('')).toMatchObject({
    ok: true,
    config: {
      observe: {
        sources: [],
        allowedDomains: ['api.openai.com', 'api.anthropic.com', 'github.com'],
        allowedPaths: [],
        redactUuids: false,
        rules: [],
        keepKinds: [],
        markSuffix: false,
      },
    },
  });
});

test.each([
  ['sources: [{name: a, path: x}, {name: a, path: y}]', /Two sources have the same name/],
  ['sources: [{name: ../a, path: x}]', /sources/],
  ['allowedDomains: [HTTP://x]', /allowedDomains/],
  ['sources: [{name: a}]', /path/],
  ['rules: [{name: a, pattern: (a+)+b}]', /pattern is not taken/],
  ['rules: [{name: a, pattern: abcd, mark: lower}]', /mark/],
  ['keepKinds: [control]', /keepKinds/],
  ['sources: [{name: a, path: x, kind: smoke}]', /expected jsonl/],
  ['sources: [{name: a, path: x, header: y}]', /unknown key/],
])('%s is refused', (line, why) => {
  const parsed = parse(`observe:\n  ${line}\n`);
  expect(parsed.ok).toBe(false);
  expect(JSON.stringify(parsed)).toMatch(why);
});

test('a source without a kind is Hone’s JSONL', () => {
  const sources = 'sources: [{name: a, path: x}, {name: b, path: y, kind: jsonl}]';
  const parsed = parse(`observe:\n  ${sources}\n`);
  expect(parsed).toMatchObject({
    ok: true,
    config: {
      observe: {
        sources: [
          { name: 'a', kind: 'jsonl', path: 'x' },
          { name: 'b', kind: 'jsonl', path: 'y' },
        ],
      },
    },
  });
});

describe('the entry of several kinds', () => {
  const path = z.string();
  const one = { ...jsonl, kind: 'one', keys: { path } } as unknown as SourceKind;
  const other = {
    ...jsonl,
    kind: 'other',
    keys: { path, url: z.string() },
  } as unknown as SourceKind;
  const entry = sourceEntry([one, other]);

  test('takes the keys of its own kind and no others', () => {
    expect(entry.parse({ name: 'a', path: 'x' })).toEqual({ name: 'a', kind: 'one', path: 'x' });
    const whole = { name: 'a', kind: 'other', path: 'x', url: 'u' };
    expect(entry.parse(whole)).toEqual(whole);
    for (const bad of [
      { ...whole, kind: 'one' },
      { ...whole, url: undefined },
      { ...whole, z: 1 },
    ])
      expect(entry.safeParse(bad).success).toBe(false);
  });

  test('cannot be made where two kinds differ in a key, or take one of the room’s', () => {
    const differs = { ...one, keys: { path: z.number() } };
    expect(() => sourceEntry([other, differs])).toThrow(/differ in their key path/);
    expect(() => sourceEntry([{ ...one, keys: { name: path } }])).toThrow(/belongs to the room/);
  });
});
