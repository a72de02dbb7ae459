import { expect, test } from 'vitest';
import { settingsOf } from './failures.test-support.ts';
import { triesSettings } from './tries-setting.ts';

/** Rows of failed tries, by their length from 1; 0 for none. */
const rows = (...counts: readonly number[]) => ({
  ...{ fromMs: 0, bins: [] },
  chains: counts.map((count, at) => ({ failed: at + 1, count })).filter(({ count }) => count > 0),
});

const found = (text: string, tries: ReturnType<typeof rows>) => {
  const settings = settingsOf('agents/researcher.yaml', `name: researcher\n${text}`);
  const place = { agent: 'researcher', tool: 'web_search', tries };
  return triesSettings({ settings }, place).map(({ setting }) => setting.path.at(-1));
};

test.each([
  ['nearly all end there', rows(60, 5, 4, 200), ['k1']],
  ['calls follow each other, of which nearly each fails', rows(24, 5, 6, 900, 90, 6), ['k1']],
  ['they just become rare', rows(500, 200, 80, 32, 13, 5), []],
  ['many go on beyond it', rows(24, 5, 6, 900, 300, 100), []],
  ['they are few', rows(0, 0, 0, 15), []],
])(
  'a number of no word is that of the tries where rows of failures show an end: %s',
  (_, tries, keys) => {
    expect(found('web_search: { k1: 3, k2: 900 }\n', tries)).toEqual(keys);
  },
);

test.each([
  ['secondChances', ['secondChances']],
  ['second_tries', ['second_tries']],
  ['per_second', []],
  ['hold_seconds', []],
])('a second before another word is no time: %s', (key, keys) => {
  expect(found(`web_search: { ${key}: 3 }\n`, rows(60, 5, 4, 200))).toEqual(keys);
});
