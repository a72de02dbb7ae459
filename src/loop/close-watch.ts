/**
 * A person ends the watch of a change, with a reason on record: somebody knows more than telemetry says, or will never say.
 *
 *   monitoring ──closed──► implemented, remembered as not judged, without a probation
 *   implemented, on probation ──closed──► implemented, its probation over, and a proposed rollback with it
 *
 * A change that is to be taken back is not closed but settled (`settle.ts`). `hone rollback` works afterwards as before.
 */
import { makeArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime } from '../base/index.ts';
import { readProbation, recordEnded } from '../monitor/index.ts';
import { type Dossier, isCalledBack, type ProposalStep, readDossier } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { type ByHand, type ByHandOptions, commitByHand } from './by-hand.ts';
import { missingProof } from './missing-proof.ts';

export async function closeWatch(
  id: string,
  reason: string,
  options: ByHandOptions,
): Promise<ByHand> {
  const { actor, ports } = options;
  const dossier = await readDossier(ports.store, id);
  if (actor.kind !== 'human') return { done: false, why: 'Only a person may end a watch.' };
  const step = await closingStep(dossier, recordedText(reason), options);
  if ('why' in step) return { done: false, why: step.why };
  const proof = missingProof(actor, ports);
  if (proof !== undefined) return { done: false, why: `Ending a watch ${proof}` };
  return commitByHand(dossier, step, options);
}

async function closingStep(
  { proposal, attestations }: Dossier,
  reason: string,
  { actor, ports: { store } }: ByHandOptions,
): Promise<ProposalStep | { readonly why: string }> {
  const { id, state, digest } = proposal;
  if (isCalledBack(attestations, digest))
    return { why: 'It is to be taken back: its watch has its verdict.' };
  const nowMs = await store.nowMs();
  const did = `its watch was ended by ${actor.id}: ${reason}`;
  if (state === 'monitoring') {
    const report = { verdict: 'closed', reason, closedBy: actor.id, at: isoTime(nowMs) };
    const file = makeArtifact(canonicalJson(report), 'application/json');
    return {
      did,
      attestations: [{ kind: 'monitoring', verdict: 'closed', actor, files: [file] }],
      to: 'implemented',
    };
  }
  const probation = state === 'implemented' ? await readProbation(store, id) : undefined;
  if (probation === undefined || probation.endedAtMs !== null)
    return { why: `It is ${state}, and it is not watched: there is nothing to end.` };
  return { did, ...recordEnded(id, did, nowMs, actor) };
}
