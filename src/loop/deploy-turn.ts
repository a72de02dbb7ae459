/**
 * One change at a time: while another is being deployed or in its fast watch, nothing is deployed, so that
 * harm has one suspect. Whatever agents they touch: that two changes have nothing to do with each other is
 * known only afterwards. Taking back never waits here.
 */
import { Leases, releaseWrite } from '../lease/index.ts';
import { readWatch } from '../monitor/index.ts';
import { type Dossier, listProposals, type ProposalStep } from '../proposal/index.ts';
import type { Rooms } from './rooms.ts';

/** Also before the fast watch is over: the other may be taken back. */
const LOOK_AGAIN_MS = 60_000;
const LOOK_AGAIN_SOON_MS = 5_000;
const OTHERS_MAX = 1000;

export interface Turn {
  /** The step with the end of the turn in it: whoever lost the turn meanwhile commits nothing. */
  step(prepared: ProposalStep): ProposalStep;
  giveUp(): Promise<void>;
}

/** A lease keeps two workers from beginning two deployments at the same moment. */
export async function takeTurn(
  { proposal }: Dossier,
  rooms: Rooms,
): Promise<Turn | { readonly wait: ProposalStep }> {
  const { store, config, nowMs } = rooms;
  const leases = new Leases(store);
  const got = await leases.acquire('loop/deploy', proposal.id, config.lease.ttl);
  if (!got.acquired) {
    const did = `It waits: ${got.holder ?? 'another change'} is just being prepared.`;
    return { wait: { did, dueAtMs: nowMs + LOOK_AGAIN_SOON_MS } };
  }
  const { lease } = got;
  const did = await reasonToWait(proposal.id, rooms);
  if (did === undefined) {
    return {
      giveUp: () => leases.release(lease),
      step: (prepared) => ({
        ...prepared,
        expect: [...(prepared.expect ?? []), lease.fence],
        writes: [...(prepared.writes ?? []), releaseWrite(lease)],
      }),
    };
  }
  await leases.release(lease);
  return { wait: { did, dueAtMs: nowMs + LOOK_AGAIN_MS } };
}

async function reasonToWait(
  id: string,
  { store, nowMs }: Pick<Rooms, 'store' | 'nowMs'>,
): Promise<string | undefined> {
  const states = ['deploying', 'monitoring'] as const;
  for (const other of await listProposals(store, { states, limit: OTHERS_MAX })) {
    if (other.id === id) continue;
    const name = `"${other.title}" (${other.id})`;
    if (other.state === 'deploying') return `It waits: ${name} is being deployed.`;
    const watch = await readWatch(store, other.id);
    if (watch === undefined || nowMs < watch.fastUntilMs)
      return `It waits: ${name} was just deployed and is watched closely, so that harm has one suspect.`;
  }
  return undefined;
}
