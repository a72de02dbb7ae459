/** What people do to proposals: decide, and call a change back. The loop goes on from there. */

import { type Decision, decide } from '../approve/index.ts';
import { makeArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime } from '../base/index.ts';
import type { Actor, ProposalState } from '../facts/index.ts';
import { type Dossier, type ProposalStep, planStep, readDossier } from '../proposal/index.ts';
import { withPage } from './proposal-work.ts';
import { refusalText } from './refusal-text.ts';
import { RoomMaker } from './rooms.ts';
import type { LoopPorts } from './types.ts';
import { wakeWork } from './works.ts';

export type ByHand =
  | { readonly done: true; readonly did: string; readonly dossier: Dossier }
  | { readonly done: false; readonly why: string };

const AT_THE_TARGET: readonly ProposalState[] = [
  'deploying',
  'pr_open',
  'monitoring',
  'implemented',
];

export async function decideByHand(
  id: string,
  decision: Decision,
  options: { actor: Actor; ports: LoopPorts },
): Promise<ByHand> {
  const { actor, ports } = options;
  const dossier = await readDossier(ports.store, id);
  const automaticTiers = ports.config.approve.automatic;
  const decided = decide(dossier, decision, { actor, automaticTiers });
  if ('refused' in decided) return { done: false, why: decided.refused };
  return commitByHand(dossier, decided.step, options);
}

/** Calls for a rollback, recorded with who and why; the loop takes the change back at once. */
export async function callBack(
  id: string,
  reason: string,
  options: { actor: Actor; ports: LoopPorts },
): Promise<ByHand> {
  const { actor, ports } = options;
  const dossier = await readDossier(ports.store, id);
  const { state } = dossier.proposal;
  if (actor.kind !== 'human') return { done: false, why: 'Only a person calls a change back.' };
  if (!AT_THE_TARGET.includes(state)) {
    return { done: false, why: `It is ${state}: nothing of it is at the target.` };
  }
  const report = {
    calledBackBy: actor.id,
    reason,
    at: isoTime(await ports.store.nowMs()),
  };
  const step: ProposalStep = {
    did: `called back by ${actor.id}: ${reason}`,
    attestations: [
      {
        kind: 'monitoring',
        verdict: 'degraded',
        actor,
        files: [makeArtifact(canonicalJson(report), 'application/json')],
      },
    ],
  };
  return commitByHand(dossier, step, options);
}

async function commitByHand(
  dossier: Dossier,
  step: ProposalStep,
  { actor, ports }: { actor: Actor; ports: LoopPorts },
): Promise<ByHand> {
  const { store, newId } = ports;
  const nowMs = await store.nowMs();
  const gate = await new RoomMaker(ports).gate();
  const planned = planStep(dossier, step, { actor, gate, nowMs, newId });
  if ('refused' in planned) return { done: false, why: refusalText(planned.refused) };
  const plan = withPage(planned.plan, dossier, step, []);
  const { id } = dossier.proposal;
  const result = await store.commit({
    ...plan,
    writes: [...(plan.writes ?? []), wakeWork('proposal', id, nowMs)],
  });
  if (!result.committed) return { done: false, why: refusalText({ why: 'changed' }) };
  await store.notify('loop');
  return { done: true, did: step.did, dossier: await readDossier(store, id) };
}
