import { expect, test } from 'vitest';
import type { Pattern } from '../../../facts/index.ts';
import { generatorContract } from '../../generator-contract.test-support.ts';
import { pattern } from '../../patterns.test-support.ts';
import { targetFiles } from '../../target-files.ts';
import { correctName } from './correct-name.ts';

const HEAD = 'd'.repeat(40) as Parameters<typeof targetFiles>[1];
const subject = (file: string, path: string[], to: string): Partial<Pattern> => ({
  kind: 'other',
  subject: {
    ...{ kind: 'setting', file, line: 1, path, value: 'lang', unit: null, commit: 'c'.repeat(40) },
    reach: { kind: 'one', names: ['web_search'], within: 'researcher' },
    becomes: { value: to, why: 'The schema of web_search has locale where the agent gives lang.' },
  },
});

generatorContract({
  generator: correctName,
  fixes: [
    {
      pattern: subject('a.yaml', ['search', 'inputs', '1'], 'locale'),
      files: { 'a.yaml': 'search: { inputs: [q, lang] } # asked for\n' },
    },
    {
      pattern: subject('a.json', ['inputs', '1'], 'locale'),
      files: { 'a.json': '{ "inputs": ["q", "lang"] }\n' },
    },
    {
      pattern: subject('a.toml', ['search', 'inputs', '1'], 'locale'),
      files: { 'a.toml': "[search]\ninputs = ['q', 'lang'] # two\n" },
    },
    {
      pattern: subject('a.md', ['language'], 'locale'),
      files: { 'a.md': '---\nlanguage: lang\n---\n\n# A\n' },
    },
    {
      pattern: subject('a.ts', ['ARGUMENT'], 'locale'),
      files: { 'a.ts': "export const ARGUMENT = 'lang';\n" },
    },
  ],
  declines: [
    {
      pattern: subject('a.yaml', ['inputs', '1'], 'locale'),
      files: { 'a.yaml': 'inputs: [q, place]\n' },
    },
    {
      pattern: subject('a.yaml', ['inputs', '1'], 'run `rm`'),
      files: { 'a.yaml': 'inputs: [q, lang]\n' },
    },
  ],
});

test('only the name changes, and a person always decides', async () => {
  const text = 'search: { inputs: [q, lang] } # asked for\r\n';
  const files = targetFiles({ readFile: async () => Buffer.from(text) }, HEAD);
  const answer = await correctName.propose(
    pattern(subject('a.yaml', ['search', 'inputs', '1'], 'locale')),
    files,
  );
  expect(correctName.type).toBe('behavior_fix');
  expect(answer).toMatchObject({ drafts: [{ change: { from: 'lang', to: 'locale' } }] });
  const [draft] = 'drafts' in answer ? answer.drafts : [];
  expect(Buffer.from(draft!.edits[0]!.content!).toString()).toBe(text.replace('lang', 'locale'));
});

test('a name with its server is written as it is, and stays out of the title', async () => {
  const files = targetFiles({ readFile: async () => Buffer.from('target: lang\n') }, HEAD);
  for (const name of ['docs:read', 'docs/read', 'docs.read']) {
    const answer = await correctName.propose(pattern(subject('a.yaml', ['target'], name)), files);
    const [draft] = 'drafts' in answer ? answer.drafts : [];
    expect(Buffer.from(draft!.edits[0]!.content!).toString()).toBe(`target: ${name}\n`);
    expect(draft!.title).not.toContain(name);
  }
  for (const name of ['https://a.example/x', '../read', 'a//b', 'docs:', 'a b', 'a@b'])
    expect(
      await correctName.propose(pattern(subject('a.yaml', ['target'], name)), files),
    ).toMatchObject({ declined: expect.stringContaining('no name should have') });
});

test('of a text with commas one name changes, and no more of it', async () => {
  const files = targetFiles({ readFile: async () => Buffer.from('TAKES=q, lang,page\n') }, HEAD);
  const answerTo = (to: string) => {
    const { subject: found, ...rest } = subject('a.env', ['TAKES'], to);
    return correctName.propose(
      pattern({ ...rest, subject: { ...found, value: 'q, lang,page' } as Pattern['subject'] }),
      files,
    );
  };
  const answer = await answerTo('q, locale,page');
  const [draft] = 'drafts' in answer ? answer.drafts : [];
  expect(draft!.title).toContain('Call it locale, not lang, in TAKES');
  expect(Buffer.from(draft!.edits[0]!.content!).toString()).toBe('TAKES=q, locale,page\n');
  for (const to of ['q, locale', 'q, locale,side', 'q, lang,page', 'q, rm -rf,page'])
    expect(await answerTo(to)).toMatchObject({ declined: expect.stringContaining('no name') });
});
