/** Why a change is taken back, for its record and for people. Pure. */
import type { ProposalContent } from '../facts/index.ts';
import type { Blame } from '../monitor/index.ts';
import type { RollbackCall } from '../proposal/index.ts';

type Blamed = Blame | 'none';

/** What is taken back for no harm of its own says so itself. */
export function whyTakenBack(
  { kind, actor }: Pick<RollbackCall, 'kind' | 'actor'>,
  reason: string,
  blame: Blamed,
): string {
  if (blame === 'none') return reason;
  const words = reason === '' ? '' : `: ${reason}`;
  return kind === 'rollback' ? `asked for by ${actor.id}${words}` : `it made things worse${words}`;
}

/** A trial that brought nothing. */
export function isVain({ trial }: Pick<ProposalContent, 'trial'>, blame: Blamed): boolean {
  return trial !== undefined && blame === 'none';
}
