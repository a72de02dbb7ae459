/**
 * The fleet at work with Hone beside it: virtual time goes on in ticks; in each the fleet works and writes
 * its telemetry, then Hone does what `hone up` would do.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Opened, OpenLoop } from '../src/app/context.ts';
import { isoTime, nextTurn } from '../src/base/index.ts';
import { TRIGGER_MS } from '../src/compose/loop-workers.ts';
import { placePending } from '../src/compose/place-pending.ts';
import type { Diagnosis } from '../src/diagnose/index.ts';
import { Leases } from '../src/lease/index.ts';
import type { Taken } from '../src/loop/index.ts';
import { diagnoseNow, loopSchedules } from '../src/loop/index.ts';
import type { JsonlEvent } from '../src/observe/index.ts';
import { runIfDue } from '../src/schedule/index.ts';
import { commitsOf, type DueCommit } from './commits.ts';
import { Fleet } from './fleet.ts';
import type { LabInstallation } from './installation.ts';
import type { Scenario } from './scenario.ts';
import { toldEvents } from './telemetry.ts';

const TICK_MS = 5 * 60_000;

/** What the fleet did in one tick, for those who look on. */
export interface Tick {
  readonly fromMs: number;
  readonly toMs: number;
  readonly events: readonly JsonlEvent[];
  readonly steps: readonly Taken[];
}

export interface FleetRunOptions {
  readonly lab: LabInstallation;
  readonly scenario: Scenario;
  readonly seed: number;
  /** After every tick in which Hone did something; may call commands. */
  readonly afterSteps?: (tick: Tick) => Promise<void>;
  readonly onTick?: (tick: Tick) => void;
  /** After people committed something. */
  readonly onCommit?: () => Promise<void>;
}

export class FleetRun implements AsyncDisposable {
  readonly #options: FleetRunOptions;
  readonly #fleet: Fleet;
  readonly #signal = new AbortController().signal;
  #opened: Opened | undefined;
  #loop: OpenLoop | undefined;
  #files: ReadonlyMap<string, string> | undefined;
  #nextTriggerMs = 0;
  readonly #commits: DueCommit[];
  /** Written so long after they happened. */
  readonly #late: { readonly dueMs: number; readonly events: readonly JsonlEvent[] }[] = [];
  /** When each schedule said that it is due next; asking earlier gives the same answer. */
  readonly #dueMs = new Map<string, number>();
  /** Whether `hone up` runs beside the fleet. */
  isUp = true;

  constructor(options: FleetRunOptions) {
    this.#options = options;
    this.#fleet = new Fleet({ ...options, recording: options.lab.recording });
    this.#commits = commitsOf(options.scenario);
  }

  /** Lives on until then. */
  async until(endMs: number): Promise<void> {
    const { clock } = this.#options.lab;
    while (clock.nowMs() < endMs) await this.#tick(Math.min(endMs, clock.nowMs() + TICK_MS));
  }

  /** What is due now, as `hone up` would do it; also after a command changed something. */
  async work(): Promise<Taken[]> {
    const { loop, opened } = await this.#open();
    await this.#runSchedules(loop, opened);
    await this.#runTrigger(loop);
    const steps = await loop.loop.run(this.#signal);
    if (steps.length > 0) {
      await loop.deliver();
      await placePending(opened.store, 'lab', 30_000);
      if (steps.some(({ step }) => step === 'deploy' || step === 'rollback')) this.forgetFiles();
    }
    return steps;
  }

  /** What Hone would say now of all that was written so far; nothing of it is kept. */
  async look(): Promise<Diagnosis> {
    const { loop } = await this.#open();
    await loop.loop.collect(this.#signal);
    return (await diagnoseNow(loop.ports)).diagnosis;
  }

  /** A command may have moved the target. */
  forgetFiles(): void {
    this.#files = undefined;
  }

  async #tick(toMs: number): Promise<void> {
    const { lab, onTick, afterSteps } = this.#options;
    const fromMs = lab.clock.nowMs();
    await this.#commitDue(fromMs);
    this.#files ??= await lab.files();
    const events = this.#fleet.run({ fromMs, toMs, files: this.#files });
    this.#writeDue(events, fromMs);
    lab.clock.advance(toMs - fromMs);
    const steps = this.isUp ? await this.work() : [];
    // A server beside it answers between the ticks.
    await nextTurn();
    const tick = { fromMs, toMs, events, steps };
    onTick?.(tick);
    if (steps.length > 0) await afterSteps?.(tick);
  }

  async #commitDue(nowMs: number): Promise<void> {
    const { lab, onCommit } = this.#options;
    let isNews = false;
    while ((this.#commits[0]?.atMs ?? Infinity) <= nowMs) {
      await lab.commit(this.#commits.shift()!.commit);
      isNews = true;
    }
    if (!isNews) return;
    this.forgetFiles();
    // After all of this moment: between two of them the target would differ from what people made of it.
    await onCommit?.();
  }

  #writeDue(events: readonly JsonlEvent[], nowMs: number): void {
    const { scenario } = this.#options;
    const lateMs = scenario.telemetry.late_minutes * 60_000;
    this.#late.push({ dueMs: nowMs + lateMs, events: toldEvents(scenario, events) });
    while ((this.#late[0]?.dueMs ?? Infinity) <= nowMs)
      this.#write(this.#late.shift()!.events, nowMs);
  }

  #write(events: readonly JsonlEvent[], atMs: number): void {
    if (events.length === 0) return;
    const file = join(this.#options.lab.telemetryFolder, `${isoTime(atMs).slice(0, 10)}.jsonl`);
    appendFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }

  async #runTrigger(loop: OpenLoop): Promise<void> {
    const nowMs = this.#options.lab.clock.nowMs();
    if (nowMs < this.#nextTriggerMs) return;
    this.#nextTriggerMs = nowMs + TRIGGER_MS;
    await loop.loop.startIfAsked(this.#signal);
  }

  async #runSchedules(loop: OpenLoop, { store, killSwitch }: Opened): Promise<void> {
    const { clock } = this.#options.lab;
    for (const schedule of loopSchedules(loop)) {
      if (clock.nowMs() < (this.#dueMs.get(schedule.name) ?? 0)) continue;
      const run = await runIfDue(schedule, {
        store,
        leases: new Leases(store),
        clock,
        holder: 'lab',
        allowedSteps: () => killSwitch.allowedSteps(),
      });
      this.#dueMs.set(schedule.name, run.ran ? 0 : run.dueAtMs);
    }
  }

  async #open(): Promise<{ opened: Opened; loop: OpenLoop }> {
    if (this.#loop === undefined) {
      const context = this.#options.lab.context();
      this.#opened = await context.open();
      this.#loop = await context.openLoop(this.#opened, { tell: () => {} });
    }
    return { opened: this.#opened!, loop: this.#loop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#loop?.[Symbol.asyncDispose]();
    await this.#opened?.close();
  }
}
