/** Each change of a proposal is one commit on the proposals' branch, as an effect. */
import type { EffectDraft, ProposalState } from '../facts/index.ts';

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
    // What became of a change is written down also while everything is stopped.
    step: 'monitor',
  };
}
