/**
 * The order of the rooms, as data: which step a proposal takes in which state. A state without a row
 * waits for somebody, and so does a proposal that a person paused. The first row that fits is taken.
 */
import type { Actor, Attestation, ProposalState, StepKind } from '../facts/index.ts';
import {
  BEFORE_DEPLOYMENT,
  type Dossier,
  isArrivalAwaited,
  isCalledBack,
  isPaused,
  type ProposalStep,
} from '../proposal/index.ts';

const PROPOSAL_STEP_NAMES = [
  'vet',
  'begin_validation',
  'validate',
  'ask',
  'await_decision',
  'prepare',
  'apply',
  'arrive',
  'revert',
  'watch',
  'learn',
  'probation',
  'aftermath',
  'look_outside',
] as const;
export type ProposalStepName = (typeof PROPOSAL_STEP_NAMES)[number];

/** What a change is looked at for after its end. */
/** `pull`: whether somebody merges the pull request that was shown to people. */
export type Follow = 'probation' | 'aftermath' | 'pull';

export interface StepRow {
  readonly state: ProposalState;
  readonly when?: (dossier: Dossier, learnt: boolean, follow: Follow | undefined) => boolean;
  readonly step: ProposalStepName;
  /** Its kind, for the kill switch. */
  readonly kind: StepKind;
  /** Shown while it runs. */
  readonly doing: string;
}

const isToBeReverted = ({ proposal, attestations }: Dossier) =>
  isCalledBack(attestations, proposal.digest);

const isAwaited = ({ proposal, attestations }: Dossier) =>
  isArrivalAwaited(attestations, proposal.digest);

const notLearnt = (_: Dossier, learnt: boolean) => !learnt;

const learn = (state: ProposalState): StepRow => ({
  state,
  when: notLearnt,
  step: 'learn',
  kind: 'learn',
  doing: 'remembering how it went',
});

const revert = (state: ProposalState): StepRow => ({
  state,
  when: isToBeReverted,
  step: 'revert',
  kind: 'rollback',
  doing: 'taking it back',
});

const lookOutside = (state: ProposalState): StepRow => ({
  state,
  when: (_, __, follow) => follow === 'pull',
  step: 'look_outside',
  kind: 'monitor',
  doing: 'looking whether somebody merged it',
});

export const PROPOSAL_STEPS: readonly StepRow[] = [
  { state: 'draft', step: 'vet', kind: 'vet', doing: 'vetting it' },
  {
    state: 'vetted',
    step: 'begin_validation',
    kind: 'validate',
    doing: 'getting ready to validate',
  },
  { state: 'validating', step: 'validate', kind: 'validate', doing: 'validating it' },
  { state: 'validated', step: 'ask', kind: 'approve', doing: 'asking for a decision' },
  { state: 'inconclusive', step: 'ask', kind: 'approve', doing: 'asking for a decision' },
  { state: 'pending', step: 'await_decision', kind: 'approve', doing: 'waiting for a decision' },
  { state: 'approved', step: 'prepare', kind: 'deploy', doing: 'making a backup' },
  revert('deploying'),
  { state: 'deploying', step: 'apply', kind: 'deploy', doing: 'deploying it' },
  revert('pr_open'),
  revert('monitoring'),
  {
    state: 'monitoring',
    when: isAwaited,
    step: 'arrive',
    kind: 'monitor',
    doing: 'bringing it to the agents',
  },
  { state: 'monitoring', step: 'watch', kind: 'monitor', doing: 'watching it' },
  revert('implemented'),
  learn('implemented'),
  {
    state: 'implemented',
    when: (_, __, follow) => follow === 'probation',
    step: 'probation',
    kind: 'monitor',
    doing: 'looking whether it does harm late',
  },
  {
    state: 'reverted',
    when: isAwaited,
    step: 'arrive',
    kind: 'rollback',
    doing: 'bringing the old version to the agents',
  },
  learn('reverted'),
  {
    state: 'reverted',
    when: (_, __, follow) => follow === 'aftermath',
    step: 'aftermath',
    kind: 'monitor',
    doing: 'looking whether the failures go on without it',
  },
  learn('rejected'),
  lookOutside('rejected'),
  learn('failed'),
  lookOutside('failed'),
  learn('aborted'),
  lookOutside('aborted'),
  lookOutside('superseded'),
];

/** Where people see it at the forge while it is held here: no pause keeps them from merging it. */
const SHOWN_IN: readonly ProposalState[] = ['pending', 'approved'];

export function nextStep(
  dossier: Dossier,
  learnt: boolean,
  follow?: Follow | undefined,
): StepRow | undefined {
  const { proposal, attestations } = dossier;
  if (BEFORE_DEPLOYMENT.includes(proposal.state) && isPaused(attestations))
    return follow === 'pull' && SHOWN_IN.includes(proposal.state)
      ? lookOutside(proposal.state)
      : undefined;
  return PROPOSAL_STEPS.find(
    ({ state, when }) =>
      state === proposal.state && (when === undefined || when(dossier, learnt, follow)),
  );
}

/** Where a step leaves a proposal. */
export function stateAfter(
  { state }: Dossier['proposal'],
  { to, amend }: Pick<ProposalStep, 'to' | 'amend'>,
): ProposalState {
  return amend === undefined ? (to ?? state) : 'draft';
}

/** The kind of the step after this one, known before it is committed; undefined if it then waits for somebody. */
export function kindAfter(
  dossier: Dossier,
  step: Pick<ProposalStep, 'to' | 'amend' | 'attestations'>,
  {
    actor,
    learnt,
    follow,
  }: { actor: Actor; learnt: ProposalState | undefined; follow?: Follow | undefined },
): StepKind | undefined {
  const { proposal } = dossier;
  const { attestations = [] } = step;
  const state = stateAfter(proposal, step);
  // The parts of an attestation that the table reads.
  const said = attestations.map(
    (one) => ({ actor, ...one, contentDigest: proposal.digest }) as Attestation,
  );
  const after = {
    ...dossier,
    proposal: { ...proposal, state },
    attestations: [...dossier.attestations, ...said],
  };
  return nextStep(after, learnt === state, follow)?.kind;
}
