/**
 * The reconciler. Every unit of work is a row with a due time, the kind of its next step and its urgency. A worker
 * claims the most urgent one that is due, asks one room for one step, and commits its answer in one commit that
 * expects its claim, the unit's version and the proposal's. It may be killed anywhere: after a restart it continues.
 *
 *   waiting ──due──► claimed ──step──┬─ committed ─► waiting (later, or at once)
 *      ▲                             ├─ refused: somebody changed it meanwhile ─► waiting, at once
 *      │                             ├─ another kind of step than its row said ─► waiting, the row corrected
 *      └── claim runs out ───────────┴─ failed ─► waiting (backoff), the error shown
 */
import { errorMessage, isoTime } from '../base/index.ts';
import { STEP_KINDS, type StepKind, UNSTOPPABLE_STEPS } from '../facts/index.ts';
import { type Lease, Leases, renewClaim } from '../lease/index.ts';
import { type Collected, URGENCIES, type Urgency } from '../observe/index.ts';
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
import { FREE, judgeCycles, patternsWaitUntil } from './gates.ts';
import { heldPlan } from './held-rollback.ts';
import { brokenByStep, brokenPlan, brokenSince } from './invariants-after-step.ts';
import { type Moment, Moments } from './moment.ts';
import { type ProposalData, proposalPlan } from './proposal-work.ts';
import { refusalText } from './refusal-text.ts';
import { whileRenewed } from './renewal.ts';
import { nextStep } from './table.ts';
import { stillAsks, takeTriggers, waitingTriggers } from './trigger-store.ts';
import { queueMeta, queuePatterns, queueThresholds, unfitTelemetry } from './triggers.ts';
import type { LoopPorts, Taken, Trigger, Work } from './types.ts';
import { urgenciesOf } from './urgency.ts';
import {
  type ClaimedWork,
  claimById,
  claimDue,
  claimOf,
  dateAgain,
  dueWorks,
  giveBack,
  nextDueMs,
  readWork,
  release,
  unchanged,
  wakeWaiting,
} from './works.ts';

/** How many of the units that wait for the stop to end are named. */
const STOPPED_MAX = 20;
/** A unit that takes more steps than this in one run is in a loop. */
const STEPS_PER_UNIT_MAX = 100;
const BACKOFF_MS = 5_000;
const BACKOFF_MAX_MS = 15 * 60_000;
/** Harm is taken back within five minutes, even after a failure. */
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

const RUNNING = { started: false, why: 'a cycle is already running' } as const;

interface Outcome {
  readonly plan: Plan;
  readonly did: string;
  readonly dueAtMs: number | null;
  readonly moved: boolean;
  /** The kind of the next step; undefined while it waits for somebody. */
  readonly next: StepKind | undefined;
  readonly data?: Work['data'];
}

/** How a claimed step ended. `isGivenBack`: its commit changed the row, which ended the claim. */
interface Ended {
  readonly taken: Taken | undefined;
  readonly isGivenBack: boolean;
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
  readonly #moments: Moments;

  constructor(ports: LoopPorts) {
    this.#ports = ports;
    this.#leases = new Leases(ports.store);
    this.#moments = new Moments(ports);
  }

  /**
   * Begins a cycle, unless one is running or the daily limit is reached. A person's cycle does not count, and
   * work that waits for its retry or its turn is tried at once.
   */
  async startCycle(trigger: Trigger, options: StartOptions = {}): Promise<Started> {
    const { holder, config } = this.#ports;
    const got = await this.#leases.acquire('loop/start', holder, config.lease.ttl);
    if (!got.acquired) {
      return { started: false, why: `${got.holder} is starting a cycle now`, cycle: null };
    }
    try {
      return await this.#startUnder(got.lease, trigger, options);
    } finally {
      await this.#release(got.lease.name, () => this.#leases.release(got.lease));
    }
  }

  async #startUnder(lease: Lease, trigger: Trigger, options: StartOptions): Promise<Started> {
    const { store, config, newId } = this.#ports;
    const nowMs = await store.nowMs();
    if (trigger === 'human') await wakeWaiting(store, nowMs);
    const running = await openCycle(store);
    if (running !== undefined) {
      await store.notify('loop');
      return { ...RUNNING, cycle: running.id };
    }
    const { switches } = this.#moments;
    const max = config.limits.cyclesPerDay;
    const judged = trigger === 'human' ? FREE : await judgeCycles({ store, switches, nowMs, max });
    if ('refused' in judged) {
      return { started: false, why: judged.refused, cycle: null, limited: true };
    }
    const cycle = newId('c');
    const triggers = await waitingTriggers(store);
    const { letPass } = judged;
    const plan = startCyclePlan(cycle, { ...options, trigger, triggers, nowMs, letPass });
    const result = await store.commit({
      ...plan,
      writes: [...(plan.writes ?? []), ...takeTriggers(triggers, cycle, nowMs)],
      expect: [lease.fence, ...judged.unchanged],
    });
    if (!result.committed) {
      return { started: false, why: 'somebody else started one at the same moment', cycle: null };
    }
    await store.notify('loop');
    return { started: true, cycle };
  }

  /** Looks for everything that asks for a cycle, and begins one if something does that should not wait. */
  async startIfAsked(signal: AbortSignal): Promise<Started> {
    await this.#moments.collect(signal);
    // What it is about to examine would ask for another one.
    const running = await openCycle(this.#ports.store);
    if (running !== undefined) return { ...RUNNING, cycle: running.id };
    const moment = await this.#moments.now();
    await queueThresholds(moment, this.#ports, URGENCIES);
    await queuePatterns(moment);
    await queueMeta(moment);
    return this.#startFor(moment, ['high', 'normal']);
  }

  /** The same for what is urgent, by counts alone: it costs little, so it is asked every minute. */
  async startIfUrgent(): Promise<Started> {
    const moment = await this.#moments.now();
    await queueThresholds(moment, this.#ports, ['high']);
    return this.#startFor(moment, ['high']);
  }

  /** A person's request needs no telemetry that is fit to be judged: they will see why nothing was. */
  async #startFor(moment: Moment, urgencies: readonly Urgency[]): Promise<Started> {
    const waiting = await waitingTriggers(this.#ports.store);
    const asking = waiting.filter(
      (one) => urgencies.includes(one.urgency) && stillAsks(one, moment.nowMs),
    );
    if (asking.length === 0)
      return { started: false, why: 'nothing asks for a cycle', cycle: null };
    const untilMs = await patternsWaitUntil(moment.store, {
      switches: this.#moments.switches,
      nowMs: moment.nowMs,
      max: moment.config.limits.cyclesPerDay,
    });
    const first = asking.find(({ kind }) => kind !== 'pattern' || untilMs === undefined);
    if (first === undefined) {
      const why = `failures that begin to recur are looked at together, from ${isoTime(untilMs!)} on`;
      return { started: false, why, cycle: null, limited: true };
    }
    const unfit = first.kind === 'human' ? undefined : await unfitTelemetry(moment);
    if (unfit !== undefined) return { started: false, why: unfit, cycle: null, limited: true };
    return this.startCycle(first.kind);
  }

  /**
   * Takes every step that is due, until nothing is or the signal aborts: rollbacks first, then watches, then
   * deployments. With `only`, just the steps that are never stopped: a worker of their own keeps them from waiting
   * behind a slow step.
   */
  async run(signal: AbortSignal, only?: 'watching'): Promise<Taken[]> {
    const { store, killSwitch } = this.#ports;
    const taken: Taken[] = [];
    const steps = new Map<string, number>();
    await dateAgain(store);
    while (!signal.aborted) {
      const allowed = await killSwitch.allowedSteps();
      const kinds = only === undefined ? allowed : UNSTOPPABLE_STEPS;
      const work = await claimDue(store, urgenciesOf(kinds), this.#claimer);
      if (work === undefined) {
        if (only === undefined) taken.push(...(await this.#leftStopped(allowed)));
        break;
      }
      const count = (steps.get(work.id) ?? 0) + 1;
      steps.set(work.id, count);
      if (count > STEPS_PER_UNIT_MAX) {
        await this.#putOff(work);
        continue;
      }
      const one = await this.#stepClaimed(work, allowed, signal);
      if (one !== undefined) taken.push(one);
      if (one?.outcome === 'stopped') break;
    }
    return taken;
  }

  get #claimer() {
    const { holder, config } = this.#ports;
    return { holder, ttlMs: config.lease.ttl };
  }

  /** What is due and not claimed, because everything automatic is stopped. */
  async #leftStopped(allowed: readonly StepKind[]): Promise<Taken[]> {
    const stopped = STEP_KINDS.filter((kind) => !allowed.includes(kind));
    if (stopped.length === 0) return [];
    const left = await dueWorks(this.#ports.store, urgenciesOf(stopped), STOPPED_MAX);
    return left.map(({ id, step }) => stoppedAt(id, step));
  }

  /** Others get their turn. */
  async #putOff(work: ClaimedWork): Promise<void> {
    const { store, log } = this.#ports;
    log.warn('a unit of work does not come to rest', { work: work.id, step: work.step });
    const nowMs = await store.nowMs();
    const { attempts, error } = work;
    const later = { dueAtMs: nowMs + BACKOFF_MS, attempts, error };
    await store.commit({
      expect: [unchanged(work)],
      writes: [giveBack(work, later, nowMs)],
    });
  }

  /** Reads what the sources have; the watch of a deployment and the next cycle see it. */
  collect(signal: AbortSignal): Promise<Collected> {
    return this.#moments.collect(signal);
  }

  /** When the next unit is due. */
  nextDueMs(): Promise<number | null> {
    return nextDueMs(this.#ports.store);
  }

  /** One step of one unit; undefined if there is nothing to do. */
  async step(id: string, signal: AbortSignal): Promise<Taken | undefined> {
    const { store, killSwitch } = this.#ports;
    await dateAgain(store);
    const work = await claimById(store, id, this.#claimer);
    if (work !== undefined) {
      return this.#stepClaimed(work, await killSwitch.allowedSteps(), signal);
    }
    const there = await readWork(store, id);
    if (there === undefined || there.holder === null) return undefined;
    const did = `held by ${there.holder}`;
    return { ...about(id), step: there.step, did, moved: false, outcome: 'held' };
  }

  /** The claim ends with the step: changing the row ends it; if the row did not change, it is released. */
  async #stepClaimed(
    work: ClaimedWork,
    allowed: readonly StepKind[],
    signal: AbortSignal,
  ): Promise<Taken | undefined> {
    const { store, clock, log, config } = this.#ports;
    const renew = (ttlMs: number) => renewClaim(store, claimOf(work), ttlMs);
    const renewal = { name: work.id, renew, ttlMs: config.lease.ttl, clock, log };
    let isGivenBack = false;
    try {
      // One that lost its claim is told to stop.
      const told = await whileRenewed(renewal, (lost) =>
        this.#stepUnder(work, allowed, AbortSignal.any([signal, lost])),
      );
      isGivenBack = told.isGivenBack;
      return told.taken;
    } finally {
      if (!isGivenBack) await this.#release(work.id, () => release(store, work));
    }
  }

  async #stepUnder(
    work: ClaimedWork,
    allowed: readonly StepKind[],
    signal: AbortSignal,
  ): Promise<Ended> {
    const { clock } = this.#ports;
    let { step } = work;
    const startMs = clock.monotonicMs();
    const activeMs = () => clock.monotonicMs() - startMs;
    try {
      const next = await this.#whatNext(work);
      if (next === undefined) return await this.#rest(work);
      if (next.kind !== work.step) return await this.#putRight(work, next.kind);
      step = next.kind;
      if (!allowed.includes(step)) return { taken: stoppedAt(work.id, step), isGivenBack: false };
      this.#ports.onStep?.(next.doing);
      return await this.#commit(work, { step, outcome: await next.run(signal), activeMs });
    } catch (error) {
      // An error of one unit, or of its commit, is confined to that unit: the others go on. An abort
      // is not an error: the step is taken again after the restart.
      if (signal.aborted) return { taken: undefined, isGivenBack: false };
      return this.#failed(work, { step, error, activeMs: activeMs() });
    }
  }

  async #commit(
    work: ClaimedWork,
    { step, outcome, activeMs }: { step: StepKind; outcome: Outcome; activeMs: () => number },
  ): Promise<Ended> {
    const { store, log } = this.#ports;
    const { plan, did, dueAtMs, moved, next, data } = outcome;
    const changed = { dueAtMs, step: next, activeMs: activeMs() };
    const set = data === undefined ? changed : { ...changed, data };
    const { committed } = await store.commit({
      ...plan,
      expect: [unchanged(work), ...(plan.expect ?? [])],
      writes: [...(plan.writes ?? []), giveBack(work, set, await store.nowMs())],
    });
    log.info('step', { work: work.id, step, did, committed });
    // Every move of a branch is reported here: commands show it, and `hone up` logs it.
    if (committed) {
      for (const move of branchMoves(plan)) log.info('a branch was moved', { ...move });
      await this.#checkAfter(work, outcome);
    }
    const said = committed ? 'taken' : 'refused';
    const taken = { ...about(work.id), step, did, moved, outcome: said } as const;
    return { taken, isGivenBack: committed };
  }

  /** What was done stays done; what it broke is recorded and told. */
  async #checkAfter(work: ClaimedWork, { plan, next, dueAtMs, data }: Outcome): Promise<void> {
    const { store, log, config } = this.#ports;
    try {
      const rests = next === undefined && dueAtMs === null;
      const broken = await brokenSince(work, { plan, rests, data: data ?? {} }, this.#ports);
      if (broken.length === 0) return;
      log.warn('an invariant does not hold', {
        work: work.id,
        broken: broken.map(({ text }) => text).join('; '),
      });
      await store.commit(brokenPlan(broken, { config, nowMs: await store.nowMs() }));
    } catch (error) {
      // "hone doctor" asks the same of the whole record.
      log.warn('could not check the invariants', { work: work.id, error: errorMessage(error) });
    }
  }

  /** The step the tables name for this unit, or undefined when it has none. */
  async #whatNext(work: Work): Promise<NextStep | undefined> {
    if (work.kind === 'cycle') {
      const { phase } = work.data as unknown as CycleData;
      return {
        kind: phaseKind(phase),
        doing: PHASES[phase],
        run: async (signal) => {
          const moment = await this.#moments.now();
          const { plan, did, data } = await cycleStep(work, moment, signal);
          const moved = { plan, did, moved: true };
          if (data === null) return { ...moved, dueAtMs: null, next: undefined };
          const next = phaseKind(data.phase);
          return { ...moved, dueAtMs: moment.nowMs, next, data: asJson(data) };
        },
      };
    }
    const dossier = await readDossier(this.#ports.store, work.subject);
    const data = work.data as ProposalData;
    const row = nextStep(dossier, data.learnt === dossier.proposal.state, data.follow);
    if (row === undefined) return undefined;
    return {
      kind: row.kind,
      doing: `${dossier.proposal.title}: ${row.doing}`,
      run: async (signal) => {
        const moment = await this.#moments.now();
        const planned = await proposalPlan(row.step, { dossier, data }, moment, signal);
        if ('refused' in planned) throw new Error(refusalText(planned.refused));
        const broken = brokenByStep(dossier, planned.plan.entries ?? []);
        if (broken.length > 0)
          throw new Error(`It was not done. It would break ${broken.join('; ')}`);
        return { ...planned, data: planned.data as Work['data'] };
      },
    };
  }

  /** Nothing is due for it until somebody changes it. */
  #rest(work: ClaimedWork): Promise<Ended> {
    return this.#setAside(work, { dueAtMs: null });
  }

  /** Its row has the wrong kind of step: corrected, it is claimed when its turn comes. */
  #putRight(work: ClaimedWork, step: StepKind): Promise<Ended> {
    this.#ports.log.info('corrected the step of a unit of work', {
      work: work.id,
      was: work.step,
      step,
    });
    const { dueAtMs, attempts, error } = work;
    return this.#setAside(work, { dueAtMs, attempts, error, step });
  }

  async #setAside(work: ClaimedWork, set: Parameters<typeof giveBack>[1]): Promise<Ended> {
    const { store } = this.#ports;
    const { committed } = await store.commit({
      expect: [unchanged(work)],
      writes: [giveBack(work, set, await store.nowMs())],
    });
    return { taken: undefined, isGivenBack: committed };
  }

  async #failed(
    work: ClaimedWork,
    { step, error, activeMs }: { step: StepKind; error: unknown; activeMs: number },
  ): Promise<Ended> {
    const { store, log } = this.#ports;
    const text = recordedText(errorMessage(error));
    // A person at the terminal sees it from the command they ran.
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
        expect: [unchanged(work), ...(plan.expect ?? [])],
        writes: [...(plan.writes ?? []), giveBack(work, { ...set, ...data }, nowMs)],
      });
    };
    // The failure is kept in any case; the next attempt sends what could not be sent.
    const told = await this.#newsOfFailure(work, { error, text, nowMs })
      .then(commit)
      .catch((why: unknown) => log.warn('could not queue a notice', { error: errorMessage(why) }));
    const kept = told?.committed === true ? told : await commit({ plan: {}, needsPerson: false });
    const taken = { ...about(work.id), step, did: text, moved: false, outcome: 'failed' } as const;
    return { taken, isGivenBack: kept.committed };
  }

  /** What a person must know of a failure, and what is recorded with it. */
  async #newsOfFailure(
    work: Work,
    { error, text, nowMs }: { error: unknown; text: string; nowMs: number },
  ): Promise<{ plan: Plan; needsPerson: boolean }> {
    const ports = this.#ports;
    const held = await heldPlan(work, text, { ports, nowMs });
    const { effects, needsPerson } = await alteredNews(work, error, ports);
    return { plan: { ...held, effects: [...(held.effects ?? []), ...effects] }, needsPerson };
  }

  /** What a step did is committed, even if its lease or claim cannot be released: that expires. */
  async #release(name: string, releasing: () => Promise<void>): Promise<void> {
    try {
      await releasing();
    } catch (error) {
      const { log } = this.#ports;
      log.warn('could not release a lease', { lease: name, error: errorMessage(error) });
    }
  }
}

const PHASES: Readonly<Record<CycleData['phase'], string>> = {
  observe: 'reading new events',
  diagnose: 'looking for recurring failures',
  propose: 'looking for a fix',
  scan: 'looking for what could be better',
  finish: 'writing the report',
};

const phaseKind = (phase: CycleData['phase']): StepKind =>
  phase === 'finish' ? 'learn' : phase === 'scan' ? 'diagnose' : phase;

function stoppedAt(id: string, step: StepKind): Taken {
  const did = 'everything automatic is stopped';
  return { ...about(id), step, did, moved: false, outcome: 'stopped' };
}

function about(id: string): Pick<Taken, 'work' | 'kind' | 'subject'> {
  const cut = id.indexOf('/');
  return { work: id, kind: id.slice(0, cut) as Taken['kind'], subject: id.slice(cut + 1) };
}
