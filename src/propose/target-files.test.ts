import { describe, expect, test } from 'vitest';
import type { SettingSubject, SettingValue } from '../facts/index.ts';
import { settingOf } from './patterns.test-support.ts';
import { targetFiles } from './target-files.ts';

async function set(text: string, setting: Partial<SettingSubject>, to: SettingValue) {
  const files = targetFiles({ readFile: async () => Buffer.from(text) }, 'c'.repeat(40));
  const answer = await files.setValue(settingOf({ path: ['a'], line: 1, ...setting }), to);
  if ('declined' in answer) return answer.declined;
  return { ...answer, edit: Buffer.from(answer.edit.content as Uint8Array).toString() };
}

describe('setValue', () => {
  test.each<[string, string, SettingValue, SettingValue, string]>([
    ['a number', 'a: 800 # why\n', 800, 2000, 'a: 2000 # why\n'],
    ['a duration', 'a: 5s\n', 5, 10, 'a: 10s\n'],
    ['a number in groups', 'a: 1_200\n', 1200, 1500, 'a: 1_500\n'],
    ['a text', 'a: fast\n', 'fast', 'slow', 'a: slow\n'],
    ['a number in quotes', 'a: "800"\n', '800', '900', 'a: "900"\n'],
    ['true', '\ufeffa: true\r\n', true, false, '\ufeffa: false\r\n'],
  ])('of %s', async (_, text, value, to, expected) => {
    expect(await set(text, { value }, to)).toMatchObject({ edit: expected, line: 1, aliases: 0 });
  });

  test.each([
    ['another value', 'a: 801\n'],
    ['another path', 'b: 800\n'],
    ['an alias', 'b: &t 800\na: *t\n'],
    ['no YAML', 'a: 800\nb: [\n'],
    ['equal keys', 'a: 800\na: 800\n'],
    ['nothing', ''],
  ])('finds no 800 in %s', async (_, text) => {
    expect(await set(text, {}, 2000)).toMatch(
      /^The target's head no longer has 800 at a \(.*\)\.$/,
    );
  });

  test('several documents are told apart by the line, and only by it', async () => {
    const text = 'a: 800\n---\na: 800\n';
    expect(await set(text, { line: 3 }, 2000)).toMatchObject({ edit: 'a: 800\n---\na: 2000\n' });
    expect(await set(text, { line: 7 }, 2000)).toMatch(/no longer has/);
  });

  test('the places that share it are counted, also by what is around it', async () => {
    const text = 'd: &d\n  t: &t 800\nx: *d\ny: { t: *t }\nz: { <<: *d }\nown: { <<: *d, t: 1 }\n';
    expect(await set(text, { path: ['d', 't'], line: 2 }, 1)).toMatchObject({
      line: 2,
      aliases: 3,
    });
  });

  test.each([
    ['below it', 'a: &t 800\nlimits:\n  max_spend_usd: *t\n'],
    ['in a template', 'a: &t 800\nx-billing: { max_spend_usd: *t }\n'],
    ['in a list', 'a: &t 800\nlimits: [*t]\n'],
  ])('a value that another setting shares is left alone, %s', async (_, text) => {
    expect(await set(text, {}, 2000)).toMatch(
      /^(limits|x-billing)\..* is another setting \(.*\)\.$/,
    );
  });

  test('a constant of a program is what its uses say, if they say one thing', async () => {
    const of = (tools: string) =>
      set(
        `const WAIT = 800;\nexport const tools = { ${tools} };\n`,
        { file: 'agents/researcher.ts', path: ['WAIT'] },
        2000,
      );
    expect(await of('search: { timeout: WAIT }')).toMatchObject({ line: 1, aliases: 0 });
    expect(await of('search: { timeout: WAIT }, fetch: { timeout: WAIT }')).toMatchObject({
      aliases: 1,
    });
    expect(await of('search: { timeout: WAIT, width: WAIT }')).toMatch(/width .* another setting/);
    expect(await of('search: { timeout: 7 }')).toMatchObject({ aliases: 0 });
  });

  test('says how it was and is written', async () => {
    expect(await set('a: "5s"\n', { value: 5 }, 10)).toMatchObject({
      before: '"5s"',
      after: '"10s"',
    });
  });

  test('what cannot be written is declined with the place', async () => {
    expect(await set('a: 800\n', {}, 'x')).toBe(
      'The value is a number, and the new one is a string (agents/researcher.yaml, line 1).',
    );
  });
});
