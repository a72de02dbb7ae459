/**
 * What people do to a proposal that is not at the target yet, beside deciding: hold it where it is and let it go on,
 * or give it up. Its steps stop at once: a worker that is at one of them cannot commit it.
 */
import { makeArtifact } from '../artifact/index.ts';
import { canonicalJson } from '../base/index.ts';
import type { Actor } from '../facts/index.ts';
import {
  BEFORE_DEPLOYMENT,
  type Dossier,
  isPaused,
  type ProposalStep,
  readDossier,
} from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { type ByHand, type ByHandOptions, commitByHand } from './by-hand.ts';

export type SettingAside = 'pause' | 'resume' | 'abort';

export async function setAsideByHand(
  id: string,
  { act, reason }: { readonly act: SettingAside; readonly reason: string },
  options: ByHandOptions,
): Promise<ByHand> {
  const dossier = await readDossier(options.ports.store, id);
  const why = whyNot(dossier, act, options.actor);
  if (why !== undefined) return { done: false, why };
  return commitByHand(dossier, stepOf(act, recordedText(reason), options.actor), options);
}

function whyNot(
  { proposal, attestations }: Dossier,
  act: SettingAside,
  actor: Actor,
): string | undefined {
  const { id, state } = proposal;
  if (actor.kind !== 'human') return `Only a person may ${act} a proposal, never an agent.`;
  if (!BEFORE_DEPLOYMENT.includes(state)) {
    return `It is ${state}: only what is not at the target yet can be set aside. "hone rollback ${id}" takes a deployed change back.`;
  }
  const paused = isPaused(attestations);
  if (act === 'pause' && paused) return 'It is paused already.';
  if (act === 'resume' && !paused) return 'It is not paused.';
  return undefined;
}

function stepOf(act: SettingAside, reason: string, actor: Actor): ProposalStep {
  const file = makeArtifact(canonicalJson({ reason }), 'application/json');
  if (act === 'abort') return { did: `given up by ${actor.id}: ${reason}`, to: 'aborted' };
  const verdict = act === 'pause' ? 'paused' : 'resumed';
  return {
    did: `${verdict} by ${actor.id}: ${reason}`,
    attestations: [{ kind: 'hold', verdict, actor, files: [file] }],
  };
}
