import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draft, makeContent, OPERATOR } from '../../test/proposals.ts';
import { digestOf } from '../base/index.ts';
import {
  type Attestation,
  PROPOSAL_STATES,
  type ProposalState,
  SYSTEM,
  UNSTOPPABLE_STEPS,
} from '../facts/index.ts';
import {
  type Dossier,
  findTransition,
  isCalledBack,
  isFinal,
  type StepAttestation,
} from '../proposal/index.ts';
import { kindAfter, nextStep, PROPOSAL_STEPS } from './table.ts';

const content = makeContent();
const DIGEST = digestOf(content);

type Said = readonly [Attestation['kind'], Attestation['verdict'], string?];

function dossierOf(state: ProposalState, said: readonly Said[] = []): Dossier {
  return {
    content,
    proposal: {
      id: 'p_1',
      version: 9,
      state,
      digest: DIGEST,
      title: content.title,
      createdAtMs: 0,
      changedAtMs: 0,
    },
    attestations: said.map(([kind, verdict, digest = DIGEST], at) => ({
      ...draft(kind, verdict, digest, { actor: at % 2 === 0 ? OPERATOR : SYSTEM }),
      id: `att_${at}`,
      proposalId: 'p_1',
      atMs: at,
    })) as Attestation[],
  };
}

/** What is done in each state when nobody called for a rollback and nothing was learnt yet. */
const EVERY_STATE = Object.freeze({
  draft: 'vet',
  vetted: 'begin_validation',
  validating: 'validate',
  validated: 'ask',
  failed: 'learn',
  inconclusive: 'ask',
  pending: 'await_decision',
  approved: 'prepare',
  deploying: 'apply',
  pr_open: 'a person merges it',
  monitoring: 'watch',
  implemented: 'learn',
  quarantined: 'a person releases it',
  rejected: 'learn',
  superseded: 'nothing more happens',
  reverted: 'learn',
  aborted: 'learn',
} satisfies Record<ProposalState, string>);
const WAITS = ['a person merges it', 'a person releases it', 'nothing more happens'];
const AT_THE_TARGET: readonly ProposalState[] = [
  'deploying',
  'pr_open',
  'monitoring',
  'implemented',
];

describe('the table of steps', () => {
  test.each(PROPOSAL_STATES)('%s has its step, or waits for somebody', (state) => {
    const expected = EVERY_STATE[state];
    const step = nextStep(dossierOf(state), false)?.step;
    expect(step).toBe(WAITS.includes(expected) ? undefined : expected);
  });

  test('nothing more happens only where nothing leads out', () => {
    for (const state of PROPOSAL_STATES)
      if (EVERY_STATE[state] === 'nothing more happens') expect(isFinal(state)).toBe(true);
  });

  test.each(PROPOSAL_STATES)('%s that was learnt from is not learnt from again', (state) => {
    expect(nextStep(dossierOf(state), true)?.step).not.toBe('learn');
  });

  test.each(PROPOSAL_STATES)(
    '%s, called back, is reverted first where it is at the target',
    (state) => {
      const called = dossierOf(state, [['monitoring', 'degraded']]);
      for (const learnt of [false, true])
        expect(nextStep(called, learnt)?.step === 'revert').toBe(AT_THE_TARGET.includes(state));
    },
  );

  test('the kernel lets exactly these states be reverted', () => {
    const states = PROPOSAL_STATES.filter((state) => findTransition(state, 'reverted'));
    expect(states).toEqual(AT_THE_TARGET);
  });

  test('watching and rolling back cannot be stopped, everything else can', () => {
    for (const { step, kind } of PROPOSAL_STEPS)
      expect([step, UNSTOPPABLE_STEPS.includes(kind)]).toEqual([
        step,
        // Bringing it to the agents is part of watching; its hooks ask the kill switch themselves.
        // What others did to the target is looked for whatever Hone itself may do.
        ['watch', 'probation', 'aftermath', 'revert', 'arrive', 'look_outside'].includes(step),
      ]);
  });
});

describe('the kind of the step after a step', () => {
  const moves = fc.record({
    from: fc.constantFrom(...PROPOSAL_STATES),
    to: fc.option(fc.constantFrom(...PROPOSAL_STATES), { nil: undefined }),
    before: fc.array(said()),
    added: fc.array(said(), { maxLength: 3 }),
    learnt: fc.option(fc.constantFrom(...PROPOSAL_STATES), { nil: undefined }),
  });

  test('is what the table says once it is committed', () => {
    fc.assert(
      fc.property(moves, ({ from, to, before, added, learnt }) => {
        const after = dossierOf(to ?? from, [...before, ...added]);
        const attestations = after.attestations
          .slice(before.length)
          .map(({ kind, verdict, actor }) => ({ kind, verdict, actor }) as StepAttestation);
        const step = to === undefined ? { attestations } : { to, attestations };
        const kind = kindAfter(dossierOf(from, before), step, { actor: SYSTEM, learnt });
        expect(kind).toBe(nextStep(after, learnt === (to ?? from))?.kind);
      }),
    );
  });

  test('an attestation without an actor is by who takes the step', () => {
    const called = dossierOf('monitoring', [['monitoring', 'degraded']]);
    const step = { attestations: [{ kind: 'rollback', verdict: 'waived' }] } as const;
    expect(kindAfter(called, step, { actor: OPERATOR, learnt: undefined })).toBe('monitor');
    expect(kindAfter(called, step, { actor: SYSTEM, learnt: undefined })).toBe('rollback');
  });
});

function said(): fc.Arbitrary<Said> {
  return fc.constantFrom<Said>(
    ['monitoring', 'degraded'],
    ['monitoring', 'stable'],
    ['rollback', 'requested'],
    ['rollback', 'done'],
    ['rollback', 'failed'],
    ['rollback', 'waived'],
    ['vetting', 'passed'],
  );
}

describe('a change is called back', () => {
  const OTHER = `sha256:${'0'.repeat(64)}`;
  test.each<[boolean, string, readonly Said[]]>([
    [false, 'when nobody said anything', []],
    [false, 'not by a stable watch', [['monitoring', 'stable']]],
    [true, 'by a degraded one', [['monitoring', 'degraded']]],
    [
      true,
      'also after it was stable',
      [
        ['monitoring', 'stable'],
        ['monitoring', 'degraded'],
      ],
    ],
    [
      false,
      'no longer when it was found stable later',
      [
        ['monitoring', 'degraded'],
        ['monitoring', 'stable'],
      ],
    ],
    [false, 'not about other bytes', [['monitoring', 'degraded', OTHER]]],
    [
      true,
      'still when the rollback failed',
      [
        ['monitoring', 'degraded'],
        ['rollback', 'failed'],
      ],
    ],
    [
      true,
      'still when it failed before the call',
      [
        ['rollback', 'failed'],
        ['monitoring', 'degraded'],
      ],
    ],
    [
      false,
      'no longer when it is done',
      [
        ['monitoring', 'degraded'],
        ['rollback', 'failed'],
        ['rollback', 'done'],
      ],
    ],
    [
      false,
      'no longer when a person says that it stays',
      [
        ['monitoring', 'degraded'],
        ['rollback', 'failed'],
        ['rollback', 'waived'],
      ],
    ],
    [
      true,
      'still when Hone itself says so',
      [
        ['monitoring', 'degraded'],
        ['rollback', 'waived'],
      ],
    ],
    [
      true,
      'again when that was said before the call',
      [
        ['rollback', 'waived'],
        ['monitoring', 'degraded'],
      ],
    ],
    [
      true,
      'again when it was done before the call',
      [
        ['rollback', 'done'],
        ['monitoring', 'degraded'],
      ],
    ],
    [true, 'by a person', [['rollback', 'requested']]],
    [
      false,
      'not because Hone itself requests it',
      [
        ['monitoring', 'stable'],
        ['rollback', 'requested'],
      ],
    ],
    [
      true,
      'by a person, whatever the watch says afterwards',
      [
        ['rollback', 'requested'],
        ['monitoring', 'stable'],
      ],
    ],
    [false, 'not by a person about other bytes', [['rollback', 'requested', OTHER]]],
    [
      false,
      'no longer when what a person asked for is done',
      [
        ['rollback', 'requested'],
        ['rollback', 'done'],
      ],
    ],
    [
      true,
      'when a person asks again after it was done',
      [
        ['rollback', 'requested'],
        ['rollback', 'done'],
        ['rollback', 'requested'],
      ],
    ],
    [
      true,
      'when what was rolled back is something else',
      [
        ['monitoring', 'degraded'],
        ['rollback', 'done', OTHER],
      ],
    ],
  ])('%s: %s', (called, _, said) => {
    expect(isCalledBack(dossierOf('monitoring', said).attestations, DIGEST)).toBe(called);
  });
});
