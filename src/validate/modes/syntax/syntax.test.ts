import { describe, expect, test } from 'vitest';
import { modeContract } from '../../mode-contract.test-support.ts';
import { modeCase } from '../../validate.test-support.ts';
import { syntax } from './syntax.ts';

const FILE = 'agents/search.yaml';
const before = { [FILE]: 'timeout_ms: 1000\n' };

modeContract(syntax, {
  good: () => modeCase(before, { [FILE]: 'timeout_ms: 3000\n' }),
  bad: () => modeCase(before, { [FILE]: 'timeout_ms: [3000\n' }),
  unclear: () => modeCase(before, { 'agents/search.lua': 'return 3000\n' }),
});

describe('links of a prompt', () => {
  const judged = async (text: string, was = '# Search\n\n[old](gone.md)\n') => {
    const files = { 'agents/a.md': was, 'docs/rules.md': '# Rules\n', 'docs/a b.md': 'x\n' };
    const { change, ports } = await modeCase(files, { ...files, 'agents/a.md': text });
    const verdict = await syntax.judge(change, ports, new AbortController().signal);
    if ('pending' in verdict) throw new Error('it waits');
    return { verdict: verdict.verdict, reasons: verdict.reasons.join(' ') };
  };

  test.each([
    ['a file that is there', '[r](../docs/rules.md#top "the rules")\n'],
    ['a name with a blank', '[r](../docs/a%20b.md) and [s](<../docs/a b.md>)\n'],
    [
      'a folder, the page itself, other hosts',
      '[f](../docs/) [g](#x) [h](https://a.example/x.md)\n',
    ],
    ['one that was broken before', 'It stays: [old](gone.md)\n'],
    ['an example', '```\n[r](nowhere.md)\n```\n`[r](nowhere.md)` is how.\n'],
  ])('VAL-2 %s passes', async (_, text) => {
    expect((await judged(text)).verdict).toBe('passed');
  });

  test.each([
    ['a file that is not there', 'See [r](../docs/rule.md).\n', '"../docs/rule.md"'],
    ['one that leads out of the target', '![r](../../etc/x.png)\n', '"../../etc/x.png"'],
    ['a reference', '[r][1] and [a](#b)\n\n[1]: missing.md\n', '"missing.md"'],
  ])('VAL-2 %s fails', async (_, text, named) => {
    const { verdict, reasons } = await judged(text);
    expect(verdict).toBe('failed');
    expect(reasons).toContain(`links to ${named}, which is not there`);
  });
});
