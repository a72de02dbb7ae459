import { describe, expect, test } from 'vitest';
import type { FailureGroup, RecentCall } from '../../../facts/index.ts';
import { CALLS_FROM_MS } from '../../calls.test-support.ts';
import { diagnoserContract, saying } from '../../diagnoser-contract.test-support.ts';
import { COMMIT, group, settingsOf, WINDOW } from '../../failures.test-support.ts';
import { mergeAlike } from '../../identity.ts';
import type { TargetEdit } from '../../types.ts';
import { wrongCall } from './wrong-call.ts';

const drifted = (message: string): Partial<FailureGroup> => ({
  ...saying(message),
  template: message,
  errorCode: 'invalid_arguments',
  failures: 300,
  calls: 300,
});
const REQUIRED = drifted('web_search: "locale" is required (call 7)');
const UNTAKEN = drifted('unknown argument "lang"');
const UNKNOWN = drifted('there is no tool "web_search_v2"');
const AGENT = 'name: researcher\ntools: { web_search: { inputs: [q, lang] } }\n';
const SCHEMA = JSON.stringify({
  name: 'web_search',
  inputSchema: {
    type: 'object',
    properties: { q: { type: 'string' }, locale: { type: 'string' } },
    required: ['q', 'locale'],
  },
});
const FILES = { 'agents/researcher.yaml': AGENT, 'contracts/web_search.json': SCHEMA };
const calls: RecentCall[] = Array.from({ length: 30 }, (_, at) => ({
  agent: 'researcher',
  tool: 'web_search',
  startMs: CALLS_FROM_MS + at,
  endMs: CALLS_FROM_MS + at,
  failedWith: 'invalid_arguments',
  argumentNames: ['q', 'lang'],
}));

diagnoserContract({
  diagnoser: wrongCall,
  explains: [
    { groups: [REQUIRED], files: FILES, calls },
    { groups: [REQUIRED], files: { 'agents/researcher.yaml': AGENT } },
    {
      groups: [{ ...UNKNOWN, tool: 'web_search_v2' }],
      files: {
        'agents/researcher.yaml':
          'name: researcher\ntools: { web_search: { id: web_search_v2 } }\n',
      },
    },
    { groups: [UNKNOWN] },
  ],
  passesOver: [
    { groups: [{}], files: FILES, calls },
    // An agent that now and then makes a wrong call knows the names.
    { groups: [{ ...REQUIRED, failures: 30 }], files: FILES, calls },
    {
      groups: [{ ...drifted('nothing with the number 12'), errorCode: 'not_found' }],
      files: FILES,
      calls,
    },
  ],
});

function explained(
  changes: Partial<FailureGroup>,
  files: Readonly<Record<string, string>>,
  more: {
    calls?: readonly RecentCall[];
    edits?: readonly TargetEdit[];
    texts?: readonly string[];
  } = {},
) {
  const all = mergeAlike([group(changes)]);
  return wrongCall.explain(all[0]!, {
    window: WINDOW,
    all,
    settings: Object.entries(files).flatMap(([file, text]) => settingsOf(file, text)),
    commit: COMMIT,
    commits: [],
    edits: more.edits ?? [],
    texts: more.texts ?? [],
    failureShare: 0.02,
    calls: Map.groupBy(more.calls ?? [], ({ tool }) => tool),
  });
}

describe('a name that a tool does not take', () => {
  test.each([
    ['the new name', '"locale" is required'],
    ['the old name', 'unknown argument "lang"'],
  ])('is corrected to what the tool’s schema has where messages name %s', (_, message) => {
    for (const some of [calls, []])
      expect(explained(drifted(message), FILES, { calls: some })).toMatchObject([
        { subject: { path: ['tools', 'web_search', 'inputs', '1'], becomes: { value: 'locale' } } },
      ]);
  });

  test('is corrected within a text where a format has no lists', () => {
    const inText = (text: string) => ({
      'agents/researcher.env': `WEB_SEARCH_TAKES=${text}\n`,
      'contracts/web_search.json': SCHEMA,
    });
    for (const [text, value] of [
      ['q,lang', 'q,locale'],
      ['q, lang', 'q, locale'],
    ] as const)
      for (const some of [calls, []])
        expect(explained(UNTAKEN, inText(text), { calls: some })).toMatchObject([
          { subject: { path: ['WEB_SEARCH_TAKES'], becomes: { value } } },
        ]);
    // Not the names that the calls were made with; and a sentence is no list.
    for (const text of ['q,lang,page', 'q, and then the lang'])
      expect(explained(UNTAKEN, inText(text), { calls })).toMatchObject([
        { subject: { kind: 'tool_contract' } },
      ]);
    const { 'contracts/web_search.json': _, ...untold } = inText('q,lang');
    expect(explained(UNTAKEN, untold, { calls })[0]!.reasons.at(-1)!.text).toMatch(
      /correct WEB_SEARCH_TAKES \(agents\/researcher\.env:1\)/,
    );
  });

  test('a word of a message alone never becomes a name', () => {
    const causes = explained(REQUIRED, { 'agents/researcher.yaml': AGENT }, { calls });
    expect(causes).toMatchObject([{ subject: { kind: 'tool_contract', tool: 'web_search' } }]);
    expect(causes[0]!.reasons.map(({ text }) => text).join(' ')).toMatch(
      /somebody has to look up .* correct tools\.web_search\.inputs \(agents\/researcher\.yaml:2\)/,
    );
  });

  const defined = calls.map((call) => ({ ...call, parameterNames: ['q', 'locale'] }));
  const alone = { 'agents/researcher.yaml': AGENT };
  test('is corrected to what the tool’s definition has that agents are given', () => {
    const [cause, ...others] = explained(REQUIRED, alone, { calls: defined });
    expect(others).toEqual([]);
    expect(cause).toMatchObject({
      subject: { path: ['tools', 'web_search', 'inputs', '1'], becomes: { value: 'locale' } },
    });
    expect(cause!.reasons[0]!.text).toContain('The definition of web_search that agents are');
    // The newest counts: what was taken before is not.
    const older = calls.map((call, at) => ({
      ...call,
      parameterNames: ['q', at < 20 ? 'place' : 'locale'],
    }));
    expect(explained(REQUIRED, alone, { calls: older })).toMatchObject([
      { subject: { becomes: { value: 'locale' } } },
    ]);
  });

  test('shows in the calls alone where messages speak of no argument', () => {
    const untold = (message: string) => ({ ...drifted(message), errorCode: 'declined' });
    const failing = (some: readonly RecentCall[]) =>
      some.map((call) => ({ ...call, failedWith: 'declined' }));
    const refused = untold('"locale" does not fit here');
    expect(explained(refused, alone, { calls: failing(defined) })).toMatchObject([
      { subject: { becomes: { value: 'locale' } } },
    ]);
    for (const some of [failing(calls), []])
      expect(explained(refused, alone, { calls: some })).toEqual([]);
    // Neither name is in a message: the refusal may be about anything.
    const mute = untold('request refused');
    expect(explained(mute, alone, { calls: failing(defined) })).toEqual([]);
  });

  test.each(['400 Bad Request', 'HTTP 422', 'error -32602'])(
    'shows where the tool only calls the request wrong: %s',
    (message) => {
      const refused = { ...drifted(message), errorCode: 'failed' };
      const failing = defined.map((call) => ({ ...call, failedWith: 'failed' }));
      const causes = explained(refused, alone, { calls: failing });
      expect(causes).toMatchObject([{ subject: { becomes: { value: 'locale' } } }]);
      // Meanwhile somebody's call works with the old name.
      const late = {
        ...failing[0]!,
        agent: 'writer',
        failedWith: null,
        startMs: CALLS_FROM_MS + 9,
      };
      expect(explained(refused, alone, { calls: [...failing, late] })).toEqual([]);
      // Of two names that could be meant nothing says which.
      const two = failing.map((call) => ({ ...call, parameterNames: ['q', 'locale', 'limit'] }));
      expect(explained(refused, alone, { calls: two })).toEqual([]);
      // Who knows the definition alone does not know what the failing calls gave.
      const mute = failing.map(({ argumentNames: _, ...call }) => call);
      expect(explained(refused, alone, { calls: mute })).toEqual([]);
    },
  );

  test('is corrected where the code says that an argument is wrong, and no message says which', () => {
    const mute = drifted('400 Bad Request');
    for (const some of [calls, []])
      expect(explained(mute, FILES, { calls: some })).toMatchObject([
        { subject: { path: ['tools', 'web_search', 'inputs', '1'], becomes: { value: 'locale' } } },
      ]);
    // Somebody's call works with the old name meanwhile.
    const [first] = calls;
    const late = { ...first!, agent: 'writer', failedWith: null, startMs: CALLS_FROM_MS + 9 };
    expect(explained(mute, FILES, { calls: [...calls, late] })).toMatchObject([
      { subject: { kind: 'tool_contract' } },
    ]);
  });

  test('is corrected to what calls of others succeed with meanwhile, and not what one did', () => {
    const others = (n: number) =>
      calls.slice(0, n).map((call) => ({
        ...{ ...call, agent: 'writer', failedWith: null, startMs: call.startMs + 50 },
        argumentNames: ['locale', 'q'],
      }));
    const becomes = { value: 'locale' };
    expect(explained(REQUIRED, alone, { calls: [...calls, ...others(5)] })).toMatchObject([
      { subject: { becomes } },
    ]);
    expect(explained(REQUIRED, alone, { calls: [...calls, ...others(4)] })[0]!.subject.kind).toBe(
      'tool_contract',
    );
    // Before it began they succeeded with the old name.
    const before = others(9).map((call) => ({ ...call, startMs: CALLS_FROM_MS - 1 }));
    expect(explained(REQUIRED, alone, { calls: [...before, ...calls] })[0]!.subject.kind).toBe(
      'tool_contract',
    );
  });

  test('stands in the agent’s own text where no list has it', () => {
    const files = { 'agents/researcher.yaml': 'name: researcher\nprompt: prompts/find.md\n' };
    const texts = ['prompts/find.md', 'prompts/write.md'];
    expect(explained(REQUIRED, files, { calls: defined, texts })).toMatchObject([
      {
        layer: 'skill',
        subject: {
          ...{ kind: 'rule', file: 'prompts/find.md' },
          renames: { from: 'lang', to: 'locale', beside: ['q'] },
        },
      },
    ]);
    // Nobody knows which text the agent reads.
    expect(explained(REQUIRED, {}, { calls: defined, texts })[0]!.subject.kind).toBe(
      'tool_contract',
    );
    expect(explained(REQUIRED, alone, { calls: defined, texts })).toMatchObject([
      { subject: { kind: 'setting' } },
    ]);
  });

  test('an argument that calls do not give becomes a rule for the agent’s own text', () => {
    const files = { 'agents/researcher.yaml': 'name: researcher\nprompt: prompts/find.md\n' };
    const texts = ['prompts/find.md', 'prompts/write.md'];
    const short = defined.map((call) => ({ ...call, argumentNames: ['q'] }));
    expect(explained(REQUIRED, files, { calls: short, texts })).toMatchObject([
      {
        layer: 'skill',
        subject: {
          ...{ kind: 'rule', file: 'prompts/find.md' },
          adds: { rule: 'give_argument', names: ['web_search', 'locale'] },
        },
      },
    ]);
    // What the tool takes is known from its definition alone, and which of it is missing from messages alone.
    const undefinedTool = calls.map((call) => ({ ...call, argumentNames: ['q'] }));
    const unnamed = drifted('a required argument is missing');
    for (const [message, some] of [
      [REQUIRED, undefinedTool],
      [unnamed, short],
    ] as const)
      expect(explained(message, files, { calls: some, texts })[0]!.subject.kind).toBe(
        'tool_contract',
      );
    // A list of the files has the arguments: that is where it is missing.
    expect(
      explained(
        REQUIRED,
        {
          'agents/researcher.yaml':
            'name: researcher\nprompt: prompts/find.md\ntools: { web_search: { inputs: [q] } }\n',
        },
        { calls: short, texts },
      )[0]!.subject.kind,
    ).toBe('tool_contract');
    // A name from a definition that is no plain name stands in no rule.
    const odd = short.map((call) => ({ ...call, parameterNames: ['q', 'locale now'] }));
    expect(explained(REQUIRED, files, { calls: odd, texts })[0]!.subject.kind).toBe(
      'tool_contract',
    );
  });

  test('a schema of another tool says nothing', () => {
    const other = {
      ...FILES,
      'contracts/web_search.json': '{}',
      'contracts/fetch.json': SCHEMA.replace('web_search', 'fetch'),
    };
    expect(explained(REQUIRED, other, { calls })[0]!.subject.kind).toBe('tool_contract');
  });

  test('of several new arguments the one that messages name is meant', () => {
    const wide = SCHEMA.replace('"locale":{', '"limit":{"type":"number"},"locale":{');
    const causes = explained(REQUIRED, { ...FILES, 'contracts/web_search.json': wide }, { calls });
    expect(causes).toMatchObject([{ subject: { becomes: { value: 'locale' } } }]);
  });

  test('of a single argument the words of a schema are no other names', () => {
    const one = 'name: researcher\ntools: { web_search: { inputs: [lang] } }\n';
    const schema = SCHEMA.replace('"q":{"type":"string"},', '').replace('"q",', '');
    const files = { 'agents/researcher.yaml': one, 'contracts/web_search.json': schema };
    const given = calls.map((call) => ({ ...call, argumentNames: ['lang'] }));
    for (const message of ['"locale" is required', 'unknown argument "lang"'])
      expect(explained(drifted(message), files, { calls: given })).toMatchObject([
        { confidence: 0.95, subject: { becomes: { value: 'locale' } } },
      ]);
  });

  test('a copy of the file is no other cause', () => {
    const files = { ...FILES, 'agents/samples/researcher.yaml': AGENT };
    const causes = explained(REQUIRED, files, { calls });
    expect(causes.map(({ confidence }) => confidence)).toEqual([0.95, 0.95]);
    const other = AGENT.replace('[q, lang]', '[lang, q]');
    const unlike = explained(REQUIRED, { ...FILES, 'agents/b/researcher.yaml': other }, { calls });
    expect(unlike.map(({ confidence }) => confidence)).toEqual([0.475, 0.475]);
  });

  test('a tool gets the name that it had before the commit', () => {
    const edits: TargetEdit[] = [
      {
        ...{ kind: 'value', commit: 'e'.repeat(40), parent: 'f'.repeat(40), atMs: 1 },
        ...{ file: 'bots/r.yaml', path: ['search', 'function'], before: 'find', after: 'find_all' },
      },
    ];
    const causes = explained(
      { ...UNKNOWN, tool: 'find_all' },
      { 'bots/r.yaml': 'search: { function: find_all }\n' },
      { edits },
    );
    expect(causes).toMatchObject([{ subject: { becomes: { value: 'find' } } }]);
  });

  test('where two tools are called alike, a person is told where the name stands', () => {
    const file = 'tools: { web_search: { id: web_searcher }, web_searches: { a: 1 } }\n';
    const causes = explained(
      { ...UNKNOWN, tool: 'web_searcher' },
      { 'agents/researcher.yaml': file },
    );
    expect(causes[0]!.subject.kind).toBe('tool_contract');
    expect(causes[0]!.reasons[1]!.text).toContain('agents/researcher.yaml:1');
  });
});
