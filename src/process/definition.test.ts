import { describe, expect, test } from 'vitest';
import { composeSections, parseConfig } from '../config/index.ts';
import { processSection } from './config-section.ts';
import { phasesInOrder, processesOf } from './index.ts';
import { SHORT } from './process.test-support.ts';

const schema = composeSections([processSection]);

function problemsOf(phases: string) {
  const parsed = parseConfig(
    `process:\n  own:\n    - name: ours\n      phases:\n${phases}`,
    'hone.yaml',
    schema,
  );
  return parsed.ok ? [] : parsed.problems.map(({ line, message }) => `${line}: ${message}`);
}

const phase = (name: string, after?: string) =>
  `        - name: ${name}\n          risk: low\n          gates: []\n${after === undefined ? '' : `          after: ${after}\n`}`;

describe('a process definition', () => {
  test('PROC-1 ships as autopilot with nine phases and leo with its gates', () => {
    const shown = processesOf([]).map((one) => [
      one.name,
      phasesInOrder(one).map(({ name, gates }) =>
        one.name === 'leo' ? `${name}: ${gates.map((gate) => gate.name).join(' ')}` : name,
      ),
    ]);
    expect(shown).toEqual([
      [
        'autopilot',
        ['strategize', 'spec', 'plan', 'think', 'implement', 'verify', 'review', 'pr', 'monitor'],
      ],
      ['leo', ['lead: 0 1', 'plan: 2', 'exec: 2.5 3 Q']],
    ]);
  });

  test('of a team stands beside them, and may replace one', () => {
    expect(processesOf([SHORT]).map(({ name }) => name)).toEqual(['short', 'autopilot', 'leo']);
    expect(processesOf([{ ...SHORT, name: 'leo' }]).map(({ name }) => name)).toEqual([
      'leo',
      'autopilot',
    ]);
  });

  test('is read in the order of its phases, not of its lines', () => {
    expect(phasesInOrder(SHORT).map(({ name }) => name)).toEqual(['plan', 'build', 'check']);
    expect(problemsOf(phase('b', 'a') + phase('a'))).toEqual([]);
  });

  test.each([
    ['a cycle', phase('a') + phase('b', 'c') + phase('c', 'b'), [11, 15], 'a cycle'],
    ['a phase after itself', phase('a') + phase('b', 'b'), [11], 'a cycle'],
    ['an unknown phase', phase('a') + phase('b', 'x'), [11], 'no phase of the process'],
    ['a fork', phase('a') + phase('b', 'a') + phase('c', 'a'), [15], 'both come after a'],
    ['two beginnings', phase('a') + phase('b'), [8], 'both come first'],
    ['the same name twice', phase('a') + phase('a', 'a'), [11], 'two phases called a'],
  ])('with %s is refused at its line', (_, phases, lines, words) => {
    const problems = problemsOf(phases);
    expect(problems.map((one) => Number(one.split(':')[0]))).toEqual(lines);
    expect(problems[0]).toContain(words);
  });
});

test('where things are changed a person can be asked about a high tool, and nowhere else', () => {
  const risky = processesOf([]).flatMap(({ name, phases }) =>
    phases.flatMap((phase) => (phase.risk === 'high' ? [`${name}/${phase.name}`] : [])),
  );
  expect(risky).toEqual(['autopilot/implement', 'autopilot/pr', 'leo/exec']);
});
