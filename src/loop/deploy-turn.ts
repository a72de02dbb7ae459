/**
 * One change at a time where they may do harm at the same place: while another is being deployed, or is in its fast watch
 * and shares an agent or a tool, nothing is deployed, so that harm there has only one possible cause. Changes that share
 * nothing are told apart by where harm is. Rollbacks never wait here.
 */
import { type Lease, Leases, releaseWrite } from '../lease/index.ts';
import {
  footingFor,
  footingIn,
  isOverlapping,
  readBaseline,
  readWatch,
  type Watch,
} from '../monitor/index.ts';
import { type Dossier, listProposals, type ProposalStep } from '../proposal/index.ts';
import { monitorPorts } from './adapters/monitor.ts';
import type { Moment } from './moment.ts';
import { whileRenewed } from './renewal.ts';

/** Even before the fast watch is over: the other change may be taken back. */
const LOOK_AGAIN_MS = 60_000;
const LOOK_AGAIN_SOON_MS = 5_000;
const OTHERS_MAX = 1000;

export interface Turn {
  /** Keeps the turn while the work runs; work that fails releases it. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** The step, ending the turn in the same commit: a worker that has lost the turn commits nothing. */
  step(prepared: ProposalStep): ProposalStep;
  giveUp(): Promise<void>;
}

/**
 * A lease keeps two workers from beginning two deployments at the same moment. One that this proposal left
 * behind, such as when a gate refused its step, is still its own: the claim on its unit admits only one worker.
 */
export async function takeTurn(
  dossier: Dossier,
  moment: Moment,
): Promise<Turn | { readonly wait: ProposalStep }> {
  const { proposal } = dossier;
  const { store, config, nowMs } = moment;
  const leases = new Leases(store);
  const got = await leases.reacquire('loop/deploy', proposal.id, config.lease.ttl);
  if (!got.acquired) {
    const did = `It waits: ${got.holder ?? 'another change'} is being prepared.`;
    return { wait: { did, dueAtMs: nowMs + LOOK_AGAIN_SOON_MS } };
  }
  const turn = turnOf(got.lease, leases, moment);
  const did = await reasonToWait(dossier, moment);
  if (did === undefined) return turn;
  await turn.giveUp();
  return { wait: { did, dueAtMs: nowMs + LOOK_AGAIN_MS } };
}

function turnOf(lease: Lease, leases: Leases, { config, clock, log }: Moment): Turn {
  const giveUp = () => leases.release(lease);
  const renew = async (ttlMs: number) => (await leases.renew(lease, ttlMs)) !== undefined;
  const renewal = { name: lease.name, renew, ttlMs: config.lease.ttl, clock, log };
  return {
    giveUp,
    during: async (work) => {
      try {
        return await whileRenewed(renewal, work);
      } catch (error) {
        // The failure is reported even if the store is unreachable; the turn then expires.
        await giveUp().catch(() => {});
        throw error;
      }
    },
    step: (prepared) => ({
      ...prepared,
      expect: [...(prepared.expect ?? []), lease.fence],
      writes: [...(prepared.writes ?? []), releaseWrite(lease)],
    }),
  };
}

async function reasonToWait(dossier: Dossier, moment: Moment): Promise<string | undefined> {
  const { store, nowMs } = moment;
  const states = ['deploying', 'monitoring'] as const;
  for (const other of await listProposals(store, { states, limit: OTHERS_MAX })) {
    if (other.id === dossier.proposal.id) continue;
    const name = `"${other.title}" (${other.id})`;
    if (other.state === 'deploying') return `It waits: ${name} is being deployed.`;
    const watch = await readWatch(store, other.id);
    if (watch !== undefined && nowMs >= watch.fastUntilMs) continue;
    if (watch === undefined || (await mayMeet(dossier, watch, moment)))
      return `It waits: ${name} was just deployed and is watched closely, so that harm has only one possible cause.`;
  }
  return undefined;
}

/** Whether harm of both may be at the same place; where that cannot be known, it may. */
async function mayMeet(dossier: Dossier, watch: Watch, moment: Moment): Promise<boolean> {
  const { store, nowMs, config } = moment;
  const baseline = await readBaseline(store, watch.baselineDigest).catch(() => undefined);
  if (baseline === undefined) return true;
  const window = { fromMs: nowMs - config.monitor.baseline, toMs: nowMs };
  const own = await footingFor(dossier, window, monitorPorts(moment));
  return isOverlapping(own, footingIn(baseline));
}
