/**
 * The reconciler. Every unit of work is a row with a due time; a worker claims what is due under a lease
 * with a fencing token, asks one room for one step, and commits its answer in one commit that expects the
 * fence, the unit's version and the proposal's. Killed anywhere and started again, it goes on.
 *
 *   waiting ──due──► claimed ──step──┬─ committed ─► waiting (later, or at once)
 *      ▲                             ├─ refused: somebody changed it meanwhile ─► waiting, at once
 *      └── lease runs out ───────────┴─ failed ─► waiting (backoff), the error shown
 */
import { errorMessage } from '../base/index.ts';
import { type StepKind, UNSTOPPABLE_STEPS } from '../facts/index.ts';
import { type Lease, Leases } from '../lease/index.ts';
import type { Collected } from '../observe/index.ts';
import { readDossier } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Plan } from '../store/index.ts';
import { alteredNews } from './altered-record.ts';
import { branchMoves } from './branch-moves.ts';
import { openCycle } from './cycle-store.ts';
import {
  asJson,
  type CycleData,
  cycleStep,
  type StartOptions,
  startCyclePlan,
} from './cycle-work.ts';
import { FREE, judgeCycles } from './gates.ts';
import { heldPlan } from './held-rollback.ts';
import { type ProposalData, proposalPlan } from './proposal-work.ts';
import { refusalText } from './refusal-text.ts';
import { whileRenewed } from './renewal.ts';
import { RoomMaker } from './rooms.ts';
import { nextStep } from './table.ts';
import { hasNewPattern, unfitTelemetry } from './triggers.ts';
import type { LoopPorts, Taken, Trigger, Work } from './types.ts';
import {
  changeWork,
  dueWorks,
  isDue,
  nextDueMs,
  readWork,
  unchanged,
  wakeWaiting,
} from './works.ts';

const BATCH = 20;
/** Among how much due work that is not urgent, what is urgent is found. */
const DUE_MAX = 1000;
/** A unit that takes more steps than this in one run is going in circles. */
const STEPS_PER_UNIT_MAX = 100;
const BACKOFF_MS = 5_000;
const BACKOFF_MAX_MS = 15 * 60_000;
/** Harm is taken back within five minutes, also after a failure. */
const WATCH_BACKOFF_MAX_MS = 30_000;

export type Started =
  | { readonly started: true; readonly cycle: string }
  | {
      readonly started: false;
      readonly why: string;
      readonly cycle: string | null;
      /** A limit says no: asking again soon changes nothing. */
      readonly limited?: true;
    };

interface Outcome {
  readonly plan: Plan;
  readonly did: string;
  readonly dueAtMs: number | null;
  readonly moved: boolean;
  readonly data?: Work['data'];
}

interface NextStep {
  readonly kind: StepKind;
  /** Shown while it runs. */
  readonly doing: string;
  run(signal: AbortSignal): Promise<Outcome>;
}

export class Loop {
  readonly #ports: LoopPorts;
  readonly #leases: Leases;
  readonly #rooms: RoomMaker;

  constructor(ports: LoopPorts) {
    this.#ports = ports;
    this.#leases = new Leases(ports.store);
    this.#rooms = new RoomMaker(ports);
  }

  /**
   * Begins a cycle, unless one is running or the day's are used up. A person's is not counted, and what
   * waits for its next try or its turn is tried at once.
   */
  async startCycle(trigger: Trigger, options: StartOptions = {}): Promise<Started> {
    const { holder, config } = this.#ports;
    const got = await this.#leases.acquire('loop/start', holder, config.lease.ttl);
    if (!got.acquired) {
      return { started: false, why: `${got.holder} is beginning a cycle just now`, cycle: null };
    }
    try {
      return await this.#startUnder(got.lease, trigger, options);
    } finally {
      await this.#release(got.lease);
    }
  }

  async #startUnder(lease: Lease, trigger: Trigger, options: StartOptions): Promise<Started> {
    const { store, config, newId } = this.#ports;
    const nowMs = await store.nowMs();
    if (trigger === 'human') await wakeWaiting(store, nowMs);
    const running = await openCycle(store);
    if (running !== undefined) {
      await store.notify('loop');
      return { started: false, why: 'a cycle is running already', cycle: running.id };
    }
    const { switches } = this.#rooms;
    const max = config.limits.cyclesPerDay;
    const judged = trigger === 'human' ? FREE : await judgeCycles({ store, switches, nowMs, max });
    if ('refused' in judged) {
      return { started: false, why: judged.refused, cycle: null, limited: true };
    }
    const cycle = newId('c');
    const plan = startCyclePlan(cycle, { ...options, trigger, nowMs, letPass: judged.letPass });
    const result = await store.commit({ ...plan, expect: [lease.fence, ...judged.unchanged] });
    if (!result.committed) {
      return { started: false, why: 'somebody else began at the same moment', cycle: null };
    }
    await store.notify('loop');
    return { started: true, cycle };
  }

  /** Begins a cycle when something recurs that no cycle has looked at lately. */
  async startIfRecurring(signal: AbortSignal): Promise<Started> {
    await this.#rooms.collect(signal);
    const rooms = await this.#rooms.now();
    if (!(await hasNewPattern(rooms))) {
      return { started: false, why: 'nothing new recurs', cycle: null };
    }
    const unfit = await unfitTelemetry(rooms);
    if (unfit !== undefined) return { started: false, why: unfit, cycle: null, limited: true };
    return this.startCycle('pattern');
  }

  /**
   * Takes every step that is due, until nothing is or the signal aborts: rollbacks first, then watches. With
   * `only`, just those; a worker that does nothing else keeps them from waiting behind a slow step.
   */
  async run(signal: AbortSignal, only?: 'watching'): Promise<Taken[]> {
    const taken: Taken[] = [];
    const steps = new Map<string, number>();
    const aside = new Set<string>();
    while (!signal.aborted) {
      const nowMs = await this.#ports.store.nowMs();
      const most = only === undefined ? BATCH : DUE_MAX;
      const due = await dueWorks(this.#ports.store, nowMs, most + aside.size);
      const next = await this.#mostUrgentFirst(
        due.filter(({ id }) => !aside.has(id)),
        only,
      );
      if (next.length === 0) break;
      for (const { id } of next) {
        if (signal.aborted) break;
        const one = await this.step(id, signal);
        if (one !== undefined) taken.push(one);
        const count = (steps.get(id) ?? 0) + 1;
        steps.set(id, count);
        const goesOn = one === undefined || one.outcome === 'taken' || one.outcome === 'refused';
        if (!goesOn || count >= STEPS_PER_UNIT_MAX) aside.add(id);
      }
    }
    return taken;
  }

  async #mostUrgentFirst(due: readonly Work[], only?: 'watching'): Promise<readonly Work[]> {
    if (only === undefined && due.length < 2) return due;
    const kinds = new Map<Work, StepKind | undefined>();
    for (const work of due) kinds.set(work, await this.#kindOf(work));
    const urgent = (['rollback', 'monitor'] as const).flatMap((kind) =>
      due.filter((work) => kinds.get(work) === kind),
    );
    if (only === 'watching') return urgent;
    return [...urgent, ...due.filter((work) => !urgent.includes(work))];
  }

  /** A unit that cannot be read is not urgent: its step says what is wrong. */
  async #kindOf(work: Work): Promise<StepKind | undefined> {
    if (work.kind !== 'proposal') return undefined;
    try {
      return (await this.#whatNext(work))?.kind;
    } catch {
      return undefined;
    }
  }

  /** Reads what the sources have; the watch of a deployment and the next cycle see it. */
  collect(signal: AbortSignal): Promise<Collected> {
    return this.#rooms.collect(signal);
  }

  /** When the next unit is due. */
  nextDueMs(): Promise<number | null> {
    return nextDueMs(this.#ports.store);
  }

  /** One step of one unit; undefined when there is nothing to do for it. */
  async step(id: string, signal: AbortSignal): Promise<Taken | undefined> {
    const { holder, config } = this.#ports;
    const got = await this.#leases.acquire(`loop/${id}`, holder, config.lease.ttl);
    if (!got.acquired) {
      return {
        ...about(id),
        step: 'observe',
        did: `held by ${got.holder}`,
        moved: false,
        outcome: 'held',
      };
    }
    const { clock, log } = this.#ports;
    const renewal = { leases: this.#leases, ttlMs: config.lease.ttl, clock, log };
    try {
      // One that lost its lease is told to stop.
      return await whileRenewed(got.lease, renewal, (lost) =>
        this.#stepUnder(got.lease, id, AbortSignal.any([signal, lost])),
      );
    } finally {
      await this.#release(got.lease);
    }
  }

  async #stepUnder(lease: Lease, id: string, signal: AbortSignal): Promise<Taken | undefined> {
    const { store, clock, killSwitch } = this.#ports;
    const work = await readWork(store, id);
    // Who held the lease before us may have done it.
    if (work === undefined || !isDue(work, await store.nowMs())) {
      return undefined;
    }
    let step: StepKind = 'observe';
    const startMs = clock.monotonicMs();
    const activeMs = () => clock.monotonicMs() - startMs;
    try {
      const next = await this.#whatNext(work);
      if (next === undefined) return await this.#rest(lease, work);
      step = next.kind;
      if (!(await killSwitch.allowedSteps()).includes(step)) {
        const did = 'everything automatic is stopped';
        return { ...about(id), step, did, moved: false, outcome: 'stopped' };
      }
      this.#ports.onStep?.(next.doing);
      return await this.#commit(lease, work, { step, outcome: await next.run(signal), activeMs });
    } catch (error) {
      // Whatever one unit throws, also its commit, is that unit's trouble: the others go on. Told to
      // stop is no trouble: the step is taken again after the restart.
      if (signal.aborted) return undefined;
      return this.#failed(lease, work, { step, error, activeMs: activeMs() });
    }
  }

  async #commit(
    lease: Lease,
    work: Work,
    { step, outcome, activeMs }: { step: StepKind; outcome: Outcome; activeMs: () => number },
  ): Promise<Taken> {
    const { store, log } = this.#ports;
    const { plan, did, dueAtMs, moved, data } = outcome;
    const set = { dueAtMs, activeMs: activeMs(), ...(data === undefined ? {} : { data }) };
    const { committed } = await store.commit({
      ...plan,
      expect: [lease.fence, unchanged(work), ...(plan.expect ?? [])],
      writes: [...(plan.writes ?? []), changeWork(work, set, await store.nowMs())],
    });
    log.info('step', { work: work.id, step, did, committed });
    // What Hone does to a branch is said where it happens: commands show it, and `hone up` logs it.
    if (committed)
      for (const move of branchMoves(plan)) log.info('a branch was moved', { ...move });
    return { ...about(work.id), step, did, moved, outcome: committed ? 'taken' : 'refused' };
  }

  /** The step the tables name for this unit, or undefined when it has none. */
  async #whatNext(work: Work): Promise<NextStep | undefined> {
    if (work.kind === 'cycle') {
      const { phase } = work.data as unknown as CycleData;
      return {
        kind: phase === 'finish' ? 'learn' : phase,
        doing: PHASES[phase],
        run: async (signal) => {
          const rooms = await this.#rooms.now();
          const { plan, did, data } = await cycleStep(work, rooms, signal);
          if (data === null) return { plan, did, moved: true, dueAtMs: null };
          return { plan, did, moved: true, dueAtMs: rooms.nowMs, data: asJson(data) };
        },
      };
    }
    const dossier = await readDossier(this.#ports.store, work.subject);
    const data = work.data as ProposalData;
    const row = nextStep(dossier, data.learnt === dossier.proposal.state);
    if (row === undefined) return undefined;
    return {
      kind: row.kind,
      doing: `${dossier.proposal.title}: ${row.doing}`,
      run: async (signal) => {
        const rooms = await this.#rooms.now();
        const planned = await proposalPlan(row.step, { dossier, data }, rooms, signal);
        if ('refused' in planned) throw new Error(refusalText(planned.refused));
        return { ...planned, data: planned.data as Work['data'] };
      },
    };
  }

  /** Nothing is due for it until somebody changes it. */
  async #rest(lease: Lease, work: Work): Promise<undefined> {
    const nowMs = await this.#ports.store.nowMs();
    await this.#ports.store.commit({
      expect: [lease.fence, unchanged(work)],
      writes: [changeWork(work, { dueAtMs: null }, nowMs)],
    });
    return undefined;
  }

  async #failed(
    lease: Lease,
    work: Work,
    { step, error, activeMs }: { step: StepKind; error: unknown; activeMs: number },
  ): Promise<Taken> {
    const { store, log } = this.#ports;
    const text = recordedText(errorMessage(error));
    // Whoever watches live is shown it by the command that they gave.
    const tell = this.#ports.onStep === undefined ? log.warn : log.info;
    tell('a step failed', { work: work.id, step, error: text });
    const nowMs = await store.nowMs();
    const attempts = work.attempts + 1;
    const longestMs = UNSTOPPABLE_STEPS.includes(step) ? WATCH_BACKOFF_MAX_MS : BACKOFF_MAX_MS;
    const waitMs = Math.min(BACKOFF_MS * 2 ** (attempts - 1), longestMs);
    const set = { dueAtMs: nowMs + waitMs, attempts, activeMs, error: text };
    const commit = ({ plan, needsPerson }: { plan: Plan; needsPerson: boolean }) => {
      const data = needsPerson ? { data: { ...(work.data as object), needsPerson } } : {};
      return store.commit({
        ...plan,
        expect: [lease.fence, unchanged(work), ...(plan.expect ?? [])],
        writes: [...(plan.writes ?? []), changeWork(work, { ...set, ...data }, nowMs)],
      });
    };
    // The failure is kept in any case; what could not be told is told by the next attempt.
    const told = await this.#newsOfFailure(work, { error, text, nowMs })
      .then(commit)
      .catch((why: unknown) => log.warn('no notice was queued', { error: errorMessage(why) }));
    if (told?.committed !== true) await commit({ plan: {}, needsPerson: false });
    return { ...about(work.id), step, did: text, moved: false, outcome: 'failed' };
  }

  /** What a person must know of a failure, and what is recorded with it. */
  async #newsOfFailure(
    work: Work,
    { error, text, nowMs }: { error: unknown; text: string; nowMs: number },
  ): Promise<{ plan: Plan; needsPerson: boolean }> {
    const ports = this.#ports;
    const held = await heldPlan(work, text, { ports, rooms: this.#rooms, nowMs });
    const { effects, needsPerson } = await alteredNews(work, error, ports);
    return { plan: { ...held, effects: [...(held.effects ?? []), ...effects] }, needsPerson };
  }

  /** What a step did stands, also when its lease cannot be given back: it runs out. */
  async #release(lease: Lease): Promise<void> {
    try {
      await this.#leases.release(lease);
    } catch (error) {
      const { log } = this.#ports;
      log.warn('a lease was not given back', { lease: lease.name, error: errorMessage(error) });
    }
  }
}

const PHASES: Readonly<Record<CycleData['phase'], string>> = {
  observe: 'reading new events',
  diagnose: 'looking for what recurs',
  propose: 'looking for a fix',
  finish: 'writing the report',
};

function about(id: string): Pick<Taken, 'work' | 'kind' | 'subject'> {
  const cut = id.indexOf('/');
  return { work: id, kind: id.slice(0, cut) as Taken['kind'], subject: id.slice(cut + 1) };
}
