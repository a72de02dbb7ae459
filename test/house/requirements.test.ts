/** Every claimed requirement is proven by a test, and no test names one that does not exist. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../requirements.ts';

const root = new URL('../../', import.meta.url).pathname;
const families = [...new Set(Object.keys(REQUIREMENTS).map((id) => id.split('-')[0]))].join('|');

/** Ids in the titles of tests: `describe('LEASE-1 …')`, `test('… (ID-1)')`. */
function idsInTitles(text: string): string[] {
  const titles = text.matchAll(
    /\b(?:describe|test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])(.*?)\1/gs,
  );
  return [...titles].flatMap(
    ([, , title]) => title!.match(new RegExp(`\\b(?:${families})-\\d+\\b`, 'g')) ?? [],
  );
}

const files = globSync('{src,test,bench,score,chaos,lab}/**/*.test.ts', { cwd: root });
const proven = new Map<string, string[]>();
for (const file of files) {
  for (const id of idsInTitles(readFileSync(join(root, file), 'utf8'))) {
    proven.set(id, [...(proven.get(id) ?? []), file]);
  }
}

test('no test names a requirement that does not exist', () => {
  expect([...proven].filter(([id]) => !(id in REQUIREMENTS))).toEqual([]);
});

test('every claimed requirement is proven', () => {
  const claimed = Object.keys(REQUIREMENTS).filter((id) => REQUIREMENTS[id]!.state === 'claimed');
  expect(claimed.filter((id) => !proven.has(id))).toEqual([]);
});

test('titles are read as they are written', () => {
  expect(idsInTitles(`describe.each(X)('STORE-1 STORE-2 %s', f); test("a (ID-1)", f)`)).toEqual([
    'STORE-1',
    'STORE-2',
    'ID-1',
  ]);
});
