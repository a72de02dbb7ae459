/** What a schedule is, what a run answers, and what is known about both. */
import type { Clock } from '../base/index.ts';
import type { EffectDraft, StepKind } from '../facts/index.ts';
import type { Leases } from '../lease/index.ts';
import type { Plan, Store } from '../store/index.ts';

export interface Schedule {
  readonly name: string;
  readonly cron: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  readonly timeoutMs: number;
  /** Checked against the kill switch before each run. */
  readonly step: StepKind;
  /** `dueAtMs`: the time it is run for. Nothing to say is `done`. */
  run(signal: AbortSignal, dueAtMs: number): Promise<RunResult | undefined>;
  /** Notices about a run: effects that commit with its outcome. */
  notices?(run: FinishedRun): readonly EffectDraft[];
}

/** What a run wants committed with its outcome. */
export type RunParts = Pick<Plan, 'writes' | 'entries' | 'effects'>;

export type RunResult =
  | {
      readonly outcome: 'done';
      /** Commits with the outcome, so that a run that is repeated after a crash is still one. */
      readonly parts?: RunParts;
      /** There was nothing to do: its time moves on without an entry. */
      readonly quiet?: boolean;
    }
  /** It must not be done this time, and why: a limit. */
  | { readonly outcome: 'skipped'; readonly why: string }
  /** Not now: something it waits for is under way. */
  | { readonly outcome: 'postponed'; readonly againInMs: number };

export interface FinishedRun {
  readonly name: string;
  readonly dueAtMs: number;
  readonly outcome: RunOutcome;
  /** How many more times had passed while nothing ran. */
  readonly missed: number;
  /** How long after its time it began. */
  readonly lateMs: number;
  /** What went wrong, or why it was skipped. */
  readonly error: string | null;
}

export type RunOutcome = 'done' | 'failed' | 'timed_out' | 'skipped';

export interface SchedulePorts {
  readonly store: Store;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly holder: string;
  readonly allowedSteps: () => Promise<readonly StepKind[]>;
}

export type ScheduleRun =
  | {
      readonly ran: false;
      readonly why: 'not_due' | 'stopped' | 'running' | 'postponed';
      readonly dueAtMs: number;
    }
  | { readonly ran: true; readonly outcome: RunOutcome; readonly missed: number };

export interface ScheduleState {
  readonly name: string;
  /** The expression with its time zone. */
  readonly cron: string;
  readonly nextDueMs: number;
  readonly lastDueMs: number | null;
  readonly lastOutcome: string | null;
  readonly lastFinishedMs: number | null;
}
