import type { EffectDraft, Severity, StepKind } from '../facts/index.ts';
import type { Write } from '../store/index.ts';

/** What somebody is told. */
export interface Notice {
  /** The same notice has the same key: it is sent once to each destination. */
  readonly key: string;
  /**
   * A role, or somebody's name as the configuration has it. Every destination gets every notice, with
   * this in it; sorting by it is the receiver's.
   */
  readonly to: string;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** What it is part of: news of watching and rolling back are told while everything is stopped. */
  readonly step: StepKind;
}

/** What goes into the commit that has something to tell. */
export interface Told {
  /** Sent at once. */
  readonly effects: readonly EffectDraft[];
  /** Kept for the next batch. */
  readonly writes: readonly Write[];
}

/** Where notices go, as configured. */
export interface Channels {
  readonly terminal: boolean;
  readonly webhooks: readonly string[];
}
