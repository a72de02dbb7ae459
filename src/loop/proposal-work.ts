/**
 * One step of one proposal: asks the room that the table names, and turns its answer into one plan.
 * Slow work (git, replay) happens here, outside any transaction; the plan is committed by `loop.ts`.
 */
import { ask as askFor, awaitDecision } from '../approve/index.ts';
import { apply, branchName, prepare, readDeployment, revertStep } from '../deploy/index.ts';
import {
  isSameTarget,
  type ProposalState,
  type StepKind,
  SYSTEM,
  type Target,
} from '../facts/index.ts';
import { recordFix } from '../learn/index.ts';
import { watch } from '../monitor/index.ts';
import { letPassWords } from '../policy/index.ts';
import {
  type Dossier,
  type ProposalStep,
  planAmend,
  planCreate,
  type Refusal,
  readSaid,
  rollbackCall,
} from '../proposal/index.ts';
import { mask } from '../sanitise/index.ts';
import type { Plan } from '../store/index.ts';
import { begin, validate } from '../validate/index.ts';
import { vet } from '../vet/index.ts';
import { approvePorts } from './adapters/approve.ts';
import { deployPorts } from './adapters/deploy.ts';
import { excuseOf } from './adapters/learn.ts';
import { monitorPorts } from './adapters/monitor.ts';
import { tellStep } from './adapters/notify.ts';
import { validatePorts } from './adapters/validate.ts';
import { vetPorts } from './adapters/vet.ts';
import { askAgain, beforeMove, beforePrepare, validateAgain } from './before-deploy.ts';
import { takeTurn } from './deploy-turn.ts';
import { planJudged } from './gates.ts';
import { heldStep } from './held-rollback.ts';
import type { Moment } from './moment.ts';
import { movedContent } from './moved-base.ts';
import { pageEffect, withPage } from './pages.ts';
import { kindAfter, type ProposalStepName } from './table.ts';
import { newWork } from './works.ts';

export interface StepPlan {
  readonly plan: Plan;
  readonly did: string;
  readonly moved: boolean;
  /** When to look again; null: when somebody changes it. */
  readonly dueAtMs: number | null;
  /** The kind of the step that comes next. */
  readonly next: StepKind | undefined;
  readonly data: ProposalData;
}

const SAID_MAX = 1000;

/** A step's words, as they are kept. */
export function saidOf(did: string): string {
  return mask(did, { except: ['email'] })
    .text.slice(0, SAID_MAX)
    .toWellFormed();
}

/** What the loop keeps about a proposal beside its state. */
export interface ProposalData {
  /** What the last move was said with. */
  readonly said?: string;
  /** The state that was learnt from. */
  readonly learnt?: ProposalState;
  /** Why it stays where it is, while it does. */
  readonly waiting?: string;
  /** Where the change would have gone when a decision was asked for. */
  readonly askedFor?: Target;
  /** Its last step found that only a person moves it on. */
  readonly needsPerson?: boolean;
}

type Answer = ProposalStep | { readonly amend: Plan; readonly did: string };

/** A look reads on, but never so long that a rollback waits for it; the collector reads the rest. */
const EVENTS_PER_LOOK = 20_000;

/** Steps that go by what the modes of validation said. */
const NEEDS_VALIDATION: readonly ProposalStepName[] = ['ask', 'await_decision', 'prepare'];

/** What the step would do; nothing is committed yet. */
export async function proposalPlan(
  step: ProposalStepName,
  { dossier, data }: { dossier: Dossier; data: ProposalData },
  moment: Moment,
  signal: AbortSignal,
): Promise<StepPlan | { readonly refused: Refusal; readonly did: string }> {
  const proven = step === 'prepare' ? await beforePrepare(dossier, moment) : { gate: moment.gate };
  const answer =
    (NEEDS_VALIDATION.includes(step) ? validateAgain(dossier, moment.gate) : undefined) ??
    ('hold' in proven ? proven.hold : await askRoom(step, { dossier, data }, moment, signal));
  const { nowMs } = moment;
  const { id, version } = dossier.proposal;
  const { waiting: _, needsPerson: __, ...kept } = data;
  const learnt = step === 'learn' ? dossier.proposal.state : kept.learnt;
  if ('amend' in answer) {
    const effects = [pageEffect({ id, version: version + 1, state: 'draft' })];
    return {
      plan: { ...answer.amend, effects },
      did: answer.did,
      dueAtMs: nowMs,
      moved: true,
      next: 'vet',
      data: kept,
    };
  }
  const planned = planJudged(dossier, answer, {
    actor: SYSTEM,
    gate: 'hold' in proven ? moment.gate : proven.gate,
    identity: await moment.switches.read('identity'),
    nowMs,
    newId: moment.newId,
  });
  if ('refused' in planned) return { refused: planned.refused, did: answer.did };
  const { letPass } = planned;
  const did = letPass === undefined ? answer.did : `${answer.did} ${letPassWords(letPass)}`;
  const moved = answer.to !== undefined;
  const news = tellStep(dossier, answer, moment);
  return {
    plan: {
      ...withPage(planned.plan, dossier, answer, news.effects),
      writes: [...(planned.plan.writes ?? []), ...news.writes],
    },
    did,
    moved: moved || (answer.attestations?.length ?? 0) > 0,
    dueAtMs: answer.dueAtMs ?? (moved ? nowMs : null),
    next: kindAfter(dossier, answer, { actor: SYSTEM, learnt }),
    data: {
      ...kept,
      ...(moved ? { said: saidOf(answer.did) } : {}),
      ...(!moved && answer.dueAtMs !== undefined ? { waiting: saidOf(did) } : {}),
      ...(answer.to === 'pending' ? { askedFor: moment.gate.target } : {}),
      ...(answer.needsPerson === undefined ? {} : { needsPerson: true }),
      ...(learnt === undefined ? {} : { learnt }),
    },
  };
}

async function askRoom(
  step: ProposalStepName,
  { dossier, data }: { dossier: Dossier; data: ProposalData },
  moment: Moment,
  signal: AbortSignal,
): Promise<Answer> {
  switch (step) {
    case 'vet':
      return vet(dossier, await vetPorts(moment));
    case 'begin_validation':
      return begin(dossier);
    case 'validate':
      return validate(dossier, validatePorts(moment), signal);
    case 'ask':
      return askFor(dossier, approvePorts(moment));
    case 'await_decision':
      return data.askedFor === undefined || isSameTarget(data.askedFor, moment.gate.target)
        ? awaitDecision(dossier, approvePorts(moment))
        : askAgain('question', data.askedFor, moment.gate.target);
    case 'prepare':
      return prepareOrAmend(dossier, moment, signal);
    case 'apply':
      return applyOrAskAgain(dossier, moment, signal);
    case 'watch':
      await moment.collect(signal, EVENTS_PER_LOOK);
      signal.throwIfAborted();
      return watch(dossier, monitorPorts(moment));
    case 'revert':
      return revert(dossier, moment, signal);
    case 'learn':
      return recordFix(dossier, {
        reason: data.said ?? '',
        nowMs: moment.nowMs,
        excuse: await excuseOf(moment.store, dossier),
      });
  }
}

/** A base that moved means: applied again, validated again, decided again (DEP-1). */
async function prepareOrAmend(
  dossier: Dossier,
  moment: Moment,
  signal: AbortSignal,
): Promise<Answer> {
  const ports = deployPorts(moment, signal);
  // On a base that moved it is asked about again at once; it waits for its turn after that.
  const head = await ports.openForge(ports.forge).resolve(ports.branch);
  const isOnBase = head === dossier.content.baseCommit;
  const turn = isOnBase ? await takeTurn(dossier, moment) : undefined;
  if (turn !== undefined && 'wait' in turn) return turn.wait;
  const preparing = () => prepare(dossier, ports);
  const prepared = await (turn === undefined ? preparing() : turn.during(preparing));
  if (!('moved' in prepared)) return turn === undefined ? prepared : turn.step(prepared);
  await turn?.giveUp();
  const { head: onto, applies } = prepared.moved;
  if (!applies) {
    return {
      did: 'the target moved on and the change no longer applies to it',
      to: 'superseded',
    };
  }
  const again = await movedContent(dossier, onto, moment);
  if (again === undefined) throw new Error('the patch applied a moment ago');
  const { content, diff } = again;
  const planned = planAmend(dossier.proposal, content, SYSTEM, moment.nowMs);
  if ('refused' in planned) return { did: `the target moved on: ${planned.refused.why}` };
  return {
    amend: { ...planned.plan, writes: [diff, ...(planned.plan.writes ?? [])] },
    did: `${branchName(ports.branch)} moved from ${dossier.content.baseCommit.slice(0, 12)} to ${onto.slice(0, 12)}, so the approval no longer counts: the change was applied again to the new head, to be validated and decided again`,
  };
}

/**
 * Somebody moved the branch between the backup and the move. The approved bytes cannot be deployed any more,
 * so the same change on the new head is a proposal of its own: vetted, validated and asked about at once.
 */
async function applyOrAskAgain(
  dossier: Dossier,
  moment: Moment,
  signal: AbortSignal,
): Promise<Answer> {
  const { overtakenBy, ...applied } = await apply(dossier, {
    ...deployPorts(moment, signal),
    mayMove: (place) => beforeMove(dossier, place, moment),
  });
  if (overtakenBy === undefined) return applied;
  const again = await movedContent(dossier, overtakenBy, moment);
  if (again === undefined) return applied;
  const { nowMs } = moment;
  const id = moment.newId('p');
  const created = planCreate(id, again.content, nowMs);
  return {
    ...applied,
    did: `${applied.did} The same change on the branch as it is now is proposed as ${id}.`,
    expect: [...(created.expect ?? [])],
    writes: [
      again.diff,
      ...(created.writes ?? []),
      newWork({ kind: 'proposal', subject: id, dueAtMs: nowMs, data: {}, nowMs }),
    ],
    entries: [...(created.entries ?? [])],
    effects: [pageEffect({ id, version: 1, state: 'draft' })],
  };
}

async function revert(
  dossier: Dossier,
  moment: Moment,
  signal: AbortSignal,
): Promise<ProposalStep> {
  const { attestations, proposal } = dossier;
  const call = rollbackCall(attestations, proposal.digest)!;
  const said = await readSaid(moment.store, call);
  const words = said.reason === '' ? '' : `: ${said.reason}`;
  const before = await readDeployment(moment.store, proposal.id);
  const step = await revertStep(dossier, deployPorts(moment, signal), {
    reason:
      call.kind === 'rollback'
        ? `asked for by ${call.actor.id}${words}`
        : `it made things worse${words}`,
    numbers: said.numbers,
    calledAtMs: call.atMs,
  });
  // Planned anew although it was planned before: somebody was faster, and may be every time.
  const isOvertaken = before?.revert !== undefined && step.to === undefined;
  if (!isOvertaken || step.attestations !== undefined) return step;
  const { nowMs, config } = moment;
  const why = 'the branch was moved before it could be taken back';
  return {
    ...step,
    ...heldStep(dossier, why, { nowMs, timeoutMs: config.deploy.rollbackTimeout }),
  };
}
