/**
 * What a step works with: the loop's own ports, and the time at which it began. What one room asks for and another
 * answers is adapted in `adapters/`, one file for each room that asks; a step takes the adapter it needs.
 */
import type { TierSettings } from '../approve/index.ts';
import { type Collected, Collector, Telemetry } from '../observe/index.ts';
import { Switches } from '../policy/index.ts';
import type { GateSettings } from '../proposal/index.ts';
import { REQUIRED_MODES } from '../validate/index.ts';
import { commitsOf } from './adapters/commits.ts';
import { targetOf } from './adapters/target.ts';
import { switchedOn } from './automatic.ts';
import { collectFeedback } from './feedback.ts';
import type { LoopPorts } from './types.ts';

const EVENTS_PER_PART = 20_000;

export interface Moment extends Omit<LoopPorts, 'telemetry'> {
  readonly nowMs: number;
  readonly telemetry: Telemetry;
  readonly gate: GateSettings;
  /** The policies by which Hone may decide the proposal at hand by itself. */
  readonly allowedBy?: readonly string[];
  /** Asked at the moment of each judgement. */
  readonly switches: Switches;
  /** At most so many events, or all there are. */
  collect(signal: AbortSignal, budgetEvents?: number): Promise<Collected>;
  /** What was read in this process, by whatever step, since this was last asked. */
  takeRead(): Read;
}

export interface Read {
  readonly events: number;
  readonly aside: number;
}

/** What the tier depends on beside the change, for whoever asks what a person needs to decide it. */
export const TIER_SETTINGS: TierSettings = {
  automaticTiers: [],
  requiredModes: REQUIRED_MODES,
};

/** What the gates judge by: the configuration and the kill switch as they are now. */
export async function gateSettings(ports: LoopPorts): Promise<GateSettings> {
  const { config, killSwitch } = ports;
  const automatic = await switchedOn(ports.store);
  return {
    stopped: !(await killSwitch.allowedSteps()).includes('deploy'),
    ...TIER_SETTINGS,
    automaticTiers: automatic.tiers,
    verification: config.identity.verification,
    approvers: config.approve.approvers,
    owned: [],
    provenMakers: [],
    target: await targetOf(ports),
    // Proven right before acting, by whoever acts.
    isSignatureValid: false,
    isReviewValid: false,
    isRecordProven: false,
    expect: [killSwitch.notStopped(), ...automatic.expect],
  };
}

/** Makes moments, and reads telemetry for all of them. */
export class Moments {
  readonly #ports: LoopPorts;
  readonly #collector: Collector;
  readonly #telemetry: Telemetry;
  #read: Read = { events: 0, aside: 0 };
  readonly switches: Switches;

  constructor(ports: LoopPorts) {
    this.#ports = ports;
    this.switches = new Switches(ports.store, ports.config.switches);
    const { config, telemetry, files, commands, targetFolder: root, log } = ports;
    this.#collector = new Collector({
      ...{ store: telemetry, files, settings: config.observe, log },
      commits: commitsOf(ports),
      ...(commands === undefined ? {} : { commands }),
      ...(root === undefined ? {} : { root }),
    });
    this.#telemetry = new Telemetry(telemetry);
  }

  async now(): Promise<Moment> {
    const ports = this.#ports;
    const [nowMs, gate] = await Promise.all([ports.store.nowMs(), gateSettings(ports)]);
    return {
      ...ports,
      nowMs,
      telemetry: this.#telemetry,
      gate,
      switches: this.switches,
      collect: (signal, budgetEvents) => this.collect(signal, budgetEvents),
      takeRead: () => {
        const read = this.#read;
        this.#read = { events: 0, aside: 0 };
        return read;
      },
    };
  }

  /**
   * A backlog is read in parts: the collector serves one caller at a time, and a watch then waits for one part,
   * not for a backlog of days.
   */
  async collect(signal: AbortSignal, budgetEvents?: number): Promise<Collected> {
    await collectFeedback(this.#ports);
    if (budgetEvents !== undefined) return this.#collect(signal, budgetEvents);
    let all: Collected | undefined;
    for (;;) {
      const part = await this.#collect(signal, EVENTS_PER_PART);
      all = all === undefined ? part : joined(all, part);
      if (part.more) this.#ports.onStep?.(`reading telemetry: ${all.events} events so far`);
      if (!part.more || signal.aborted) return all;
    }
  }

  async #collect(signal: AbortSignal, budgetEvents: number): Promise<Collected> {
    const part = await this.#collector.collect({ signal, budgetEvents });
    const { events, aside } = this.#read;
    this.#read = { events: events + part.events, aside: aside + part.aside };
    return part;
  }
}

function joined(one: Collected, other: Collected): Collected {
  const replaced: Record<string, number> = { ...one.replaced };
  for (const [kind, count] of Object.entries(other.replaced))
    replaced[kind] = (replaced[kind] ?? 0) + count;
  return {
    events: one.events + other.events,
    aside: one.aside + other.aside,
    bytes: one.bytes + other.bytes,
    more: other.more,
    replaced,
    notes: [...new Set([...one.notes, ...other.notes])].slice(0, 100),
  };
}
