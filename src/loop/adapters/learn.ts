/** What learning asks for. */
import { wasOvertaken } from '../../deploy/index.ts';
import type { Excuse } from '../../learn/index.ts';
import { blameOf } from '../../monitor/index.ts';
import type { Dossier } from '../../proposal/index.ts';
import type { Store } from '../../store/index.ts';

/** Why a change that did not stay is not to blame for it; undefined when it is, or stayed. */
export async function excuseOf(store: Store, dossier: Dossier): Promise<Excuse | undefined> {
  const { state } = dossier.proposal;
  if (state === 'reverted' && (await blameOf(dossier, store)) === 'doubt') return 'doubt';
  return state === 'aborted' && (await wasOvertaken(dossier, store)) ? 'overtaken' : undefined;
}
