/** What was counted of units of work, for those who look for causes and watch changes. Everything was sanitised. */
import type { EventKind } from './event.ts';
import type { LatencyView } from './failures.ts';
import type { CauseLayer } from './pattern.ts';

/** What calls took, added up; zero where no event said it. */
export interface SpentSums {
  /** Calls that were not the first try. */
  readonly retries: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly costUsd: number;
}

/** One minute of a unit, of those of its events that succeeded, that failed, or of which neither is known. */
export interface UnitMinute extends SpentSums {
  readonly atMs: number;
  readonly ok: boolean | null;
  readonly events: number;
  /** Events that said how long they took. Their sum over 60 s is the number of calls in flight. */
  readonly timed: number;
  readonly latencySumMs: number;
  /** Null where none was timed. */
  readonly latencyMinMs: number | null;
  readonly latencyMaxMs: number | null;
}

/** The events of one kind, agent, tool and task. */
export interface Unit {
  readonly event: EventKind;
  readonly agent: string;
  readonly tool: string;
  readonly task: string;
  /** Ascending, without empty ones. */
  readonly minutes: readonly UnitMinute[];
}

/** The calls or steps of one agent and tool by hour, ascending, without empty hours. */
export interface UnitHours {
  readonly event: 'tool_call' | 'trace_span';
  readonly agent: string;
  readonly tool: string;
  readonly hours: readonly {
    readonly atMs: number;
    readonly events: number;
    /** Of those that succeeded and said how long they took. */
    readonly timed: number;
    readonly latencySumMs: number;
    readonly tokens: number;
    readonly costUsd: number;
  }[];
}

/** The calls of one agent and tool by hour, ascending, without empty hours: what a change is watched by. */
export interface CallHours {
  readonly agent: string;
  readonly tool: string;
  readonly hours: readonly CallHour[];
}

export interface CallHour {
  readonly atMs: number;
  readonly calls: number;
  readonly failed: number;
  /** Of all that said how long they took; over an hour this is the number of calls in flight. */
  readonly timed: number;
  readonly latencySumMs: number;
  /** Of those of them that succeeded. */
  readonly timedWell: number;
  readonly latencyWellMs: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** The sessions of one agent by hour, ascending, without empty hours. */
export interface SessionHours {
  readonly agent: string;
  readonly hours: readonly {
    readonly atMs: number;
    readonly sessions: number;
    /** Of them, those that had a task fail. */
    readonly failed: number;
    /** Those in which a person corrected or disliked an answer. */
    readonly corrected: number;
  }[];
  /** Which of its tasks failed, where more than one did. */
  readonly tasks?: readonly TaskHours[] | undefined;
}

/** Failures of one kind of task by hour, ascending, without empty hours. */
export interface TaskHours {
  readonly name: string;
  readonly hours: readonly {
    readonly atMs: number;
    readonly failed: number;
  }[];
}

/** A metric's values by hour, ascending, without empty hours. */
export interface MetricHours {
  readonly agent: string;
  readonly name: string;
  /** Its values add up: each is what came since the one before. */
  readonly isSum: boolean;
  readonly hours: readonly {
    readonly atMs: number;
    readonly values: number;
    readonly sum: number;
    readonly min: number;
    readonly max: number;
  }[];
}

/** By what events can be counted. */
export const BREAKDOWNS = [
  'agent',
  'tool',
  'task',
  'template',
  'variant',
  'model',
  'version',
  'provider',
  'errorCode',
  'source',
  'event',
  'layer',
] as const;
export type BreakdownBy = (typeof BREAKDOWNS)[number];

/** What was counted under one name. */
export interface BreakdownRow extends SpentSums {
  /** Empty for events that have none. */
  readonly name: string;
  readonly events: number;
  readonly failed: number;
  /** Of events that say whether they succeeded. */
  readonly judged: number;
  readonly latency: LatencyView | null;
}

const LAYERS: Readonly<Record<EventKind, CauseLayer>> = {
  tool_call: 'tool',
  trace_span: 'workflow',
  task_failure: 'workflow',
  user_correction: 'output',
  feedback: 'output',
  escalation: 'behavior',
  test_result: 'behavior',
  change: 'settings',
  metric: 'environment',
  log_line: 'environment',
};

/** The layer that an event shows itself in. What causes it may be in another. */
export function layerOf(event: EventKind): CauseLayer {
  return LAYERS[event];
}
