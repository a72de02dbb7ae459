/** What the room asks of the rest of Hone. */
import type { EffectDraft, Severity, VerdictOf } from '../facts/index.ts';
import type { GateSettings } from '../proposal/index.ts';

/** A notice; the composition root turns it into effects for the configured receivers. */
export interface Notice {
  /** The same notice has the same key: it is sent once. */
  readonly key: string;
  readonly to: 'approver' | 'operator';
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
}

export interface ApprovePorts {
  readonly nowMs: number;
  readonly gate: GateSettings;
  /** Unanswered for so long: asked again, louder. Never approved. */
  readonly askAgainAfterMs: number;
  /** What whoever decides must know about the change's way to the target, and what is in the way now. */
  beforeDecision(): Promise<readonly string[]>;
  /** The policies by which Hone may decide it by itself. */
  readonly allowedBy?: readonly string[];
  /** Why an approval of an earlier base could not be carried over, in a clause. */
  readonly notCarried?: string;
  /** Effects that commit with the step. */
  notice(notice: Notice): readonly EffectDraft[];
}

export interface Decision {
  /** The last two decide nothing: they hold it, or raise its tier. */
  readonly verdict: Exclude<VerdictOf<'decision'>, 'carried'>;
  readonly reason: string;
  /** The content its maker saw, or its first characters; absent: the current one. */
  readonly digest?: string;
}

/** What the tier depends on beside the proposal. */
export type TierSettings = Pick<GateSettings, 'automaticTiers' | 'requiredModes'>;
