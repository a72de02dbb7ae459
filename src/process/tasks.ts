/**
 * The service: what a worker can ask of a task. A phase belongs to one worker at a time (a lease per task and phase), every
 * change expects the version that was read, and what the gate refuses is recorded with what was missing.
 */
import { type CleanText, type NewId, ownWords } from '../base/index.ts';
import {
  type Actor,
  type EscalationCause,
  type Event,
  type EvidenceFact,
  type EvidenceKind,
  SYSTEM,
} from '../facts/index.ts';
import {
  type HandOver,
  heldBy,
  type Lease,
  type LeaseLook,
  Leases,
  planHandOver,
  releaseWrite,
} from '../lease/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Plan, Store } from '../store/index.ts';
import { advanceGate, type GateReason, type LeaseFact, violationOf } from './advance-gate.ts';
import { type ProcessDefinition, phasesInOrder } from './definition.ts';
import { loopDiary, phaseJournal } from './journal.ts';
import {
  NO_SUMMARY,
  planAdvance,
  planBacktrack,
  planBind,
  planCommit,
  planEscalate,
  planEvidence,
  planRefusal,
  planRelease,
  planStart,
} from './plans.ts';
import { definitionArtifact, readDefinition } from './processes.ts';
import { findTask, stalledTasks, taskAfter } from './task-store.ts';
import type { Doing, PlanParts, PromptDrift, Task, TaskPersona } from './types.ts';
import {
  advancedEvents,
  backtrackedEvents,
  counted,
  refusedEvents,
  type WorkMoment,
} from './work-events.ts';

export interface ProcessSettings {
  /** How long a phase stays with a worker, in milliseconds. */
  readonly lease: number;
  readonly stalledAfter: number;
  readonly repeats: number;
}

export interface TasksPorts {
  readonly store: Store;
  readonly newId: NewId;
  readonly settings: ProcessSettings;
  /** Another gate than the room's own: a measurement takes it out, to see that its absence is noticed. */
  readonly gate?: typeof advanceGate;
}

export type TaskRefusal =
  | { readonly why: 'held'; readonly holder: string; readonly expiresAtMs: number }
  | { readonly why: 'gate'; readonly reasons: readonly GateReason[]; readonly escalated: boolean }
  | { readonly why: 'no_way_back'; readonly words: string }
  /** Somebody else changed it at the same moment. */
  | { readonly why: 'changed' };

export type TaskOutcome = { readonly events: readonly Event[] } & (
  | { readonly done: true; readonly task: Task; readonly warnings: readonly PromptDrift[] }
  | { readonly done: false; readonly task: Task; readonly refused: TaskRefusal }
);

export interface StartRequest extends Doing {
  readonly title: string;
  readonly definition: ProcessDefinition;
  readonly commit: string | null;
  readonly persona: TaskPersona | null;
}

export interface AdvanceRequest extends Doing {
  readonly to: string | undefined;
  readonly summary: string;
  /** All of the task's, in the order in which they came, those of `parts` included. */
  readonly evidence: readonly EvidenceFact[];
  readonly parts: PlanParts;
  readonly drift: readonly PromptDrift[];
  /** Clients whose hooks somebody took away. */
  readonly ungoverned: readonly string[];
  readonly promptDigests: readonly string[];
  readonly configured: ReadonlySet<EvidenceKind>;
  readonly maxAgeMs: number;
  readonly session: string | undefined;
  /** Notices for people, made when the task is escalated. */
  escalation(why: string): Pick<Plan, 'effects' | 'writes'>;
}

export const leaseName = (task: Pick<Task, 'id' | 'phase'>) => `task/${task.id}/${task.phase}`;

/** Of the phase behind the task's, if there is one: the gate opens to no other. */
function nextLease(definition: ProcessDefinition, { id, phase }: Task): string[] {
  const next = definition.phases.find(({ after }) => after === phase);
  return next === undefined ? [] : [leaseName({ id, phase: next.name })];
}

export class Tasks {
  readonly #ports: TasksPorts;
  readonly #leases: Leases;
  /** By digest, so what is kept here cannot be outdated. */
  readonly #definitions = new Map<string, ProcessDefinition>();

  constructor(ports: TasksPorts) {
    this.#ports = ports;
    this.#leases = new Leases(ports.store);
  }

  /** The phase belongs to whoever starts it. */
  async start(request: StartRequest): Promise<Task> {
    const { title, definition, commit, persona, actor, worker } = request;
    const { store, newId, settings } = this.#ports;
    const id = newId('task');
    const artifact = definitionArtifact(definition);
    const phase = phasesInOrder(definition)[0]!.name;
    const data = {
      title: recordedText(title),
      process: definition.name,
      definitionDigest: artifact.digest,
      phase,
      baseCommit: commit,
      persona: persona === null ? null : { ...persona, tools: [...persona.tools] },
      worker,
    };
    await this.#leases.acquire(leaseName({ id, phase }), worker, settings.lease);
    await store.commit(
      planStart({ id, actor, data, definition: artifact, nowMs: await store.nowMs() }),
    );
    return findTask(store, id);
  }

  async advance(task: Task, request: AdvanceRequest): Promise<TaskOutcome> {
    const { store } = this.#ports;
    const definition = await this.#definitionOf(task);
    const look = await this.#leases.look([leaseName(task), ...nextLease(definition, task)]);
    const held = await this.#hold(task, request.worker, look);
    const { nowMs } = look;
    const { to, evidence, drift, ungoverned, configured, maxAgeMs } = request;
    const lease: LeaseFact = 'lease' in held ? { held: true } : { held: false, ...held };
    const verdict = (this.#ports.gate ?? advanceGate)({
      ...{ definition, task, to, evidence, drift, ungoverned, lease, configured, nowMs, maxAgeMs },
    });
    const moment = this.#moment(task, request, nowMs);
    if (!verdict.open) return this.#refuse(task, request, { ...verdict, moment });
    if (!('lease' in held)) throw new Error('the gate lets nobody pass without the lease');
    const next = await this.#handOver(held.lease, task, verdict.to, look);
    if (next === undefined) return this.#changed(task, moment);
    const summary = request.summary.trim() === '' ? NO_SUMMARY : recordedText(request.summary);
    const journal = phaseJournal({
      ...{ task, to: verdict.to, worker: request.worker, summary, evidence, nowMs },
      reliedOn: verdict.evidence,
      promptDigests: request.promptDigests,
      spanId: moment.spanId,
    });
    const plan = planAdvance({
      task,
      actor: request.actor,
      data: {
        from: task.phase,
        to: verdict.to,
        round: task.round,
        commit: task.commit,
        journalDigest: journal.digest,
        summary,
        evidenceIds: verdict.evidence.map(({ id }) => id),
        worker: request.worker,
      },
      journal,
      artifacts: verdict.evidence.map(({ manifestDigest }) => manifestDigest),
      parts: request.parts,
      lease: next,
      nowMs,
    });
    if (!(await store.commit(plan)).committed) return this.#changed(task, moment);
    return {
      done: true,
      task: taskAfter(task, plan),
      warnings: verdict.warnings,
      events: advancedEvents(moment, verdict.warnings),
    };
  }

  /** Evidence of that phase and of all behind it no longer counts. Anybody may send a task back. */
  async backtrack(
    task: Task,
    request: Doing & {
      readonly to: string;
      readonly reason: string;
      readonly session: string | undefined;
    },
  ): Promise<TaskOutcome> {
    const { store } = this.#ports;
    const { to, reason, actor } = request;
    const phases = phasesInOrder(await this.#definitionOf(task));
    const names = phases.map(({ name }) => name);
    const [from, at] = [names.indexOf(task.phase), names.indexOf(to)];
    const nowMs = await store.nowMs();
    const moment = this.#moment(task, request, nowMs);
    if (at < 0 || at > from || (at === from && task.state === 'open')) {
      const earlier = names.slice(0, task.state === 'done' ? from + 1 : from).join(', ') || 'none';
      const words = `The task is in ${task.phase}; it can go back to an earlier phase only (${earlier}).`;
      return { done: false, task, refused: { why: 'no_way_back', words }, events: [] };
    }
    const data = {
      from: task.phase,
      to,
      round: task.round + 1,
      stalePhases: names.slice(at),
      reason: recordedText(reason),
    };
    const plan = planBacktrack({ task, actor, data, nowMs });
    if (!(await store.commit(plan)).committed) return this.#changed(task, moment);
    return {
      done: true,
      task: taskAfter(task, plan),
      warnings: [],
      events: backtrackedEvents(moment),
    };
  }

  /** Evidence that is handed in or was made while a worker is in the phase. */
  async addEvidence(
    task: Task,
    { worker }: Doing,
    made: { readonly parts: PlanParts; readonly isValid: boolean },
  ): Promise<{ readonly done: true } | { readonly done: false; readonly refused: TaskRefusal }> {
    const { store } = this.#ports;
    const look = await this.#leases.look([leaseName(task)]);
    const held = await this.#hold(task, worker, look);
    if (!('lease' in held)) return { done: false, refused: { why: 'held', ...held } };
    const given = { isValid: made.isValid, fence: held.lease.fence, nowMs: await store.nowMs() };
    const { committed } = await store.commit(planEvidence(task, made.parts, given));
    return committed ? { done: true } : { done: false, refused: { why: 'changed' } };
  }

  bind(task: Task, { actor, worker }: Doing, sessionId: string): Promise<boolean> {
    return this.#commit(async (nowMs) =>
      planBind({ task, actor, data: { sessionId, worker }, nowMs }),
    );
  }

  /** The agents work on another commit now. */
  moveCommit(task: Task, actor: Actor, toCommit: string): Promise<boolean> {
    const data = { fromCommit: task.commit, toCommit };
    return this.#commit(async (nowMs) => planCommit({ task, actor, data, nowMs }));
  }

  /** A person looked at it. */
  release(task: Task, actor: Actor, reason: string): Promise<boolean> {
    const data = { reason: recordedText(reason) };
    return this.#commit(async (nowMs) => planRelease({ task, actor, data, nowMs }));
  }

  /** A person is asked, once: one who was asked already is not asked again. */
  async escalate(
    task: Task,
    told: {
      readonly cause: EscalationCause;
      readonly why: CleanText;
      readonly notices: Pick<Plan, 'effects' | 'writes'>;
    },
  ): Promise<boolean> {
    const { store } = this.#ports;
    const nowMs = await store.nowMs();
    const { cause, why, notices } = told;
    const diary = loopDiary(task, { cause, why, reasons: [], nowMs });
    const plan = planEscalate(task, { actor: SYSTEM, cause, why, diary, nowMs });
    return (await store.commit(withNotices(plan, notices))).committed;
  }

  /** Asks about every task that made no progress for too long; returns how many. */
  async escalateStalled(
    notices: (task: Task, why: string) => Pick<Plan, 'effects' | 'writes'>,
  ): Promise<number> {
    const { store, settings } = this.#ports;
    const beforeMs = (await store.nowMs()) - settings.stalledAfter;
    let asked = 0;
    for (const task of await stalledTasks(store, { beforeMs, limit: STALLED_MAX })) {
      const why = ownWords('It made no progress for too long.');
      const told = { cause: 'stalled', why, notices: notices(task, why) } as const;
      if (await this.escalate(task, told)) asked += 1;
    }
    return asked;
  }

  async #definitionOf({ definitionDigest }: Task): Promise<ProcessDefinition> {
    const known = this.#definitions.get(definitionDigest);
    if (known !== undefined) return known;
    const read = await readDefinition(this.#ports.store, definitionDigest);
    if (this.#definitions.size >= DEFINITIONS_MAX) this.#definitions.clear();
    this.#definitions.set(definitionDigest, read);
    return read;
  }

  /** The worker's lease of the phase, taken if it is free; else who has it. */
  async #hold(
    task: Task,
    worker: string,
    look: LeaseLook,
  ): Promise<
    { readonly lease: Lease } | { readonly holder: string; readonly expiresAtMs: number }
  > {
    const name = leaseName(task);
    const current = heldBy(look, name, worker);
    if (current !== undefined) return { lease: current };
    const got = await this.#leases.acquire(name, worker, this.#ports.settings.lease);
    if (got.acquired) return { lease: got.lease };
    return { holder: got.holder ?? 'somebody', expiresAtMs: got.expiresAtMs };
  }

  async #handOver(
    lease: Lease,
    task: Task,
    to: string | null,
    look: LeaseLook,
  ): Promise<HandOver | undefined> {
    if (to === null) return { expect: [lease.fence], writes: [releaseWrite(lease)] };
    const name = leaseName({ id: task.id, phase: to });
    const seen = look.names.includes(name) ? look : await this.#leases.look([name]);
    return planHandOver(seen, { from: lease, name, ttlMs: this.#ports.settings.lease });
  }

  /** A phase that somebody else works on is no violation: it is counted, and not recorded. */
  async #refuse(
    task: Task,
    request: AdvanceRequest,
    refused: {
      readonly to: string | null;
      readonly reasons: readonly GateReason[];
      readonly moment: WorkMoment;
    },
  ): Promise<TaskOutcome> {
    const { to, reasons, moment } = refused;
    const { actor, worker, parts } = request;
    const contended = reasons.find(({ code }) => code === 'lease_held');
    if (contended !== undefined) {
      const events = [counted(moment, 'phase_lease_contended')];
      return { done: false, task, refused: { why: 'gate', reasons, escalated: false }, events };
    }
    const violation = violationOf(task, reasons);
    const why = recordedText(reasons.map((one) => one.why).join(' '), { lengthMax: WHY_MAX });
    const escalation = this.#escalationOf(task, { violation, reasons, nowMs: moment.atMs });
    const plan = planRefusal(
      { task, actor, data: { from: task.phase, to, violation, why, worker }, nowMs: moment.atMs },
      parts,
      escalation,
    );
    const notices = escalation === undefined ? {} : request.escalation(escalation.why);
    const { committed } = await this.#ports.store.commit(withNotices(plan, notices));
    if (!committed) return this.#changed(task, moment);
    return {
      done: false,
      task: taskAfter(task, plan),
      refused: { why: 'gate', reasons, escalated: escalation !== undefined },
      events: refusedEvents(moment, reasons),
    };
  }

  #escalationOf(
    task: Task,
    {
      violation,
      reasons,
      nowMs,
    }: { violation: string; reasons: readonly GateReason[]; nowMs: number },
  ) {
    const times = (task.violations[violation] ?? 0) + 1;
    if (task.escalated !== null || times < this.#ports.settings.repeats) return undefined;
    const why = recordedText(`The same rule was broken ${times} times: ${reasons[0]!.why}`);
    return {
      cause: 'repeated' as const,
      why,
      diary: loopDiary(task, { cause: 'repeated', why, reasons, nowMs }),
    };
  }

  async #commit(plan: (nowMs: number) => Promise<Plan>): Promise<boolean> {
    const { store } = this.#ports;
    return (await store.commit(await plan(await store.nowMs()))).committed;
  }

  #changed(task: Task, moment: WorkMoment): TaskOutcome {
    return {
      done: false,
      task,
      refused: { why: 'changed' },
      events: [counted(moment, 'phase_lease_contended')],
    };
  }

  #moment(
    task: Task,
    { worker, session }: { readonly worker: string; readonly session: string | undefined },
    atMs: number,
  ): WorkMoment {
    return { task, worker, session, spanId: this.#ports.newId('span'), atMs };
  }
}

/** More than are in use. */
const DEFINITIONS_MAX = 100;
/** Of one look; the rest with the next. */
const STALLED_MAX = 100;
/** The most that an entry takes. */
const WHY_MAX = 4000;

function withNotices(
  plan: Plan,
  { effects = [], writes = [] }: Pick<Plan, 'effects' | 'writes'>,
): Plan {
  return {
    ...plan,
    writes: [...(plan.writes ?? []), ...writes],
    effects: [...(plan.effects ?? []), ...effects],
  };
}
