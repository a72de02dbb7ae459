/**
 * Telemetry that is pushed (OTLP over HTTP): each payload is stored as a file's lines are, and acknowledged when it is
 * committed. What is held at once is bounded by bytes; beyond that the sender is asked to come back.
 *
 * Senders that nobody knows have a source of their own, and a share of the memory of their own: they cannot crowd out
 * those that proved who they are, and whoever judges a change can leave them out (`ANONYMOUS_SOURCE`). The names have a
 * character that a configured source's name cannot have.
 */
import { type Log, type Random, silentLog, systemRandom } from '../base/index.ts';
import { type Sanitise, sanitise } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { ANONYMOUS_SOURCE } from './anonymous.ts';
import { Cleaner } from './clean-event.ts';
import { type Pushed, PushLane } from './push-lane.ts';
import { TOKEN_SOURCE } from './pushed-sources.ts';
import type { Payload } from './sources/otlp/payload.ts';
import type { ObserveSettings } from './types.ts';

export type Sender = 'anonymous' | 'token';

/** Of one kind of sender: two requests of the largest size. A real exporter sends less than one, every few seconds. */
const HELD_BYTES_MAX = 32 * 1024 * 1024;

export interface TelemetryPushOptions {
  /** The telemetry store. */
  readonly store: Store;
  readonly settings: ObserveSettings;
  readonly log?: Log;
  /** The randomness for the store's session key, used once. */
  readonly random?: Random;
  /** Another sanitiser than the room's own; for tests. */
  readonly sanitise?: Sanitise;
  readonly heldBytesMax?: number;
}

/** One request from its first byte to its answer. */
export interface Intake extends Disposable {
  /** Counts bytes that are held for it; false if there is no room for them now. */
  take(bytes: number): boolean;
  send(payload: Payload): Promise<Pushed>;
}

export class TelemetryPush {
  readonly #lanes: Readonly<Record<Sender, PushLane>>;
  readonly #held: Record<Sender, number> = { anonymous: 0, token: 0 };
  readonly #heldBytesMax: number;

  constructor(options: TelemetryPushOptions) {
    const { store, settings, log = silentLog, random = systemRandom } = options;
    this.#heldBytesMax = options.heldBytesMax ?? HELD_BYTES_MAX;
    const cleaner = new Cleaner(options.sanitise ?? sanitise, settings);
    const { overhead: overheadMax } = settings;
    const lane = (source: string) =>
      new PushLane({ source, store, cleaner, random, log, overheadMax });
    this.#lanes = { anonymous: lane(ANONYMOUS_SOURCE), token: lane(TOKEN_SOURCE) };
  }

  open(sender: Sender): Intake {
    let held = 0;
    return {
      take: (bytes) => {
        if (this.#held[sender] + bytes > this.#heldBytesMax) return false;
        this.#held[sender] += bytes;
        held += bytes;
        return true;
      },
      send: (payload) => this.#lanes[sender].push(payload),
      [Symbol.dispose]: () => {
        this.#held[sender] -= held;
        held = 0;
      },
    };
  }

  /** Until everything that came was answered. */
  async idle(): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.idle()));
  }
}
