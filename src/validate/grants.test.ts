import { describe, expect, test } from 'vitest';
import type { RecentCall } from '../facts/index.ts';
import { type GrantCase, grants, tunings, unclear } from './grant-cases.test-support.ts';
import { readNames } from './known-names.ts';
import { policyContext } from './policy-context.ts';
import { testPolicies } from './policy-tests.ts';
import { replacedNames } from './tool-definitions.ts';
import { makeTarget, touchedBy } from './validate.test-support.ts';

const titled = (cases: readonly GrantCase[]) =>
  cases.map((one) => {
    const { file, before, after, heldOut } = one;
    return [`${heldOut ? 'held out' : 'seen'} ${file} ${before} -> ${after}`, one] as const;
  });

async function outcomeOf({ file, before, after }: GrantCase, parameters: readonly string[] = []) {
  const target = await makeTarget({ [file]: before }, { [file]: after });
  const names = await readNames({ ...target, agentFiles: [], touched: [file] }, async ([tool]) =>
    tool === undefined || parameters.length === 0
      ? []
      : [{ agent: 'a', tool, startMs: 0, endMs: 1, failedWith: null, parameterNames: parameters }],
  );
  return testPolicies(await touchedBy(target), policyContext({ names }));
}

describe('VAL-1 PROP-4: a change that grants a permission fails', () => {
  test.each(titled(grants))('%s', async (_, one) => {
    expect(await outcomeOf(one)).toMatchObject({ outcome: 'failed' });
  });
});

describe('VAL-1: a tuning grants nothing', () => {
  test.each(titled(tunings))('%s', async (_, one) => {
    expect(await outcomeOf(one)).toMatchObject({ outcome: 'passed' });
  });
});

describe('VAL-1: of a name that nothing tells about, a person decides', () => {
  test.each(titled(unclear))('%s', async (_, one) => {
    expect(await outcomeOf(one)).toMatchObject({
      outcome: 'inconclusive',
      reasons: [expect.stringContaining('a person decides')],
    });
  });

  test('not where the tool itself told of a parameter of that name', async () => {
    const sends = unclear.find(({ before }) => before.includes('sends'))!;
    expect(await outcomeOf(sends, ['q', 'locale'])).toMatchObject({ outcome: 'passed' });
    expect(await outcomeOf(sends, ['q', 'region'])).toMatchObject({ outcome: 'inconclusive' });
  });
});

describe('VAL-1: an argument that a tool calls otherwise now', () => {
  const outcome = async (before: string, changes: Partial<RecentCall> = {}, file = 'a.yaml') => {
    const target = await makeTarget(
      { [file]: before },
      { [file]: before.replace('lang', 'locale') },
    );
    const call: RecentCall = {
      ...{ agent: 'a', tool: 'web_search', startMs: 0, endMs: 1, failedWith: 'invalid' },
      ...{ argumentNames: ['q', 'lang'], parameterNames: ['q', 'locale'], ...changes },
    };
    const names = await readNames({ ...target, agentFiles: [], touched: [file] }, async () => [
      ...[call, call, call],
    ]);
    const touched = await touchedBy(target);
    return (await testPolicies(touched, policyContext({ names }))).outcome;
  };

  const LIST = 'web_search: {args: [q, lang]}\n';
  test('takes the place of the old one, whatever the list is called', async () => {
    expect(await outcome(LIST)).toBe('passed');
    expect(await outcome('tools: {web_search: {with: {args: [q, lang]}}}\n')).toBe('passed');
    const code = 'export const BOT_WEB_SEARCH_ARGS = ["q", "lang"];\n';
    expect(await outcome(code, {}, 'a.ts')).toBe('passed');
  });

  const elsewhere: readonly (readonly [string, string, Partial<RecentCall>])[] = [
    ['beside a command', 'web_search: {command: find, args: [q, lang]}\n', {}],
    ['below one', 'web_search: {image: find, with: {args: [q, lang]}}\n', {}],
    ['with an option', 'web_search: {args: [q, -x, lang]}\n', {}],
    ['with another name', 'web_search: {args: [q, lang, limit]}\n', {}],
    ['of nothing else', 'web_search: {args: [lang]}\n', { argumentNames: ['lang'] }],
    ['of another tool', 'fetch: {args: [q, lang]}\n', {}],
    ['that the tool does not take', LIST, { parameterNames: ['q', 'place'] }],
    ['that no call is refused for', LIST, { failedWith: null }],
  ];
  test.each(elsewhere)('not in a list %s', async (_, before, changes) => {
    expect(await outcome(before, changes)).toBe('failed');
  });
});

describe('VAL-1: a tool’s own name in place of one that nobody answers to', () => {
  const row = (before: string, after: string): GrantCase => ({
    ...{ file: 'a.yaml', before, after, heldOut: false },
  });
  const outcome = async (one: GrantCase, failedWith: string | null = 'unknown_tool') => {
    const target = await makeTarget({ [one.file]: one.before }, { [one.file]: one.after });
    const touched = await touchedBy(target);
    const called = { agent: 'a', startMs: 0, endMs: 1, failedWith: 'unknown_tool' };
    const names = await readNames(
      { ...target, agentFiles: [], touched: [one.file], replaced: touched.flatMap(replacedNames) },
      async (tools) =>
        tools.flatMap((tool) => [
          { ...called, tool },
          { ...called, tool },
          { ...called, tool, failedWith },
        ]),
    );
    return (await testPolicies(touched, policyContext({ names }))).outcome;
  };

  test.each([
    row('tools: {read: {with: {k7: rad}}}\n', 'tools: {read: {with: {k7: read}}}\n'),
    row('tools: {read: {endpoint: rad}}\n', 'tools: {read: {endpoint: read}}\n'),
    row('BOT_A_READ_ENDPOINT: a/rad\n', 'BOT_A_READ_ENDPOINT: a/read\n'),
    row('tools: [{name: a/read, k7: aread}]\n', 'tools: [{name: a/read, k7: a/read}]\n'),
  ])('$before', async (one) => {
    expect(await outcome(one)).toBe('passed');
    // One answer, and there is such a tool.
    expect(await outcome(one, null)).toBe('failed');
    expect(await outcomeOf(one)).toMatchObject({ outcome: 'failed' });
  });

  test.each([
    // Another tool, a mode, a permission, an entry of a list, an address.
    row('tools: {read: {k7: rad}}\n', 'tools: {read: {k7: write}}\n'),
    row('tools: {write: {access: read}}\n', 'tools: {write: {access: write}}\n'),
    row('tools: {write: {allow: rite}}\n', 'tools: {write: {allow: write}}\n'),
    row('tools: {write: {permission: rite}}\n', 'tools: {write: {permission: write}}\n'),
    row('tools: {write: {k7: [rite]}}\n', 'tools: {write: {k7: [write]}}\n'),
    row('BOT_READ_ENDPOINT: rad\n', 'BOT_READ_ENDPOINT: write\n'),
    row('tools: {s: {url: a.example}}\n', 'tools: {s: {url: b.example}}\n'),
  ])('not $before', async (one) => {
    expect(await outcome(one)).not.toBe('passed');
  });
});
