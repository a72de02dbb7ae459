/** The ports that learning needs. */
import { wasOvertaken } from '../../deploy/index.ts';
import type { Excuse } from '../../learn/index.ts';
import { blameOf } from '../../monitor/index.ts';
import type { Dossier } from '../../proposal/index.ts';
import type { Store } from '../../store/index.ts';

/** Why a change that was taken back is not to blame; undefined if it is to blame, or was not taken back. */
export async function excuseOf(store: Store, dossier: Dossier): Promise<Excuse | undefined> {
  const { state } = dossier.proposal;
  if (state === 'reverted' && (await blameOf(dossier, store)) === 'doubt') return 'doubt';
  return state === 'aborted' && (await wasOvertaken(dossier, store)) ? 'overtaken' : undefined;
}
