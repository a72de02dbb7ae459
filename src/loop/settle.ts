/**
 * What a person says about a change that Hone could not take back: that it stays, or that they took it
 * back themselves. Recorded with who and why; Hone then leaves it alone. Both need proof of identity, unless the branch itself shows
 * that the change is gone.
 *
 *   monitoring ──kept──► implemented (remembered as failed, or doubtful) · implemented ──kept──► stays
 *   any of them ──reverted──► reverted
 */
import { makeArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime } from '../base/index.ts';
import {
  type Deployment,
  deployedBy,
  readDeployment,
  recordReverted,
  undo,
} from '../deploy/index.ts';
import type { Actor } from '../facts/index.ts';
import { type Dossier, type ProposalStep, readDossier } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { forgeNamed } from './adapters/target.ts';
import { type ByHand, type ByHandOptions, commitByHand } from './by-hand.ts';
import { missingProof } from './missing-proof.ts';
import { isStuck } from './stuck.ts';
import type { LoopPorts } from './types.ts';

export type Settlement = 'kept' | 'reverted';

export async function settleByHand(
  id: string,
  { settlement, reason }: { settlement: Settlement; reason: string },
  options: ByHandOptions,
): Promise<ByHand> {
  const { actor, ports } = options;
  const dossier = await readDossier(ports.store, id);
  const why = await whyNot(dossier, settlement, options);
  if (why !== undefined) return { done: false, why };
  const said = recordedText(reason);
  const step =
    settlement === 'kept'
      ? await keptStep(dossier, said, { actor, ports })
      : await revertedStep(dossier, said, { actor, ports });
  // A change that was remembered as a proven fix is not one: the memory is corrected.
  return commitByHand(dossier, step, { ...options, learnAgain: true });
}

async function whyNot(
  dossier: Dossier,
  settlement: Settlement,
  { actor, ports }: { actor: Actor; ports: LoopPorts },
): Promise<string | undefined> {
  const { state, id } = dossier.proposal;
  if (actor.kind !== 'human') return 'Only a person may settle this, never an agent.';
  if (!isStuck(dossier)) {
    return `It is ${state}, and no rollback of it failed: there is nothing to settle.`;
  }
  if (settlement === 'kept' && state !== 'monitoring' && state !== 'implemented') {
    return `It is ${state}: it was never recorded as deployed, so it cannot be kept. Take it back on the branch, then "hone settle ${id} --reverted".`;
  }
  const proof = missingProof(actor, ports);
  if (proof === undefined) return undefined;
  if (settlement === 'kept') return `Keeping what was not proven ${proof}`;
  if (await isGone(dossier, ports)) return undefined;
  return `The branch does not show that it is gone, and saying so ${proof}`;
}

/** Whether taking it back from the branch as it is now would change nothing. */
async function isGone(dossier: Dossier, ports: LoopPorts): Promise<boolean> {
  const { store, repository } = ports;
  const deployment = await readDeployment(store, dossier.proposal.id);
  const head = deployment && (await headAt(dossier, deployment, ports));
  if (deployment === undefined || head === undefined) return false;
  const without = await undo(deployment, head, repository);
  return without.ok && without.tree === (await repository.commitInfo(head)).tree;
}

/** Where its branch is at the forge that it was deployed by. */
function headAt(dossier: Dossier, deployment: Deployment, ports: LoopPorts) {
  const openForge = (name: string, place?: string) => forgeNamed(ports, name, place);
  return deployedBy(dossier, deployment, { openForge }).resolve(deployment.branch);
}

async function keptStep(
  dossier: Dossier,
  reason: string,
  { actor, ports }: { actor: Actor; ports: LoopPorts },
): Promise<ProposalStep> {
  const { state } = dossier.proposal;
  const file = await settlementFile({ settlement: 'kept', reason }, { actor, ports });
  return {
    did: `kept by ${actor.id}, although it was to be taken back: ${reason}`,
    attestations: [{ kind: 'rollback', verdict: 'waived', actor, files: [file] }],
    ...(state === 'monitoring' ? { to: 'implemented' } : {}),
  };
}

async function revertedStep(
  dossier: Dossier,
  reason: string,
  { actor, ports }: { actor: Actor; ports: LoopPorts },
): Promise<ProposalStep> {
  const { store } = ports;
  const deployment = await readDeployment(store, dossier.proposal.id);
  const head = deployment && (await headAt(dossier, deployment, ports));
  const about = { settlement: 'reverted', reason, branchAt: head ?? null } as const;
  const file = await settlementFile(about, { actor, ports });
  const recorded =
    deployment &&
    recordReverted(
      deployment,
      { from: deployment.commit, to: head ?? deployment.baseCommit },
      await store.nowMs(),
    );
  return {
    did: `taken back by hand, says ${actor.id}: ${reason}`,
    attestations: [{ kind: 'rollback', verdict: 'done', actor, files: [file] }],
    to: 'reverted',
    writes: recorded?.writes ?? [],
    entries: (recorded?.entries ?? []).map((entry) => ({ ...entry, actor })),
  };
}

async function settlementFile(
  about: { settlement: Settlement; reason: string; branchAt?: string | null },
  { actor, ports }: { actor: Actor; ports: LoopPorts },
) {
  const report = { ...about, settledBy: actor.id, at: isoTime(await ports.store.nowMs()) };
  return makeArtifact(canonicalJson(report), 'application/json');
}
