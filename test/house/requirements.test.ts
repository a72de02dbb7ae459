/**
 * Every claimed requirement is named by a test, and no test names one that does not exist. Whether those
 * tests ran and passed is what `tools/closing-line.ts` says at the end of a whole run.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimedIds, idsIn } from '../requirement-ids.ts';
import { REQUIREMENTS } from '../requirements.ts';

const root = new URL('../../', import.meta.url).pathname;

function idsInTitles(text: string): string[] {
  const titles = text.matchAll(
    /\b(?:describe|test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])(.*?)\1/gs,
  );
  return [...titles].flatMap(([, , title]) => idsIn(title!));
}

const files = globSync('{src,test,bench,score,chaos,lab}/**/*.test.ts', { cwd: root });
const named = new Map<string, string[]>();
for (const file of files) {
  for (const id of idsInTitles(readFileSync(join(root, file), 'utf8'))) {
    named.set(id, [...(named.get(id) ?? []), file]);
  }
}

test('no test names a requirement that does not exist', () => {
  expect([...named].filter(([id]) => !(id in REQUIREMENTS))).toEqual([]);
});

test('every claimed requirement is named by a test', () => {
  expect(claimedIds().filter((id) => !named.has(id))).toEqual([]);
});

test('titles are read as they are written', () => {
  expect(idsInTitles(`describe.each(X)('STORE-1 STORE-2 %s', f); test("a (ID-1)", f)`)).toEqual([
    'STORE-1',
    'STORE-2',
    'ID-1',
  ]);
});
