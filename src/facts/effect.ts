/** External effects, as rooms ask for them and the outbox keeps them. */
import type { Json } from '../base/index.ts';
import type { StepKind } from './switch.ts';

/**
 * What a destination can do about a repeated send: it honours our key (`keyed`), we can look whether
 * it happened (`findable`), or neither (`once`).
 */
export const DESTINATION_KINDS = ['keyed', 'findable', 'once'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/**
 * `queued` waits for its turn, `sending` was claimed, `delivered` happened, `dead` ran out of
 * attempts or was refused for good, `uncertain` may have happened: a person says which,
 * `dropped` a person decided against it.
 */
export const EFFECT_STATES = [
  'queued',
  'sending',
  'delivered',
  'dead',
  'uncertain',
  'dropped',
] as const;
export type EffectState = (typeof EFFECT_STATES)[number];

/**
 * Lanes of a destination, the most urgent first. Each is sent by itself: what fails or is slow in one holds up no
 * other. `rollback`: what watching and taking back have to say; `decision`: what people are asked, and what they
 * decided; `news`: the rest.
 */
export const LANES = ['rollback', 'decision', 'news'] as const;
export type Lane = (typeof LANES)[number];

/** What a destination gave back for an effect, such as the address of what it made. */
export type EffectResult = Readonly<Record<string, string>>;

/** What a room hands to `store.commit`. The same key twice is one effect. */
export interface EffectDraft {
  readonly key: string;
  readonly destination: string;
  readonly payload: Json;
  /** What it is part of: while everything is stopped, only watching and rolling back go on. */
  readonly step: StepKind;
  /** As its step says, if absent. */
  readonly lane?: Lane;
  /** Not before this time; now, if absent. */
  readonly dueAtMs?: number;
}
