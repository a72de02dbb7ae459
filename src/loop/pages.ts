/** Each change of a proposal is one commit on the proposals' branch, as an effect. */
import type { EffectDraft, ProposalState } from '../facts/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import type { Plan } from '../store/index.ts';
import { stateAfter } from './table.ts';

const PAGES = 'proposals-branch';

/** `version`: the proposal's version after the change. */
export function pageEffect(change: {
  readonly id: string;
  readonly version: number;
  readonly state: ProposalState;
}): EffectDraft {
  const { id, version, state } = change;
  return {
    key: `page/${id}/${version}`,
    destination: PAGES,
    payload: { proposal: id, version, state },
    // The outcome of a change is recorded even while everything is stopped.
    step: 'monitor',
    // In the order of the changes, without delaying anything else.
    lane: 'news',
  };
}

/** Every change of the proposal becomes a commit on the proposals' branch, and news if it is newsworthy. */
export function withPage(
  plan: Plan,
  { proposal }: Dossier,
  step: ProposalStep,
  news: readonly EffectDraft[],
): Plan {
  const isMoved = step.to !== undefined || step.amend !== undefined;
  const changes = (step.attestations?.length ?? 0) + (isMoved ? 1 : 0);
  const page =
    changes === 0
      ? []
      : [
          pageEffect({
            id: proposal.id,
            version: proposal.version + changes,
            state: stateAfter(proposal, step),
          }),
        ];
  const spawned = (step.spawn ?? []).map(({ id }) =>
    pageEffect({ id, version: 1, state: 'draft' }),
  );
  return { ...plan, effects: [...(plan.effects ?? []), ...page, ...spawned, ...news] };
}
