/**
 * What people do to proposals: decide, and request a rollback. The loop continues from there. Releasing
 * and settling are in `release.ts` and `settle.ts`.
 */

import { type Decision, decide } from '../approve/index.ts';
import { makeArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime, type Json } from '../base/index.ts';
import { type Actor, isSameTarget, type Target, targetWords } from '../facts/index.ts';
import { channelsOf, type Notice, noticeEffects } from '../notify/index.ts';
import { letPassWords, Switches } from '../policy/index.ts';
import { AT_THE_TARGET, type Dossier, type ProposalStep, readDossier } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Plan, Write } from '../store/index.ts';
import { tellStep } from './adapters/notify.ts';
import { targetOf } from './adapters/target.ts';
import { aboutProposal } from './approvals.ts';
import { planJudged } from './gates.ts';
import { asFarAsItGoes } from './incomplete.ts';
import { Moments, TIER_SETTINGS } from './moment.ts';
import { withPage } from './pages.ts';
import { followAfter, type ProposalData, saidOf, spawnedWorks } from './proposal-work.ts';
import { refusalText } from './refusal-text.ts';
import { type Sign, signedStep } from './signatures.ts';
import { kindAfter } from './table.ts';
import type { LoopPorts } from './types.ts';
import { changeWork, readWork, unchanged, workId } from './works.ts';

/** Who acts, and the policies that allow it; these are kept with what they say. */
export interface ByHandOptions {
  readonly actor: Actor;
  readonly ports: LoopPorts;
  readonly allowedBy?: readonly string[];
}

export type ByHand =
  | { readonly done: true; readonly did: string; readonly dossier: Dossier }
  | { readonly done: false; readonly why: string };

/** A worker that takes the proposal at the same moment changes its unit of work, and nothing else. */
const TRIES_MAX = 5;

export async function decideByHand(
  id: string,
  decision: Decision & { readonly sign?: Sign },
  options: ByHandOptions,
): Promise<ByHand> {
  const { ports } = options;
  const { sign } = decision;
  const actor: Actor =
    sign === undefined ? options.actor : { ...options.actor, verified: 'signature' };
  const dossier = await readDossier(ports.store, id);
  if (actor.kind !== 'human') {
    return { done: false, why: 'Only a person may decide, never an agent.' };
  }
  const target = await targetOf(ports);
  const elsewhere =
    decision.verdict === 'approved' ? await askedElsewhere(dossier, target, ports) : undefined;
  if (elsewhere !== undefined) return { done: false, why: elsewhere };
  const decided = decide(dossier, decision, { ...TIER_SETTINGS, actor, target });
  if ('refused' in decided) return { done: false, why: decided.refused };
  const asked = decidesNothing(dossier, decision, options);
  if (asked !== undefined) return asked.commit(decided.step);
  if (sign === undefined) return commitByHand(dossier, decided.step, options);
  const signed = await signedStep(dossier, decided.step, { actor, sign, ports });
  if ('refused' in signed) return { done: false, why: signed.refused };
  return commitByHand(dossier, signed.step, { ...options, actor, isSignatureValid: true });
}

/** A request for changes, or for a higher tier: only while a decision is awaited or before it is acted on. */
function decidesNothing(
  dossier: Dossier,
  { verdict, reason }: Decision,
  options: ByHandOptions,
): { commit(step: ProposalStep): Promise<ByHand> } | undefined {
  if (verdict === 'approved' || verdict === 'rejected') return undefined;
  const { id, state, version } = dossier.proposal;
  if (state !== 'pending' && state !== 'approved') {
    const why = `It is ${state}: no decision about it is awaited.`;
    return { commit: async () => ({ done: false, why }) };
  }
  const { actor, ports } = options;
  const { title, severity } = dossier.content;
  const words = recordedText(reason);
  const isEscalated = verdict === 'escalated';
  const notice: Notice = {
    key: `approve/${id}/${version}/${verdict}`,
    step: 'approve',
    to: isEscalated ? 'operator' : 'approver',
    severity: isEscalated ? 'critical' : severity,
    title: `${isEscalated ? 'Escalated' : 'Changes requested'}: ${title}`,
    text: `${actor.id}: ${words}\nLook: hone proposals show ${id}`,
  };
  const effects = noticeEffects(notice, channelsOf(ports.config.notify));
  return { commit: (step) => commitByHand(dossier, { ...step, effects }, options) };
}

/**
 * Whoever approves was shown where the change goes: a command that was copied before the target was reconfigured
 * does not count for the new target. The proposal is due now, and its step asks again.
 */
async function askedElsewhere(
  { proposal }: Dossier,
  now: Target,
  { store }: LoopPorts,
): Promise<string | undefined> {
  const work = await readWork(store, workId('proposal', proposal.id));
  const { askedFor } = (work?.data ?? {}) as ProposalData;
  if (work === undefined || askedFor === undefined || proposal.state !== 'pending')
    return undefined;
  if (isSameTarget(askedFor, now)) return undefined;
  const nowMs = await store.nowMs();
  await store.commit({
    expect: [unchanged(work)],
    writes: [changeWork(work, { dueAtMs: nowMs }, nowMs)],
  });
  await store.notify('loop');
  return `The decision was asked for ${targetWords(askedFor)}, and ${targetWords(now)} is configured now. It is validated again for that, and you are asked again: look at it then, and decide.`;
}

/** Calls for a rollback, recorded with who and why; the loop takes the change back at once. */
export async function callBack(
  id: string,
  reason: string,
  options: ByHandOptions,
): Promise<ByHand> {
  const { actor, ports } = options;
  const dossier = await readDossier(ports.store, id);
  const { state } = dossier.proposal;
  if (actor.kind !== 'human') return { done: false, why: 'Only a person may take a change back.' };
  if (!AT_THE_TARGET.includes(state)) {
    const instead = state === 'approved' ? ` hone reject ${id} keeps it from being deployed.` : '';
    return { done: false, why: `It is ${state}: it is not deployed.${instead}` };
  }
  const why = recordedText(reason);
  const report = {
    requestedBy: actor.id,
    reason: why,
    at: isoTime(await ports.store.nowMs()),
  };
  const step: ProposalStep = {
    did: `rollback requested by ${actor.id}: ${why}`,
    attestations: [
      {
        kind: 'rollback',
        verdict: 'requested',
        actor,
        files: [makeArtifact(canonicalJson(report), 'application/json')],
      },
    ],
  };
  return commitByHand(dossier, step, { ...options, evenHeld: true });
}

/**
 * While the accepted configuration is not in effect, no decision is recorded: anybody may have written the
 * configuration at hand, which says what a decision needs. Only rollbacks can be requested (`evenHeld`).
 */
export async function commitByHand(
  dossier: Dossier,
  given: ProposalStep,
  options: ByHandOptions & {
    learnAgain?: boolean;
    evenHeld?: boolean;
    isSignatureValid?: boolean;
  },
): Promise<ByHand> {
  const { actor, ports, learnAgain = false, evenHeld = false } = options;
  const { isSignatureValid = false } = options;
  const { store, newId, killSwitch } = ports;
  if (killSwitch.held !== undefined && !evenHeld) {
    return { done: false, why: `No decision is recorded now. ${killSwitch.held}` };
  }
  const moment = await new Moments(ports).now();
  const { nowMs } = moment;
  const gate = { ...moment.gate, ...(await aboutProposal(dossier, moment)), isSignatureValid };
  const allowed = withPolicies(given, options.allowedBy ?? []);
  const step = asFarAsItGoes(dossier, allowed, { actor, gate, nowMs });
  const identity = await new Switches(ports.store, ports.config.switches).read('identity');
  const planned = planJudged(dossier, step, { actor, gate, identity, nowMs, newId });
  if ('refused' in planned) return { done: false, why: refusalText(planned.refused) };
  const news = tellStep(dossier, step, { config: ports.config, nowMs });
  const plan = withNews(withPage(planned.plan, dossier, step, news.effects), news.writes);
  const { id } = dossier.proposal;
  for (let tries = 1; ; tries++) {
    const acted = { dossier, step, actor, nowMs, learnAgain };
    const result = await store.commit(await withWork(plan, acted, ports));
    if (result.committed) break;
    if (result.refused.name !== 'work' || tries >= TRIES_MAX) {
      return { done: false, why: refusalText({ why: 'changed' }) };
    }
  }
  await store.notify('loop');
  const { letPass } = planned;
  const did = letPass === undefined ? step.did : `${step.did}. ${letPassWords(letPass)}`;
  return { done: true, did, dossier: await readDossier(store, id) };
}

/** Months later it is known by which rules they could. */
export const policiesFile = (allowedBy: readonly string[]) =>
  makeArtifact(canonicalJson({ allowedBy: [...allowedBy] }), 'application/json');

function withPolicies(step: ProposalStep, allowedBy: readonly string[]): ProposalStep {
  const { attestations } = step;
  if (attestations === undefined || allowedBy.length === 0) return step;
  const file = policiesFile(allowedBy);
  return {
    ...step,
    attestations: attestations.map((one) => ({ ...one, files: [...(one.files ?? []), file] })),
  };
}

function withNews(plan: Plan, writes: readonly Write[]): Plan {
  return { ...plan, writes: [...(plan.writes ?? []), ...writes] };
}

interface Acted {
  readonly dossier: Dossier;
  readonly step: ProposalStep;
  readonly actor: Actor;
  readonly nowMs: number;
  readonly learnAgain: boolean;
}

/** The proposal is due now; the sentence of this move is what Hone learns from it. */
async function withWork(
  plan: Plan,
  { dossier, step, actor, nowMs, learnAgain }: Acted,
  { store, config }: LoopPorts,
): Promise<Plan> {
  const work = await readWork(store, workId('proposal', dossier.proposal.id));
  if (work === undefined) return plan;
  const { waiting: _, learnt: before, follow: followed, ...rest } = work.data as ProposalData;
  const learnt = learnAgain ? undefined : before;
  const follow = followAfter(step, { before: followed, config });
  const data = {
    ...rest,
    ...(learnt === undefined ? {} : { learnt }),
    ...(follow === undefined ? {} : { follow }),
  };
  const isSaid = learnAgain || step.to !== undefined;
  const said = isSaid ? { ...data, said: saidOf(step.did) } : data;
  const next = kindAfter(dossier, step, { actor, learnt, follow });
  const set = { dueAtMs: nowMs, step: next, data: said as Json };
  return {
    ...plan,
    expect: [...(plan.expect ?? []), unchanged(work)],
    writes: [...(plan.writes ?? []), ...spawnedWorks(step, nowMs), changeWork(work, set, nowMs)],
  };
}
