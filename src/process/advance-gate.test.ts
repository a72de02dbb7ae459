import { describe, expect, test } from 'vitest';
import { advanceGate, type GateInput } from './index.ts';
import {
  BEGIN_MS,
  COMMIT,
  DIFF,
  fact,
  MAX_AGE_MS,
  PERSON,
  PLAN,
  SHORT,
  TESTS,
} from './process.test-support.ts';

const DRIFT = [{ what: 'AGENTS.md', expectedDigest: 'sha256:1', foundDigest: 'sha256:2' }];

function gate(given: Partial<Omit<GateInput, 'task'>> & { task?: Partial<GateInput['task']> }) {
  const { task, ...rest } = given;
  return advanceGate({
    definition: SHORT,
    to: undefined,
    evidence: [PLAN(), DIFF(), TESTS()],
    drift: [],
    ungoverned: [],
    lease: { held: true },
    configured: new Set(),
    nowMs: BEGIN_MS + 1000,
    maxAgeMs: MAX_AGE_MS,
    ...rest,
    task: {
      ...{ phase: 'plan', state: 'open', round: 0, freshFrom: {}, commit: COMMIT },
      ...{ escalated: null, escalatedWhy: null },
      ...task,
    },
  });
}

function codes(given: Parameters<typeof gate>[0]): string[] {
  const verdict = gate(given);
  return verdict.open ? [`open to ${verdict.to}`] : verdict.reasons.map(({ code }) => code);
}

describe('the advance gate', () => {
  test('opens to the next phase with its evidence, and from the last one to the end', () => {
    expect(codes({})).toEqual(['open to build']);
    expect(codes({ to: 'build' })).toEqual(['open to build']);
    expect(codes({ task: { phase: 'check' } })).toEqual(['open to null']);
  });

  test.each([
    ['a phase too far', { to: 'check' }, ['out_of_order']],
    ['a phase behind', { task: { phase: 'build' }, to: 'plan' }, ['out_of_order']],
    ['the same phase', { to: 'plan' }, ['out_of_order']],
    ['a phase that is not there', { to: 'deploy' }, ['unknown_phase']],
    ['more when it is done', { task: { phase: 'check', state: 'done' } }, ['task_done']],
    ['no evidence', { evidence: [] }, ['missing_evidence']],
    [
      'evidence of another phase',
      { evidence: [fact({ kind: 'document', phase: 'build' })] },
      ['missing_evidence'],
    ],
    [
      'evidence that is not right',
      {
        evidence: [
          PLAN(),
          fact({ kind: 'document', phase: 'plan', isValid: false, problem: 'It has no text.' }),
        ],
      },
      ['invalid_evidence'],
    ],
    [
      'evidence of before it went back',
      { task: { round: 1, freshFrom: { plan: 1 } } },
      ['stale_evidence'],
    ],
    [
      'the lease of another',
      { lease: { held: false, holder: 'bob', expiresAtMs: 0 } },
      ['lease_held'],
    ],
    ['a person asked', { task: { escalated: 'repeated' } }, ['escalated']],
    [
      'results handed in',
      {
        task: { phase: 'check' },
        evidence: [DIFF(), fact({ kind: 'tests', phase: 'check', origin: 'claimed' })],
      },
      ['claimed_evidence'],
    ],
    [
      'results of another commit',
      { task: { phase: 'check', commit: 'b'.repeat(40) } },
      ['other_commit', 'other_commit'],
    ],
    [
      'results that are old',
      { task: { phase: 'check' }, nowMs: BEGIN_MS + MAX_AGE_MS + 1 },
      ['old_evidence', 'old_evidence'],
    ],
    [
      'results of the future',
      { task: { phase: 'check' }, nowMs: BEGIN_MS - MAX_AGE_MS - 1 },
      ['old_evidence', 'old_evidence'],
    ],
    [
      'hooks that somebody took away, where it is strict',
      { task: { phase: 'check' }, ungoverned: ['codex'] },
      ['hooks_off'],
    ],
    ['drift where it is strict', { task: { phase: 'check' }, drift: DRIFT }, ['prompt_drift']],
  ] as const)('stays closed with %s', (_, given, expected) => {
    expect(codes(given as Parameters<typeof gate>[0])).toEqual(expected);
  });

  test('names everything that is missing at once', () => {
    expect(codes({ task: { phase: 'build' }, to: 'plan', evidence: [], drift: DRIFT })).toEqual([
      'out_of_order',
      'missing_evidence',
    ]);
  });

  test('opens with drift where it is only told, with a stall, and says what it relied on', () => {
    const plan = PLAN();
    expect(gate({ drift: DRIFT, task: { escalated: 'stalled' }, evidence: [plan] })).toEqual({
      ...{ open: true, to: 'build', evidence: [plan], warnings: DRIFT },
    });
  });

  test('a red result is not hidden by an earlier green one, a green one hides an earlier red one', () => {
    const red = () =>
      fact({ kind: 'tests', phase: 'check', isValid: false, problem: 'One failed.' });
    const at = (tests: ReturnType<typeof red>[]) =>
      codes({ task: { phase: 'check' }, evidence: [DIFF(), ...tests] });
    expect(at([TESTS(), red()])).toEqual(['invalid_evidence']);
    expect(at([red(), TESTS()])).toEqual(['open to null']);
    // What an agent hands in afterwards neither opens nor closes.
    const claimed = fact({ kind: 'tests', phase: 'check', origin: 'claimed', isValid: false });
    expect(at([TESTS(), claimed])).toEqual(['open to null']);
  });

  test('a commit that came after the build needs its own evidence in every later phase', () => {
    const later = TESTS();
    expect(
      codes({
        task: { phase: 'check', commit: 'c'.repeat(40) },
        evidence: [DIFF(), { ...later, commit: 'c'.repeat(40) }],
      }),
    ).toEqual(['other_commit']);
  });

  test('an independent verdict is from somebody who handed in nothing else', () => {
    const definition = {
      name: 'reviewed',
      phases: [
        { name: 'plan', risk: 'low', gates: [{ name: 'p', needs: [{ evidence: 'document' }] }] },
        {
          ...{ name: 'review', after: 'plan', risk: 'low' },
          gates: [{ name: 'r', needs: [{ evidence: 'rubric', independent: true }] }],
        },
      ],
    } as GateInput['definition'];
    const of = (actor: typeof PERSON) =>
      codes({
        definition,
        task: { phase: 'review' },
        evidence: [PLAN(), fact({ kind: 'rubric', phase: 'review', origin: 'claimed', actor })],
      });
    expect(of({ kind: 'agent', id: 'CODER ', verified: 'local' })).toEqual(['not_independent']);
    expect(of(PERSON)).toEqual(['open to null']);
  });
});
