/**
 * Telemetry events as Hone keeps them, whatever their original format: each kind of source turns its own
 * format into these. A field that is absent is one that the source does not know.
 *
 * `EVENT_FIELDS` says for every field what it may hold. The types ensure that no field is missing there,
 * and that a text is declared as one: only declared fields are kept, and every text is sanitised.
 */

export const EVENT_KINDS = [
  'tool_call',
  'user_correction',
  'task_failure',
  'feedback',
  'escalation',
  'metric',
  'test_result',
  'trace_span',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const CORRECTION_TYPES = ['retry', 'rephrase', 'abandon'] as const;
export const RATINGS = ['thumbs_up', 'thumbs_down'] as const;
export const ESCALATION_REASONS = ['capability_gap', 'error', 'timeout', 'user_request'] as const;
export const TEST_STATUSES = ['passed', 'failed', 'skipped', 'flaky'] as const;

interface Common {
  readonly atMs: number;
  readonly session: string;
  /** Which of two versions served it, stamped by a target that routes a share to a candidate. */
  readonly variant?: string;
  readonly traceId?: string;
  /** The agent's release or commit. */
  readonly version?: string;
  readonly model?: string;
}

interface ToolCall extends Common {
  readonly kind: 'tool_call';
  readonly agent: string;
  readonly tool: string;
  readonly success: boolean;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly latencyMs?: number;
  readonly task?: string;
}

interface UserCorrection extends Common {
  readonly kind: 'user_correction';
  readonly agent: string;
  readonly correction: (typeof CORRECTION_TYPES)[number];
  /** How sure the source is that it was one, from 0 to 1. Absent: it was stated outright. */
  readonly certainty?: number;
}

interface TaskFailure extends Common {
  readonly kind: 'task_failure';
  readonly agent?: string;
  readonly task: string;
  readonly errorCategory: string;
  readonly retries?: number;
  readonly finalStatus?: string;
}

interface Feedback extends Common {
  readonly kind: 'feedback';
  readonly agent: string;
  readonly rating: (typeof RATINGS)[number];
}

interface Escalation extends Common {
  readonly kind: 'escalation';
  readonly agent: string;
  readonly reason: (typeof ESCALATION_REASONS)[number];
}

interface Metric extends Common {
  readonly kind: 'metric';
  readonly agent?: string;
  readonly name: string;
  readonly value: number;
  readonly unit?: string;
}

interface TestResult extends Common {
  readonly kind: 'test_result';
  readonly suite?: string;
  readonly test: string;
  readonly status: (typeof TEST_STATUSES)[number];
  readonly durationMs?: number;
  readonly errorMessage?: string;
}

interface TraceSpan extends Common {
  readonly kind: 'trace_span';
  readonly agent?: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly success: boolean;
  readonly durationMs?: number;
  readonly errorMessage?: string;
  /** Of a call of a model. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** As a source gives it. Nothing of it was sanitised yet: it must not be stored, shown or logged. */
export type Event =
  | ToolCall
  | UserCorrection
  | TaskFailure
  | Feedback
  | Escalation
  | Metric
  | TestResult
  | TraceSpan;

export type EventOf<K extends EventKind> = Extract<Event, { kind: K }>;

/** Of a name, in characters. */
export const NAME_MAX = 200;
/** Of a text that is kept, in characters. A source may give a longer one: it is cut after it was sanitised. */
export const TEXT_MAX = 16_384;

interface NumberRule {
  readonly min: number;
  readonly max: number;
}

/** `name` has one line, `text` may have several; `session` is a name of which two must not become one. */
export type FieldRule = 'name' | 'text' | 'session' | 'flag' | readonly string[] | NumberRule;

/** A free text can only be declared as one. */
type RuleOf<T> = [T] extends [boolean]
  ? 'flag'
  : [T] extends [number]
    ? NumberRule
    : string extends T
      ? 'name' | 'text' | 'session'
      : readonly T[];

type Rules = {
  readonly [K in EventKind]: {
    readonly [F in keyof Required<Omit<EventOf<K>, 'kind'>>]: RuleOf<Required<EventOf<K>>[F]>;
  };
};

const MS: NumberRule = { min: 0, max: 1e9 };
const COUNT: NumberRule = { min: 0, max: 1e12 };
const COMMON = {
  // Up to when is asked of the clock.
  atMs: { min: 0, max: Number.MAX_SAFE_INTEGER },
  session: 'session',
  variant: 'name',
  traceId: 'name',
  version: 'name',
  model: 'name',
} as const;

export const EVENT_FIELDS: Rules = {
  tool_call: {
    ...COMMON,
    agent: 'name',
    tool: 'name',
    success: 'flag',
    errorCode: 'name',
    errorMessage: 'text',
    latencyMs: MS,
    task: 'name',
  },
  user_correction: {
    ...COMMON,
    agent: 'name',
    correction: CORRECTION_TYPES,
    certainty: { min: 0, max: 1 },
  },
  task_failure: {
    ...COMMON,
    agent: 'name',
    task: 'name',
    errorCategory: 'name',
    retries: COUNT,
    finalStatus: 'name',
  },
  feedback: { ...COMMON, agent: 'name', rating: RATINGS },
  escalation: { ...COMMON, agent: 'name', reason: ESCALATION_REASONS },
  metric: {
    ...COMMON,
    agent: 'name',
    name: 'name',
    value: { min: -Number.MAX_VALUE, max: Number.MAX_VALUE },
    unit: 'name',
  },
  test_result: {
    ...COMMON,
    suite: 'name',
    test: 'name',
    status: TEST_STATUSES,
    durationMs: MS,
    errorMessage: 'text',
  },
  trace_span: {
    ...COMMON,
    agent: 'name',
    spanId: 'name',
    parentSpanId: 'name',
    name: 'name',
    success: 'flag',
    durationMs: MS,
    errorMessage: 'text',
    inputTokens: COUNT,
    outputTokens: COUNT,
  },
};
