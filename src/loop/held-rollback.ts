/**
 * A rollback that does not succeed within `deploy.rollbackTimeout` of its call, whatever the reason: the harm
 * remains, so it is attested as failed and an operator is notified, once per call. Hone keeps trying. From then on
 * it counts as stuck, like one that conflicts: a person is reminded of it and can settle it.
 */
import { makeArtifact } from '../artifact/index.ts';
import { canonicalJson } from '../base/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { channelsOf, noticeEffects } from '../notify/index.ts';
import {
  AT_THE_TARGET,
  type Dossier,
  isCalledBack,
  type ProposalStep,
  planStep,
  type RollbackCall,
  readAttestations,
  readDossier,
  readProposal,
  rollbackCall,
} from '../proposal/index.ts';
import type { Plan } from '../store/index.ts';
import { tellStep } from './adapters/notify.ts';
import { gateSettings } from './moment.ts';
import { withPage } from './pages.ts';
import type { LoopPorts, Work } from './types.ts';

/** A proposal that cannot be read has no attestation, so no reminder either. */
const TELL_AGAIN_MS = 3_600_000;

type Called = Pick<Dossier, 'proposal' | 'attestations'>;

/** The call that was not answered in time; undefined when there is none, or it was attested already. */
function overdueCall(
  { proposal, attestations }: Called,
  { nowMs, timeoutMs }: { nowMs: number; timeoutMs: number },
): RollbackCall | undefined {
  if (!AT_THE_TARGET.includes(proposal.state)) return undefined;
  if (!isCalledBack(attestations, proposal.digest)) return undefined;
  const call = rollbackCall(attestations, proposal.digest)!;
  const since = attestations.slice(attestations.indexOf(call) + 1);
  const isAttested = since.some(({ kind, verdict }) => kind === 'rollback' && verdict === 'failed');
  return isAttested || nowMs - call.atMs <= timeoutMs ? undefined : call;
}

/** What is added to an unsuccessful attempt; undefined while there is time left. */
export function heldStep(
  dossier: Dossier,
  why: string,
  limits: { nowMs: number; timeoutMs: number },
): Pick<ProposalStep, 'did' | 'attestations'> | undefined {
  if (overdueCall(dossier, limits) === undefined) return undefined;
  const file = makeArtifact(canonicalJson({ why }), 'application/json');
  return {
    did: heldWords(dossier.proposal.id, why, limits.timeoutMs),
    attestations: [{ kind: 'rollback', verdict: 'failed', files: [file] }],
  };
}

function heldWords(id: string, why: string, timeoutMs: number): string {
  const advice = `It is tried again. Look at what blocks it on the branch: hone proposals show ${id}. If a person took it back or it may stay: hone settle ${id}`;
  return `It was not taken back within ${Math.round(timeoutMs / 1000)} s of the call: ${why.replace(/[.\s]+$/, '')}. ${advice}`;
}

/** What is committed with a failed rollback step. */
export async function heldPlan(
  work: Work,
  why: string,
  { ports, nowMs }: { ports: LoopPorts; nowMs: number },
): Promise<Plan> {
  if (work.kind !== 'proposal') return {};
  const { store, config, newId } = ports;
  const proposal = await readProposal(store, work.subject);
  const called = { proposal, attestations: await readAttestations(store, work.subject) };
  const limits = { nowMs, timeoutMs: config.deploy.rollbackTimeout };
  const call = overdueCall(called, limits);
  if (call === undefined) return {};
  const dossier = await readDossier(store, work.subject).catch(() => undefined);
  const step = dossier && heldStep(dossier, why, limits);
  if (dossier === undefined || step === undefined) {
    const times = Math.floor((nowMs - call.atMs) / TELL_AGAIN_MS);
    const notice = {
      key: `rollback/held/${call.id}/${times}`,
      to: 'operator',
      severity: 'critical',
      title: `NOT taken back; a person has to do it: ${proposal.title}`,
      text: heldWords(proposal.id, why, limits.timeoutMs),
      step: 'rollback',
    } as const;
    return { effects: noticeEffects(notice, channelsOf(config.notify)) };
  }
  const context = { actor: SYSTEM, gate: await gateSettings(ports), nowMs, newId };
  const planned = planStep(dossier, step, context);
  if ('refused' in planned) return {};
  const news = tellStep(dossier, step, { config: ports.config, nowMs });
  const plan = withPage(planned.plan, dossier, step, news.effects);
  return { ...plan, writes: [...(plan.writes ?? []), ...news.writes] };
}
