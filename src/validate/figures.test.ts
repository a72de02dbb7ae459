import { describe, expect, test } from 'vitest';
import type { Json } from '../base/index.ts';
import { figuresOf } from './figures.ts';
import { choiceFor } from './modes/manual/manual.ts';
import { replay } from './modes/replay/replay.ts';
import { unit } from './modes/unit/unit.ts';
import { makeReports } from './report.ts';
import type { ReplayOutcome, ValidatePorts, ValidationMode } from './types.ts';
import { modeCase, SETTINGS, scriptedRunner, type Target } from './validate.test-support.ts';

/** As it is read back from the record: the report that the mode leaves behind. */
async function figures(mode: ValidationMode, more: (target: Target) => Partial<ValidatePorts>) {
  const { change, ports } = await modeCase(
    { 'agents/a.yaml': 'n: 1\n' },
    { 'agents/a.yaml': 'n: 2\n' },
    more,
  );
  const verdict = await mode.judge(change, ports, new AbortController().signal);
  if ('pending' in verdict) throw new Error('it waits');
  const [json] = makeReports({
    ...{ dossier: change.dossier, candidate: change.candidate, nowMs: 5 },
    judged: { ...verdict, mode },
    choice: choiceFor(change, ports),
  });
  return figuresOf(JSON.parse(Buffer.from(json!.content).toString()) as Json)!;
}

describe('the figures of a report', () => {
  test('a replay: what failed before and after, what flipped, what it costs, what is left out', async () => {
    let runs = 0;
    const { pairs, rails, assumes } = await figures(replay, ({ base }) => ({
      replay: {
        commands: [],
        async run(commit, sessions): Promise<ReplayOutcome[]> {
          const [isNew, isAgain] = [commit !== base, ++runs === 2];
          return sessions.map((session, at) => {
            // Every tenth is mended; one breaks; one flakes.
            const ok = at === 1 ? !isNew : at === 2 ? !isAgain : isNew || at % 10 !== 0;
            return {
              session,
              ok,
              error: ok ? null : 'no',
              latencyMs: isNew ? 105 + (at % 3) : 100,
            };
          });
        },
      },
    }));
    expect(pairs).toMatchObject({
      ...{ asked: 100, flaky: 1, unknown: 0, usable: 99, failedBefore: 10, failedAfter: 1 },
      ...{ better: 10, worse: 1, broken: ['session-1'] },
      reproduced: { failedLive: 10, failedAgain: 10 },
    });
    expect(pairs!.change).toBeCloseTo(-9 / 99, 9);
    expect(pairs!.low).toBeLessThan(pairs!.change);
    expect(pairs!.high).toBeLessThan(0);
    expect(rails).toHaveLength(1);
    expect(rails[0]).toMatchObject({
      metric: 'latency',
      borne: SETTINGS.slowerMax,
      isHarmed: false,
    });
    expect(rails[0]!.change).toBeCloseTo(0.06, 2);
    expect(assumes).toEqual(replay.assumes);
  });

  test('tests: what passed and failed in each run of both sides', async () => {
    const report = '<testsuite name="s"><testcase name="a"/><testcase name="b"/></testsuite>';
    const { pairs, runs } = await figures(unit, () => ({
      settings: { ...SETTINGS, test: ['true'], testReport: 'report.xml', testRuns: 2 },
      runner: scriptedRunner(() => ({ output: report })),
    }));
    const all = { passed: 2, failed: 0 };
    expect([pairs, runs]).toEqual([null, { base: [all, all], candidate: [all] }]);
  });

  test('what is no report of a validation has none', () => {
    for (const json of [null, {}, [], { report: 'other' }, { report: 'validation', found: 7 }])
      expect(figuresOf(json)).toBeUndefined();
  });
});
