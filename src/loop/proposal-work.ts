/**
 * One step of one proposal: asks the room that the table names, and turns its answer into one plan.
 * Slow work (git, replay) happens here, outside any transaction; the plan is committed by `loop.ts`.
 */
import { askedTier, ask as askFor } from '../approve/index.ts';
import {
  apply,
  arrive,
  prepare,
  readDeployment,
  revertStep,
  takenBackFor,
} from '../deploy/index.ts';
import {
  type EntryPayload,
  isSameTarget,
  type ProposalState,
  type StepKind,
  SYSTEM,
  type Target,
  type Tier,
} from '../facts/index.ts';
import { recordFix } from '../learn/index.ts';
import { blameOf, lookAfter, lookAtAftermath, watch } from '../monitor/index.ts';
import { letPassWords } from '../policy/index.ts';
import {
  type Dossier,
  ENDED_BEFORE,
  type GateSettings,
  type ProposalStep,
  type Refusal,
  readSaid,
  rollbackCall,
} from '../proposal/index.ts';
import { mask } from '../sanitise/index.ts';
import type { Plan, Write } from '../store/index.ts';
import { begin, validate } from '../validate/index.ts';
import { vet } from '../vet/index.ts';
import { approvePorts } from './adapters/approve.ts';
import { arrivePorts, deployPorts } from './adapters/deploy.ts';
import { seenOf } from './adapters/learn.ts';
import { monitorPorts } from './adapters/monitor.ts';
import { tellStep } from './adapters/notify.ts';
import { awaitReview, isReviewedAt, lookOutside } from './adapters/reviews.ts';
import { validatePorts } from './adapters/validate.ts';
import { vetPorts } from './adapters/vet.ts';
import { aboutProposal } from './approvals.ts';
import { askPersonNow, withOwnTiers } from './automatic.ts';
import { askAgain, beforeMove, beforePrepare, undecided, validateAgain } from './before-deploy.ts';
import { acceptCarried, carriedGate, carriedNow, carryOver } from './carried.ts';
import { takeTurn } from './deploy-turn.ts';
import { withdrawnIfEnded } from './ended-by-itself.ts';
import { planJudged } from './gates.ts';
import { heldStep } from './held-rollback.ts';
import type { Moment } from './moment.ts';
import { withPage } from './pages.ts';
import { pullGate } from './pull-limit.ts';
import type { HoneConfig } from './sections.ts';
import { type Follow, kindAfter, type ProposalStepName } from './table.ts';
import { takeBackFirst } from './take-back-first.ts';
import { isVain, whyTakenBack } from './why-taken-back.ts';
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

/** The sentence of a step, as it is kept. */
export function saidOf(did: string): string {
  return mask(did, { except: ['email'] })
    .text.slice(0, SAID_MAX)
    .toWellFormed();
}

/** What the loop keeps about a proposal beside its state. */
export interface ProposalData {
  /** The sentence of the last move. */
  readonly said?: string;
  /** The state that was learnt from. */
  readonly learnt?: ProposalState;
  /** What it is looked at for after its end. */
  readonly follow?: Follow;
  /** Why it does not move, while it does not. */
  readonly waiting?: string;
  /** Where the change would have gone when a decision was asked for. */
  readonly askedFor?: Target;
  /** The tier at which it was put to a decision. */
  readonly askedAt?: Tier;
  /** Its last step found that it needs a person. */
  readonly needsPerson?: boolean;
}

/** A look reads new events, but never so long that a rollback waits; the collector reads the rest. */
const EVENTS_PER_LOOK = 20_000;

/** Steps that depend on the verdicts of validation. */
const NEEDS_VALIDATION: readonly ProposalStepName[] = ['ask', 'await_decision', 'prepare'];

/** Steps in which a gate judges decisions. */
const DECIDED_IN: readonly ProposalStepName[] = ['await_decision', 'prepare'];

/** What the step would do; nothing is committed yet. */
export async function proposalPlan(
  step: ProposalStepName,
  { dossier, data }: { dossier: Dossier; data: ProposalData },
  given: Moment,
  signal: AbortSignal,
): Promise<StepPlan | { readonly refused: Refusal; readonly did: string }> {
  const askedAt = step === 'ask' ? 'not yet' : data.askedAt;
  const moment = NEEDS_VALIDATION.includes(step)
    ? await withOwnTiers(dossier, given, askedAt)
    : given;
  const proven = step === 'prepare' ? await beforePrepare(dossier, moment) : { gate: moment.gate };
  const answer =
    (NEEDS_VALIDATION.includes(step) ? validateAgain(dossier, moment.gate) : undefined) ??
    (NEEDS_VALIDATION.includes(step)
      ? await withdrawnIfEnded(dossier, moment, signal)
      : undefined) ??
    (DECIDED_IN.includes(step) ? askPersonNow(dossier, moment, data.askedAt) : undefined) ??
    ('hold' in proven ? proven.hold : await askRoom(step, { dossier, data }, moment, signal));
  const { nowMs } = moment;
  const { waiting: _, needsPerson: __, follow: before, learnt: wasLearnt, ...kept } = data;
  const learnt = learntAfter(step, answer, { state: dossier.proposal.state, before: wasLearnt });
  const follow = followAfter(answer, { before, config: moment.config });
  const carried = DECIDED_IN.includes(step) ? carriedNow(dossier) : undefined;
  const gate = {
    ...('hold' in proven ? moment.gate : proven.gate),
    ...(DECIDED_IN.includes(step) && carried === undefined
      ? await aboutProposal(dossier, moment)
      : {}),
    ...(step === 'await_decision' && carried !== undefined
      ? await carriedGate(dossier, carried, moment)
      : {}),
  };
  const planned = planJudged(dossier, answer, {
    actor: SYSTEM,
    gate: { ...gate, ...readJustNow(step, answer, gate.provenMakers) },
    identity: await moment.switches.read('identity'),
    nowMs,
    newId: moment.newId,
  });
  if ('refused' in planned) return { refused: planned.refused, did: answer.did };
  const { letPass } = planned;
  const did = letPass === undefined ? answer.did : `${answer.did} ${letPassWords(letPass)}`;
  const moved = answer.to !== undefined || answer.amend !== undefined;
  const news = tellStep(dossier, answer, moment);
  const next = kindAfter(dossier, answer, { actor: SYSTEM, learnt, follow });
  const isOn = moved || (step === 'learn' && next !== undefined);
  return {
    plan: {
      ...withPage(planned.plan, dossier, answer, news.effects),
      writes: [...(planned.plan.writes ?? []), ...spawnedWorks(answer, nowMs), ...news.writes],
    },
    did,
    moved: moved || (answer.attestations?.length ?? 0) > 0,
    dueAtMs: next === 'learn' ? nowMs : (answer.dueAtMs ?? (isOn ? nowMs : null)),
    next,
    data: {
      ...kept,
      ...(moved ? { said: saidOf(answer.did) } : {}),
      ...(!moved && answer.dueAtMs !== undefined ? { waiting: saidOf(did) } : {}),
      ...(answer.to === 'pending'
        ? { askedFor: moment.gate.target, askedAt: askedTier(dossier, moment.gate) }
        : {}),
      ...(answer.needsPerson === undefined ? {} : { needsPerson: true }),
      ...(learnt === undefined ? {} : { learnt }),
      ...(follow === undefined ? {} : { follow }),
    },
  };
}

/** What was measured anew is learnt anew. */
function learntAfter(
  step: ProposalStepName,
  { entries = [] }: ProposalStep,
  { state, before }: { state: ProposalState; before: ProposalState | undefined },
): ProposalState | undefined {
  if (step === 'learn') return state;
  return entries.some(({ type }) => type === 'monitor.effect_measured') ? undefined : before;
}

const ENDED_SHOWN: readonly ProposalState[] = [...ENDED_BEFORE, 'failed'];

/** What its end and its entries say begins and ends. */
export function followAfter(
  { entries = [], attestations = [], to }: ProposalStep,
  { before, config }: { before: Follow | undefined; config: HoneConfig },
): Follow | undefined {
  if (to === 'monitoring') return undefined;
  const hold = attestations.find(({ kind }) => kind === 'hold')?.verdict;
  if (hold !== undefined) return hold === 'paused' && isReviewedAt(config) ? 'pull' : undefined;
  // It was shown to people at the forge, and may be merged there whatever Hone does.
  if (isReviewedAt(config) && to !== undefined && ENDED_SHOWN.includes(to)) return 'pull';
  const types = entries.map(({ type }) => type);
  if (types.includes('monitor.probation_began')) return 'probation';
  const learnt = entries.find(({ type }) => type === 'learn.fix_recorded');
  const outcome = (learnt?.data as EntryPayload<'learn.fix_recorded'> | undefined)?.outcome;
  if (outcome === 'doubtful') return 'aftermath';
  if (outcome === 'cleared') return undefined;
  return types.includes('monitor.probation_ended') ? undefined : before;
}

/** A decision that was read at the forge in this very step; later it is read again (`before-deploy.ts`). */
function readJustNow(
  step: ProposalStepName,
  { attestations = [] }: ProposalStep,
  proven: readonly string[],
): Partial<GateSettings> {
  const isRead = attestations.some(
    (one) => one.kind === 'decision' && one.actor?.verified === 'forge',
  );
  const makers = attestations.flatMap(({ actor }) => (actor === undefined ? [] : [actor.id]));
  if (step !== 'await_decision' || !isRead) return {};
  return { isReviewValid: true, provenMakers: [...proven, ...makers] };
}

/** Spawned proposals are due at once. */
export function spawnedWorks({ spawn = [] }: ProposalStep, nowMs: number): Write[] {
  return spawn.map(({ id }) =>
    newWork({ kind: 'proposal', subject: id, dueAtMs: nowMs, data: {}, nowMs }),
  );
}

async function askRoom(
  step: ProposalStepName,
  { dossier, data }: { dossier: Dossier; data: ProposalData },
  moment: Moment,
  signal: AbortSignal,
): Promise<ProposalStep> {
  switch (step) {
    case 'vet':
      return vet(dossier, await vetPorts(moment));
    case 'begin_validation':
      return begin(dossier);
    case 'validate':
      // It waited for more data.
      if (data.waiting !== undefined) await moment.collect(signal, EVENTS_PER_LOOK);
      signal.throwIfAborted();
      return validate(dossier, validatePorts(moment), signal);
    case 'ask':
      return pulled('ask', dossier, moment, () => askOrCarry(dossier, moment));
    case 'await_decision':
      if (data.askedFor !== undefined && !isSameTarget(data.askedFor, moment.gate.target))
        return askAgain('question', data.askedFor, moment.gate.target);
      return (await acceptCarried(dossier, moment)) ?? awaitReview(dossier, moment, signal);
    case 'prepare':
      return pulled('prepare', dossier, moment, () => prepareInTurn(dossier, moment, signal));
    case 'apply':
      return apply(dossier, {
        ...deployPorts(moment, signal),
        mayMove: (deployment) => beforeMove(dossier, deployment, moment),
        undecided: () => undecided(dossier, moment),
      });
    case 'arrive':
      return arrive(dossier, arrivePorts(moment, signal));
    case 'watch':
      await moment.collect(signal, EVENTS_PER_LOOK);
      signal.throwIfAborted();
      return watch(dossier, monitorPorts(moment));
    case 'probation':
      return lookAfter(dossier, monitorPorts(moment));
    case 'aftermath':
      return aftermath(dossier, moment);
    case 'look_outside':
      return lookOutside(dossier, moment, signal);
    case 'revert':
      return revert(dossier, moment, signal);
    case 'learn':
      return recordFix(dossier, {
        reason: data.said ?? '',
        nowMs: moment.nowMs,
        seen: await seenOf(moment.store, dossier),
      });
  }
}

/** A step that may open a pull request, within the limit of a day. */
async function pulled(
  name: 'ask' | 'prepare',
  dossier: Dossier,
  moment: Moment,
  take: () => Promise<ProposalStep>,
): Promise<ProposalStep> {
  const gate = await pullGate(dossier, name, moment);
  if (gate !== undefined && 'wait' in gate) return gate.wait;
  const step = await take();
  if (gate === undefined || step.to === undefined) return step;
  return {
    ...step,
    entries: [...(step.entries ?? []), ...gate.entries],
    expect: [...(step.expect ?? []), ...gate.expect],
  };
}

/** One at a time; if its base moved, a decision is requested again at once, and it waits for its turn after that. */
async function prepareInTurn(
  dossier: Dossier,
  moment: Moment,
  signal: AbortSignal,
): Promise<ProposalStep> {
  const ports = deployPorts(moment, signal);
  const head = await ports.openForge(ports.forge).resolve(ports.branch);
  if (head !== dossier.content.baseCommit) return prepare(dossier, ports);
  const turn = await takeTurn(dossier, moment);
  if ('wait' in turn) return turn.wait;
  return turn.step(await turn.during(() => prepare(dossier, ports)));
}

/** An approval of the same change on an earlier base may still count; else whoever decides is told why it does not. */
async function askOrCarry(dossier: Dossier, moment: Moment): Promise<ProposalStep> {
  const carried =
    dossier.proposal.state === 'validated' ? await carryOver(dossier, moment) : undefined;
  if (carried !== undefined && 'step' in carried) return carried.step;
  return askFor(dossier, { ...approvePorts(moment), ...(carried && { notCarried: carried.why }) });
}

/** A change that was taken back for somebody else's trouble is remembered as such, and may be proposed again. */
async function aftermath(dossier: Dossier, moment: Moment): Promise<ProposalStep> {
  const { nowMs } = moment;
  const { say, did, ...rest } = await lookAtAftermath(dossier, monitorPorts(moment));
  if (say !== 'cleared') return { did, ...rest };
  return recordFix(dossier, { reason: did, nowMs, seen: { outcome: 'cleared', reason: did } });
}

async function revert(
  dossier: Dossier,
  moment: Moment,
  signal: AbortSignal,
): Promise<ProposalStep> {
  const { attestations, proposal, content } = dossier;
  const call = rollbackCall(attestations, proposal.digest)!;
  const said = await readSaid(moment.store, call);
  const before = await readDeployment(moment.store, proposal.id);
  const blame = await blameOf(dossier, moment.store);
  const below = await takenBackFor(dossier, moment.store);
  const ports = {
    ...deployPorts(moment, signal),
    takeBackFirst: (ids: readonly string[], under: string) => takeBackFirst(ids, under, moment),
  };
  const step = await revertStep(dossier, ports, {
    reason: whyTakenBack(call, said.reason, blame),
    numbers: said.numbers,
    calledAtMs: call.atMs,
  });
  // Planned again after an earlier plan: somebody was faster, and may be every time.
  const isOvertaken = before?.revert !== undefined && step.to === undefined;
  if (!isOvertaken || step.attestations !== undefined)
    return below === undefined && isVain(content, blame) ? { ...step, isVain: true } : step;
  const { nowMs, config } = moment;
  const why = 'the branch was moved before it could be taken back';
  return {
    ...step,
    ...heldStep(dossier, why, { nowMs, timeoutMs: config.deploy.rollbackTimeout }),
  };
}
