/** What the outbox asks of a destination, and of the rest of Hone. */
import type { Clock, Json, Random } from '../base/index.ts';
import type { EffectResult, EffectState, Lane, StepKind } from '../facts/index.ts';
import type { Leases } from '../lease/index.ts';
import type { Store } from '../store/index.ts';

export interface Effect {
  readonly id: number;
  readonly key: string;
  readonly destination: string;
  readonly step: StepKind;
  readonly lane: Lane;
  readonly state: EffectState;
  readonly attempts: number;
  /** Nothing is looked for or sent before; later than what an earlier attempt may still do. */
  readonly dueAtMs: number;
  readonly payload: Json;
  readonly error: string | null;
  /** What the destination gave back; null where it gave nothing, or nothing that is kept. */
  readonly result: EffectResult | null;
  readonly changedAtMs: number;
}

export type Sent =
  | { readonly outcome: 'delivered'; readonly result?: EffectResult }
  | {
      readonly outcome: 'failed';
      readonly error: string;
      /** The destination will never take it: trying again is useless. */
      readonly permanent?: boolean;
      /** Certainly not done (the connection was refused): safe to try again, even once-only. */
      readonly notDone?: boolean;
    };

interface Send {
  readonly name: string;
  /** Must not throw for what the destination does; a throw counts as a failure that may have happened. */
  send(effect: Effect, signal: AbortSignal): Promise<Sent>;
}

export type Destination =
  | (Send & { readonly kind: 'keyed' })
  | (Send & {
      readonly kind: 'findable';
      /** Whether it happened, or what it gave back then. */
      find(
        effect: Effect,
        signal: AbortSignal,
      ): Promise<boolean | { readonly result: EffectResult }>;
    })
  | (Send & { readonly kind: 'once' });

/** Steps that may act now: all of them, or, while everything is stopped, those that never stop. */
export type AllowedSteps = () => Promise<readonly StepKind[]>;

export interface OutboxLimits {
  readonly attemptsMax: number;
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
  /** An attempt is given up after this; what it sent is carried out within two of these, or never. */
  readonly sendTimeoutMs: number;
  readonly leaseMs: number;
}

export interface DeliverPorts {
  readonly store: Store;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly random: Random;
  readonly allowedSteps: AllowedSteps;
  readonly holder: string;
  readonly limits: OutboxLimits;
}
