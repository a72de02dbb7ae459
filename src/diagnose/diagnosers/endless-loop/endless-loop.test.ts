import { describe, expect, test } from 'vitest';
import type { Event, FailureGroup } from '../../../facts/index.ts';
import { diagnoserContract } from '../../diagnoser-contract.test-support.ts';
import {
  COMMIT,
  examples,
  group,
  overTheDay,
  settingsOf,
  WINDOW,
} from '../../failures.test-support.ts';
import { mergeAlike } from '../../identity.ts';
import { endlessLoop } from './endless-loop.ts';

const CAPPED: Partial<FailureGroup> = {
  event: 'task_failure',
  tool: '',
  errorCode: 'max_steps',
  template: 'max_steps: failed',
  failures: 200,
  calls: 2000,
  failedLatency: null,
  succeededLatency: null,
  examples: examples('max_steps: failed', overTheDay(5)),
};

/** The calls of a session, each a tool and what it was called with. */
function session(
  name: string,
  calls: readonly (readonly [string, string?])[],
  success = true,
): Event[] {
  return calls.map(([tool, given], at) => ({
    ...{ kind: 'tool_call', atMs: WINDOW.fromMs + at, session: name, agent: 'researcher' },
    ...{ tool, success, ...(given === undefined ? {} : { arguments: given }) },
  })) as Event[];
}
const sessions = (calls: readonly (readonly [string, string?])[], success?: boolean) =>
  new Map(Array.from({ length: 5 }, (_, at) => [`s${at}`, session(`s${at}`, calls, success)]));
const circles = (given?: string) => [
  ['read'] as const,
  ...Array.from({ length: 9 }, () => ['search', given] as [string, string?]),
];
const FILES = {
  'agents/researcher.yaml':
    'name: researcher\nprompt: prompts/researcher.md\ntools: { search: { wait: 5 } }\n',
};
const texts = ['prompts/researcher.md', 'prompts/other.md'];

diagnoserContract({
  diagnoser: endlessLoop,
  explains: [
    { groups: [CAPPED], sessions: sessions(circles()) },
    { groups: [CAPPED], sessions: sessions(circles('{"q":1}')), files: FILES, texts },
  ],
  passesOver: [
    { groups: [CAPPED] },
    { groups: [{}], sessions: sessions(circles()) },
    { groups: [CAPPED], sessions: sessions([['read'], ['search'], ['read'], ['search']]) },
    // Tries after failures are no loop.
    { groups: [CAPPED], sessions: sessions(circles(), false) },
    { groups: [CAPPED], sessions: new Map([['s0', session('s0', circles())]]) },
  ],
});

function subject(given: string | undefined, some: readonly string[], files = FILES) {
  const all = mergeAlike([group(CAPPED)]);
  const [cause] = endlessLoop.explain(all[0]!, {
    ...{ window: WINDOW, all, commit: COMMIT, commits: [], failureShare: 0.02, texts: some },
    settings: Object.entries(files).flatMap(([file, text]) => settingsOf(file, text)),
    sessions: sessions(circles(given)),
  });
  return cause!.subject;
}

describe('a loop', () => {
  test('the very same call again and again asks for a rule in the agent’s own text', () => {
    expect(subject('{"q":1}', texts)).toMatchObject({
      kind: 'rule',
      file: 'prompts/researcher.md',
      adds: { rule: 'no_repeated_call', names: ['search'] },
    });
  });

  test.each([
    ['the arguments are not known', undefined, texts, FILES],
    ['no text is the agent’s', '{"q":1}', ['prompts/other.md'], FILES],
    [
      'no file names the tool',
      '{"q":1}',
      texts,
      { 'agents/researcher.yaml': 'name: researcher\nprompt: prompts/researcher.md\n' },
    ],
  ])('a person is told of the tool where %s', (_, given, some, files) => {
    expect(subject(given, some, files as typeof FILES)).toEqual({
      kind: 'service',
      name: 'search',
    });
  });
});
