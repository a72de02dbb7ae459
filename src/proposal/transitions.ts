/**
 * The proposal's state table, as data. Whatever is not in it cannot happen. `needs` are attestations
 * about the proposal's present content: the newest of that kind must have that verdict.
 */
import type { AttestationKind, ProposalState, Verdict } from '../facts/index.ts';

export interface Need {
  readonly kind: AttestationKind;
  readonly verdict: readonly Verdict[];
  /** Counts only when a person said it. */
  readonly byPerson?: true;
  /** Also met if this one is. */
  readonly or?: Need;
}

export interface Transition {
  readonly from: readonly ProposalState[];
  readonly to: ProposalState;
  readonly needs: readonly Need[];
  /** Only a person may do this. */
  readonly human?: boolean;
  /** Opens only through this gate. */
  readonly gate?: 'decision' | 'deploy';
}

const need = (kind: AttestationKind, ...verdict: Verdict[]): Need => ({ kind, verdict });
const personSaid = (kind: AttestationKind, ...verdict: Verdict[]): Need => ({
  kind,
  verdict,
  byPerson: true,
});

/** Content can still change here; after that a change needs a proposal of its own. */
export const AMENDABLE_STATES: readonly ProposalState[] = [
  'draft',
  'vetted',
  'validated',
  'failed',
  'inconclusive',
  'pending',
  'approved',
  'quarantined',
];

/**
 * Past vetting and not finished. Drafts are not counted (they would wait for each other forever), nor are
 * proposals held for a person.
 */
export const OPEN_STATES: readonly ProposalState[] = [
  'vetted',
  'validating',
  'validated',
  'inconclusive',
  'pending',
  'approved',
  'deploying',
  'pr_open',
  'monitoring',
];

/** States in which the target may have the change: it can be rolled back. */
export const AT_THE_TARGET: readonly ProposalState[] = [
  'deploying',
  'pr_open',
  'monitoring',
  'implemented',
];

/** Nothing has gone to the target yet, so it can be held or given up. */
export const BEFORE_DEPLOYMENT: readonly ProposalState[] = [...AMENDABLE_STATES, 'validating'];

/** Over without having been deployed, as far as Hone is concerned. */
export const ENDED_BEFORE: readonly ProposalState[] = ['rejected', 'superseded', 'aborted'];

export const TRANSITIONS: readonly Transition[] = [
  { from: ['draft'], to: 'vetted', needs: [need('vetting', 'passed')] },
  { from: ['draft', 'vetted'], to: 'quarantined', needs: [need('vetting', 'held')] },
  { from: ['draft'], to: 'rejected', needs: [need('vetting', 'failed')] },
  { from: ['quarantined'], to: 'draft', needs: [personSaid('vetting', 'released')], human: true },
  { from: ['vetted', 'inconclusive'], to: 'validating', needs: [need('vetting', 'passed')] },
  { from: ['validating'], to: 'validated', needs: [need('validation', 'passed')] },
  { from: ['validating'], to: 'failed', needs: [need('validation', 'failed')] },
  { from: ['validating'], to: 'inconclusive', needs: [need('validation', 'inconclusive')] },
  // A moved base or new evidence: validated once more before anybody is asked again.
  {
    from: ['validated', 'pending', 'approved'],
    to: 'validating',
    needs: [need('vetting', 'passed')],
  },
  {
    from: ['validated', 'inconclusive'],
    to: 'pending',
    needs: [need('validation', 'passed', 'inconclusive')],
  },
  {
    from: ['pending'],
    to: 'approved',
    needs: [need('decision', 'approved', 'carried')],
    gate: 'decision',
  },
  {
    from: ['pending', 'approved', 'quarantined'],
    to: 'rejected',
    needs: [need('decision', 'rejected')],
  },
  { from: ['approved'], to: 'deploying', needs: [], gate: 'deploy' },
  { from: ['deploying'], to: 'pr_open', needs: [] },
  {
    from: ['deploying', 'pr_open'],
    to: 'monitoring',
    needs: [need('deployment', 'done', 'outside')],
  },
  // Somebody else brought it to the target: no gate can refuse what has happened, and it is watched.
  {
    from: ['pending', 'approved', 'failed', ...ENDED_BEFORE],
    to: 'monitoring',
    needs: [need('deployment', 'outside')],
  },
  // Watched to the end; or a person ended the watch; or it could not be taken back, and a person says that it stays.
  {
    from: ['monitoring'],
    to: 'implemented',
    needs: [
      {
        ...need('monitoring', 'stable', 'inconclusive'),
        or: { ...personSaid('monitoring', 'closed'), or: personSaid('rollback', 'waived') },
      },
    ],
  },
  {
    from: AT_THE_TARGET,
    to: 'reverted',
    needs: [need('rollback', 'done')],
  },
  // Nothing reached the target: a deployment that never happened ends without a rollback.
  { from: ['deploying', 'pr_open'], to: 'aborted', needs: [need('deployment', 'failed')] },
  { from: BEFORE_DEPLOYMENT, to: 'aborted', needs: [] },
  { from: BEFORE_DEPLOYMENT, to: 'superseded', needs: [] },
];

export function findTransition(from: ProposalState, to: ProposalState): Transition | undefined {
  return TRANSITIONS.find((transition) => transition.from.includes(from) && transition.to === to);
}

/** Final states: only what others do to the target leads on from there. */
export function isFinal(state: ProposalState): boolean {
  return (
    ENDED_BEFORE.includes(state) ||
    !TRANSITIONS.some((transition) => transition.from.includes(state))
  );
}
