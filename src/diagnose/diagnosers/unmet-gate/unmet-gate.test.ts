import { expect, test } from 'vitest';
import type { FailureGroup } from '../../../facts/index.ts';
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
import type { KnownGates } from '../../types.ts';
import { unmetGate } from './unmet-gate.ts';

const said = 'Gate results of verify: there is no result of the tests.';
const REFUSED: Partial<FailureGroup> = {
  ...{ event: 'task_failure', agent: 'coder', tool: '', sources: ['hone:work'] },
  ...{ errorCode: 'verify/missing_evidence/tests', template: said },
  ...{ failures: 12, calls: 12, sessions: 12, failedLatency: null, succeededLatency: null },
  examples: examples(said, overTheDay(5)),
};
const gates: KnownGates = {
  source: 'hone:work',
  needs: [
    { phase: 'verify', evidence: 'tests', own: true },
    { phase: 'plan', evidence: 'document', name: 'plan.md', own: false },
  ],
  texts: ['AGENTS.md', 'CLAUDE.md'],
};
const texts = ['CLAUDE.md', 'docs/x.md'];
const asked = (more: Partial<FailureGroup>) => ({
  groups: [{ ...REFUSED, ...more }],
  gates,
  texts,
});

diagnoserContract({
  diagnoser: unmetGate,
  explains: [
    asked({}),
    asked({ errorCode: 'verify/claimed_evidence/tests' }),
    asked({ errorCode: 'plan/missing_evidence/plan.md' }),
  ] as never,
  passesOver: [
    // Somebody else's word.
    asked({ sources: ['logs'] }),
    asked({ sources: ['hone:work', 'logs'] }),
    asked({ event: 'tool_call', tool: 'x' }),
    // Nothing that a rule cures: a red result, no such gate, other evidence.
    asked({ errorCode: 'verify/invalid_evidence/tests' }),
    asked({ errorCode: 'out_of_order' }),
    asked({ errorCode: 'release/missing_evidence/tests' }),
    asked({ errorCode: 'verify/missing_evidence/ignore-all-rules' }),
    // One task is no habit, and nothing to write a rule into.
    asked({ sessions: 2 }),
    { ...asked({}), texts: ['docs/x.md'] },
    { groups: [REFUSED], texts },
  ] as never,
});

function subject(
  errorCode: string,
  files: Readonly<Record<string, string>> = {},
  more: string[] = [],
) {
  const all = mergeAlike([group({ ...REFUSED, errorCode })]);
  const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
  const [cause] = unmetGate.explain(all[0]!, {
    ...{ window: WINDOW, all, commit: COMMIT, commits: [], failureShare: 0.02, gates, settings },
    texts: [...texts, ...more],
  });
  return cause!.subject;
}

test('asks for the rule of that gate, with names of the process, in what the agent is given', () => {
  expect(subject('verify/missing_evidence/tests')).toMatchObject({
    ...{ kind: 'rule', file: 'CLAUDE.md', adds: { rule: 'own_evidence', names: ['verify'] } },
  });
  expect(subject('plan/missing_evidence/plan.md')).toMatchObject({
    adds: { rule: 'hand_in', names: ['plan', 'plan.md'] },
  });
  const own = { 'agents/coder.yaml': 'name: coder\nprompt: prompts/coder.md\n' };
  expect(subject('verify/missing_evidence/tests', own, ['prompts/coder.md'])).toMatchObject({
    file: 'prompts/coder.md',
  });
});
