/** What is counted of events in a window: failures by place, latencies, rates. Everything of it was sanitised. */

/** From (inclusive) and to (exclusive), milliseconds since 1970. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One event behind a failure, sanitised; `id` leads back to it. */
export interface FailureExample {
  readonly id: string;
  readonly atMs: number;
  readonly session: string;
  readonly message: string;
  readonly latencyMs: number | null;
}

/** How long calls took. Counted in buckets, so that windows can be added; null if there is none. */
export interface LatencyView {
  readonly count: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** Ascending; `uptoMs` is the upper edge of the bucket, about 5 % above its lower edge. */
  readonly buckets: readonly { readonly uptoMs: number; readonly count: number }[];
}

/** Which events tell that something failed. */
export const FAILING_EVENTS = [
  'tool_call',
  'task_failure',
  'user_correction',
  'trace_span',
  'test_result',
  'log_line',
] as const;
export type FailingEvent = (typeof FAILING_EVENTS)[number];

/** What was counted at a place from `atMs` on, up to the next bin of its record. */
export interface PlaceBin extends RateBin {
  /** Calls that succeeded and said how long they took, and how long that was, added up. */
  readonly timed: number;
  readonly timedMs: number;
  /** Everybody's calls of the same tool, and those of other agents alone with their failures. */
  readonly toolCalls: number;
  readonly othersCalls: number;
  readonly othersFailed: number;
  /** Those of the others that succeeded and said how long they took, and how long that was. */
  readonly othersTimed?: number;
  readonly othersTimedMs?: number;
}

/** Failed calls of a tool and the tries that followed them; `fromMs` is from when on they were counted. */
export interface TriesView {
  readonly fromMs: number;
  /** By the minute, of every agent: calls that failed, and tries after a failure that failed, too. */
  readonly bins: readonly {
    readonly atMs: number;
    readonly first: number;
    readonly again: number;
  }[];
  /** Of this agent: how often so many tries in a row failed, ascending. */
  readonly chains: readonly { readonly failed: number; readonly count: number }[];
}

/** One call as telemetry tells it, in short. A field is absent where the event does not say it. */
export interface RecentCall {
  readonly agent: string;
  readonly tool: string;
  /** When it began: its end less how long it took. */
  readonly startMs: number;
  readonly endMs: number;
  /** Null where it succeeded; else its code, empty where it has none. */
  readonly failedWith: string | null;
  /** Which try of one call it was, from 1. */
  readonly attempt?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly argumentNames?: readonly string[];
  readonly parameterNames?: readonly string[];
}

/** Failures at a place that belong to one task. */
export interface TaskCell {
  readonly task: string;
  readonly failures: number;
  readonly calls: number;
}

/** What calls have beside their place, as telemetry names it. */
export const CALL_ATTRIBUTES = [
  'task',
  'variant',
  'model',
  'version',
  'provider',
  'source',
] as const;

/** Calls at a place that have one value of an attribute. */
export interface AttributeCell {
  readonly attribute: (typeof CALL_ATTRIBUTES)[number];
  readonly value: string;
  readonly failures: number;
  readonly calls: number;
}

/** Failures in a window that look alike and happened at one place, counted. */
export interface FailureCount {
  /** What told it; a call or a task where absent. */
  readonly event?: FailingEvent;
  /** The message with `<*>` where it varies. */
  readonly template: string;
  /** Of a test its suite; empty where the event names none. */
  readonly agent: string;
  /** Of a span and a test its name, of a line its logger; empty where the event names none. */
  readonly tool: string;
  readonly errorCode: string;
  /** The sources that reported it. */
  readonly sources: readonly string[];
  readonly failures: number;
  /** All calls of this agent and tool in the window, failed or not; all spans, runs or lines of the place; of tasks and corrections the agent's sessions, once in each hour. */
  readonly calls: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** Where its events are kept: every occurrence leads back to one of them. */
  readonly series?: readonly number[];
  /** Of calls: the tasks that meet it, most failures first; at most 20. */
  readonly tasks?: readonly TaskCell[];
  /** Of calls: the attributes of those that fail, most failures first; at most 20. */
  readonly attributes?: readonly AttributeCell[];
}

/** The same with all that is known of them. */
export interface FailureGroup extends FailureCount {
  /** Different sessions that met it. */
  readonly sessions: number;
  /** At most 20, spread over the window. */
  readonly examples: readonly FailureExample[];
  readonly failedLatency: LatencyView | null;
  /** Of this agent's and tool's calls that succeeded. */
  readonly succeededLatency: LatencyView | null;
  /**
   * How it was before the window and in it, as far as the record goes, ascending: `bad` is this failure, `all` the calls
   * at its place. Hours before the window, minutes in it; without empty ones.
   */
  readonly history: readonly PlaceBin[];
  /** Of calls; null where tries cannot be told. */
  readonly tries?: TriesView | null;
}

/** What failed in a window. */
export interface Failures {
  /** Most failures first. */
  readonly groups: readonly FailureGroup[];
  /** What came beyond the number of groups that are looked at. */
  readonly folded: { readonly groups: number; readonly failures: number };
}

/** Counted, with its examples for those who need them: reading them takes longer than counting. */
export interface CountedFailure extends FailureCount {
  examples(): Promise<readonly FailureExample[]>;
}

/** Which share is counted: calls that fail, tasks that fail, answers that people correct. */
export const RATE_METRICS = ['error_rate', 'task_failure_rate', 'correction_rate'] as const;
export type RateMetric = (typeof RATE_METRICS)[number];

/** What happened in one minute. `bad` of `all`, in the metric's bad direction. */
export interface RateBin {
  readonly atMs: number;
  readonly bad: number;
  readonly all: number;
  /** Of sessions: those not seen before in the same hour. A long one is active in many minutes, and begins in one. */
  readonly begun?: number | undefined;
}
