/** What the modes of the gates `vetting` and `limits` change about a vetting, and what they never do. */
import { describe, expect, test } from 'vitest';
import { SWITCH_MODES, type SwitchMode } from '../facts/index.ts';
import { RUBRIC, vet } from './index.ts';
import { AGENT, type Case, diffOf, makeCase, reportOf, TUNED } from './vet.test-support.ts';

const switched = (mode: SwitchMode) => ({
  mode,
  unchanged: [{ table: 'policy_switches', where: { gate: 'x', mode }, name: 'switch' }],
});

const run = async (one: Case, modes: { vetting?: SwitchMode; limits?: SwitchMode }) => {
  const { vetting = 'enforce', limits = 'enforce' } = modes;
  const switches = { vetting: switched(vetting), limits: switched(limits) };
  const { dossier, ports } = makeCase({ ...one, ports: { ...one.ports, switches } });
  return vet(dossier, ports);
};

const POOR: readonly (readonly [string, Case])[] = [
  ['complete', { content: { rationale: 'TBD' } }],
  ['category', { content: { category: 'enhancement' } }],
];

describe('SWITCH-1 the gate vetting', () => {
  test.each(POOR)('enforced: a poor proposal is refused for %s', async (name, one) => {
    const step = await run(one, {});
    expect(step.to).toBe('rejected');
    expect(step.did).toContain(`${name}: `);
    expect(step.entries).toEqual([]);
  });

  test.each(POOR)(
    'observed: %s is judged, recorded, said, and passes while the mode stays',
    async (name, one) => {
      const step = await run(one, { vetting: 'observe' });
      expect(step.to).toBe('vetted');
      expect(step.attestations).toMatchObject([{ kind: 'vetting', verdict: 'passed' }]);
      expect(step.did).toContain(`Let pass, because the gate vetting only observes: ${name}: `);
      expect(step.entries).toMatchObject([
        {
          type: 'policy.let_pass',
          subject: 'proposal:p1',
          data: { gate: 'vetting', what: name, why: expect.stringMatching(/\w/) },
        },
      ]);
      const check = reportOf(step).checks.find((each) => each.name === name);
      expect(check).toMatchObject({ outcome: 'passed', wouldBe: 'failed' });
      expect(step.expect).toEqual([
        ...switched('observe').unchanged,
        ...switched('enforce').unchanged,
      ]);
    },
  );

  test.each(POOR)('off: %s is not judged, and the report says so', async (name, one) => {
    const step = await run(one, { vetting: 'off' });
    expect(step.to).toBe('vetted');
    expect(step.did).toContain('Switched off: complete, category.');
    expect(step.entries).toEqual([]);
    const report = reportOf(step);
    expect(report).toMatchObject({ mode: 'off', notAsked: ['complete', 'category'] });
    expect(report.checks.map((check) => check.name)).not.toContain(name);
  });

  test('a good proposal is the same in every mode, but for what the report says of the mode', async () => {
    for (const vetting of SWITCH_MODES) {
      const step = await run({}, { vetting });
      expect(step).toMatchObject({ to: 'vetted', entries: [] });
      expect(reportOf(step)).toMatchObject({ mode: vetting, verdict: 'passed' });
    }
  });
});

const OTHER = await diffOf({ 'hone.yaml': 'a: 1\n' }, { 'hone.yaml': 'a: 2\n' });
const NUL = TUNED.replace('+    timeout_ms: 3000', '+    timeout_ms: 3000\u0001');
const HELD_IN_EVERY_MODE: Readonly<Record<string, Case>> = {
  declared: { content: { files: ['agents/other.yaml'] } },
  type: { content: { type: 'feature' as 'meta' } },
  scope: { ports: { limits: { filesMax: 5, changedLinesMax: 1 } } },
  evidence: { content: { evidence: ['event:1'] } },
  reversible: { diff: NUL },
  own_gate: { diff: OTHER, content: { files: ['hone.yaml'], proposer: AGENT } },
  secrets: { content: { rationale: 'the password: hunter2hunter2' } },
  hidden: { content: { rationale: 'It times out\u202e.' } },
};

describe('SWITCH-1 the constitution is not switched', () => {
  test('only checks without a rule obey the switch; every other one is tried here', () => {
    const switchable = RUBRIC.checks.filter(({ obeysSwitch }) => obeysSwitch === true);
    expect(switchable.map(({ name, rule }) => [name, rule])).toEqual([
      ['complete', null],
      ['category', null],
    ]);
    const fixed = RUBRIC.checks.filter(({ obeysSwitch }) => obeysSwitch !== true);
    expect(Object.keys(HELD_IN_EVERY_MODE)).toEqual(fixed.map(({ name }) => name));
  });

  test.each(Object.entries(HELD_IN_EVERY_MODE))('%s holds in every mode', async (name, one) => {
    for (const vetting of SWITCH_MODES)
      for (const limits of SWITCH_MODES) {
        const step = await run({ ...one }, { vetting, limits });
        expect([vetting, step.to === 'vetted']).toEqual([vetting, false]);
        const check = reportOf(step).checks.find((each) => each.name === name);
        expect(check).not.toHaveProperty('wouldBe');
        expect(check?.outcome).not.toBe('passed');
        expect(step.entries).toEqual([]);
      }
  });

  test('bad in quality and against a rule: refused, and nothing was let pass', async () => {
    const step = await run(
      { content: { rationale: 'TBD', files: ['agents/other.yaml'] } },
      { vetting: 'observe' },
    );
    expect(step).toMatchObject({ to: 'rejected', entries: [] });
  });
});

describe('SWITCH-1 the gate limits, at a proposal without a place', () => {
  const crowded: Case = { ports: { openProposals: 20, openProposalsMax: 20 } };

  test('enforced it waits; observed it passes, recorded and said; off it passes', async () => {
    const enforced = await run(crowded, {});
    expect(enforced.to).toBeUndefined();
    expect(enforced.did).toContain('It waits: 20 proposals are open; the limit is 20');
    const observed = await run(crowded, { limits: 'observe' });
    expect(observed).toMatchObject({
      to: 'vetted',
      entries: [{ type: 'policy.let_pass', data: { gate: 'limits', what: 'open proposals' } }],
    });
    expect(observed.did).toContain('only observes: open proposals: 20 are open; the limit is 20.');
    expect(await run(crowded, { limits: 'off' })).toMatchObject({ to: 'vetted', entries: [] });
  });

  test('the ceiling holds in every mode (rule 7)', async () => {
    const full: Case = { ports: { openProposals: 1000, openProposalsMax: 20 } };
    for (const limits of SWITCH_MODES) expect((await run(full, { limits })).to).toBeUndefined();
    expect((await run(full, { limits: 'off' })).did).toContain('the limit is 1000');
  });
});
