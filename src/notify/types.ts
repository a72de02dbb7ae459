import type { Severity, StepKind } from '../facts/index.ts';

/** What somebody is told. */
export interface Notice {
  /** The same notice has the same key: it is sent once to each destination. */
  readonly key: string;
  readonly to: 'approver' | 'operator';
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** What it is part of: news of watching and rolling back are told while everything is stopped. */
  readonly step: StepKind;
}

/** Where notices go, as configured. */
export interface Channels {
  readonly terminal: boolean;
  readonly webhooks: readonly string[];
}
