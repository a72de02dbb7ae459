import { describe, expect, test } from 'vitest';
import { modeContract } from '../../mode-contract.test-support.ts';
import { NotRunnable } from '../../target-runner/index.ts';
import type { ValidateSettings } from '../../types.ts';
import {
  modeCase,
  type ScriptedRun,
  SETTINGS,
  scriptedRunner,
} from '../../validate.test-support.ts';
import { evaluation } from './eval.ts';
import { evalOutcomes } from './eval-results.ts';

const FILE = 'agents/search.yaml';
const never = new AbortController().signal;

interface Case {
  readonly ok: boolean;
  readonly latencyMs?: number;
  readonly cost?: number;
}

/** A file as `promptfoo eval --output` writes it, with the fields that it has beside those that count. */
function promptfoo(cases: readonly Case[]): string {
  const results = cases.map(({ ok, latencyMs = 120, cost = 0.001 }, testIdx) => ({
    ...{ promptIdx: 0, testIdx, promptId: 'aa11', score: ok ? 1 : 0, success: ok, namedScores: {} },
    testCase: { description: `question ${testIdx}`, vars: { n: testIdx }, assert: [] },
    provider: { id: 'file://provider.js', label: '' },
    prompt: { raw: `Answer ${testIdx} as told.`, label: 'prompts/main.txt' },
    vars: { n: testIdx },
    response: { output: 'words', tokenUsage: { total: 20 } },
    ...{ latencyMs, cost, gradingResult: { pass: ok, score: ok ? 1 : 0, reason: 'x' } },
    ...(ok ? {} : { error: 'Expected output to contain "42"', failureReason: 1 }),
  }));
  const stats = { successes: cases.filter(({ ok }) => ok).length, failures: 0, errors: 0 };
  return JSON.stringify({
    evalId: 'eval-1',
    results: { version: 3, timestamp: '2026-01-01T00:00:00.000Z', prompts: [], results, stats },
    config: {},
    shareableUrl: null,
  });
}

/** A file as `pytest --json-report` writes it. */
function pytest(cases: readonly Case[]): string {
  return JSON.stringify({
    ...{ created: 1, duration: 0.2, exitcode: 1, root: '/work', environment: {} },
    summary: { total: cases.length },
    tests: cases.map(({ ok }, at) => ({
      nodeid: `evals/test_answers.py::test_question[${at}]`,
      ...{ lineno: 3, keywords: [], outcome: ok ? 'passed' : 'failed' },
      setup: { duration: 0.001, outcome: 'passed' },
      call: { duration: 0.01 * (at + 1), outcome: ok ? 'passed' : 'failed' },
      teardown: { duration: 0.001, outcome: 'passed' },
    })),
  });
}

function junit(cases: readonly Case[]): string {
  const tests = cases.map(
    ({ ok }, at) =>
      `<testcase classname="evals.test_answers" name="q${at}" time="0.01">${ok ? '' : '<failure message="no"/>'}</testcase>`,
  );
  return `<?xml version="1.0"?><testsuites><testsuite name="pytest">${tests.join('')}</testsuite></testsuites>`;
}

const SHAPES = [
  ['promptfoo', promptfoo],
  ['pytest', pytest],
  ['JUnit', junit],
] as const;

const cases = (count: number, failing: readonly number[] = []): Case[] =>
  Array.from({ length: count }, (_, at) => ({ ok: !failing.includes(at) }));

type Side = 'base' | 'candidate';
type Answer = (side: Side, run: ScriptedRun) => ReturnType<Parameters<typeof scriptedRunner>[0]>;

function tuned(answer: Answer, more: Partial<ValidateSettings> = {}) {
  const runner: { made?: ReturnType<typeof scriptedRunner> } = {};
  const settings = { ...SETTINGS, eval: ['evaluate'], evalReport: 'out/results.json', ...more };
  const made = modeCase({ [FILE]: 'n: 1\n' }, { [FILE]: 'n: 2\n' }, ({ base }) => {
    runner.made = scriptedRunner((run) => answer(run.commit === base ? 'base' : 'candidate', run));
    return { settings, runner: runner.made };
  });
  return { made, ran: () => runner.made!.ran };
}

async function judged(answer: Answer, more: Partial<ValidateSettings> = {}) {
  const { made, ran } = tuned(answer, more);
  const { change, ports } = await made;
  const verdict = await evaluation.judge(change, ports, never);
  if ('pending' in verdict) throw new Error('it waits');
  return { ...verdict, runs: ran().length, commands: ran().map(({ command }) => command) };
}

modeContract(evaluation, {
  good: () => tuned(() => ({ output: promptfoo(cases(12)) })).made,
  bad: () => tuned((side) => ({ output: promptfoo(cases(12, side === 'base' ? [] : [3])) })).made,
  unclear: () => tuned(() => ({ output: 'no report' })).made,
});

describe.each(SHAPES)('an evaluation as %s', (_, shape) => {
  test('passes where nothing gets worse, and says whether it got better', async () => {
    const same = await judged(() => ({ exitCode: 1, output: shape(cases(12, [0])) }));
    expect(same).toMatchObject({ verdict: 'passed', improvesTarget: false, runs: 3 });
    const better = await judged((side) => ({
      output: shape(cases(12, side === 'base' ? [0, 1, 2, 3, 4, 5] : [])),
    }));
    expect(better).toMatchObject({ verdict: 'passed', improvesTarget: true });
    expect(better.reasons[0]).toContain('6 that failed now pass and 0 that passed now fail');
  });

  test('fails what breaks a case, each time it is run', async () => {
    const broken = await judged((side) => ({
      output: shape(cases(12, side === 'base' ? [] : [7])),
    }));
    expect(broken).toMatchObject({ verdict: 'failed', improvesTarget: false, runs: 4 });
    expect(broken.reasons[0]).toMatch(/^What passed is broken: ".*7.*"\.$/);
    const once = await judged((side, { call }) => ({
      output: shape(cases(12, side === 'candidate' && call === 1 ? [7] : [])),
    }));
    expect(once).toMatchObject({ verdict: 'passed', runs: 4 });
  });

  test('a candidate that writes no results, or fewer cases, is broken', async () => {
    for (const output of ['', '{}', shape(cases(6))]) {
      const answer: Answer = (side) => ({ output: side === 'base' ? shape(cases(12)) : output });
      expect(await judged(answer)).toMatchObject({ verdict: 'failed' });
    }
  });

  test('cases that fail by chance on the base say nothing; too many of them, and nothing can be said', async () => {
    const flaky = (failing: number) =>
      judged((side, { call }) => ({
        output: shape(
          cases(
            12,
            side === 'base' && call === 1 ? [] : Array.from({ length: failing }, (_, at) => at),
          ),
        ),
      }));
    expect(await flaky(2)).toMatchObject({ verdict: 'passed' });
    expect(await flaky(5)).toMatchObject({ verdict: 'inconclusive' });
  });
});

test('cases that pass must not get surely dearer or slower than is borne', async () => {
  for (const more of [{ cost: 0.002 }, { latencyMs: 400 }]) {
    const dear = await judged((side) => ({
      output: promptfoo(cases(30).map((one) => (side === 'base' ? one : { ...one, ...more }))),
    }));
    expect(dear.verdict).toBe('failed');
    expect(dear.reasons[0]).toMatch(/need more than is borne: (cost|latency)/);
  }
});

test('nothing that passes steadily, no sandbox, or a change of what judges it: inconclusive', async () => {
  const none = await judged(() => ({ output: promptfoo(cases(12, [...cases(12).keys()])) }));
  expect(none.verdict).toBe('inconclusive');
  const { change, ports } = await tuned(() => ({})).made;
  const runner = {
    ...scriptedRunner(() => ({})),
    open: async () => {
      throw new NotRunnable('No sandbox can be made here.');
    },
  };
  for (const other of [runner, undefined])
    expect(await evaluation.judge(change, { ...ports, runner: other }, never)).toMatchObject({
      verdict: 'inconclusive',
    });
  const judging = await modeCase({ 'evals/a.py': '1\n' }, { 'evals/a.py': '2\n' }, () => ({
    settings: { ...SETTINGS, eval: ['pytest', 'evals/a.py'], evalReport: 'r.json' },
    runner: scriptedRunner(() => ({ output: pytest(cases(12)) })),
  }));
  const touched = await evaluation.judge(judging.change, judging.ports, never);
  expect(touched).toMatchObject({ verdict: 'inconclusive' });
});

test('it runs the command, with where its results are, in the sandbox', async () => {
  const { commands } = await judged(() => ({ output: pytest(cases(3)) }));
  expect(commands).toHaveLength(3);
  expect(commands[0]).toEqual({
    argv: ['evaluate'],
    timeoutMs: 600_000,
    watched: ['agents/search.yaml'],
    report: 'out/results.json',
    modelAccount: expect.any(String),
  });
});

describe('hostile results', () => {
  test.each([
    ['not JSON', '{'],
    ['another form', '{"results":{"results":[{"success":"yes"}]}}'],
    ['no cases', '{"results":{"results":[]}}'],
    ['numbers below nothing', promptfoo([{ ok: true, cost: -1 }])],
  ])('%s is no report', (_, text) => {
    expect(evalOutcomes(Buffer.from(text))).toBeUndefined();
  });

  test('repeated cases have to pass all, and names stay short and plain', () => {
    const one = { nodeid: `a\u001b[2J${'x'.repeat(500)}`, outcome: 'passed' };
    const tests = [one, { ...one, outcome: 'failed' }, { nodeid: 's', outcome: 'skipped' }];
    const [only, ...others] = evalOutcomes(Buffer.from(JSON.stringify({ tests })))!;
    expect(others).toEqual([]);
    expect(only!.ok).toBe(false);
    expect(only!.session).toMatch(/^[^\p{Cc}]{1,200}$/u);
  });
});
