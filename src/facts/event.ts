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
  'log_line',
  'change',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const CORRECTION_TYPES = ['retry', 'rephrase', 'abandon'] as const;
export const RATINGS = ['thumbs_up', 'thumbs_down'] as const;
export const ESCALATION_REASONS = ['capability_gap', 'error', 'timeout', 'user_request'] as const;
export const TEST_STATUSES = ['passed', 'failed', 'skipped', 'flaky'] as const;
export const LINE_LEVELS = ['debug', 'info', 'warning', 'error', 'fatal'] as const;
export const CHANGE_TYPES = ['commit', 'release', 'configuration'] as const;

interface Common {
  readonly atMs: number;
  readonly session: string;
  /** Which of two versions served it, stamped by a target that routes a share to a candidate. */
  readonly variant?: string;
  readonly traceId?: string;
  /** Its own place in the trace, and that of what called it. */
  readonly spanId?: string;
  readonly parentSpanId?: string;
  /** The agent's release or commit. */
  readonly version?: string;
  readonly model?: string;
  /** Who serves the tool or the model: a name or a host. */
  readonly provider?: string;
}

/** What a call took. Tokens of the input include those that came from a cache. */
interface Spent {
  /** 1 is the first try. */
  readonly attempt?: number;
  readonly inputBytes?: number;
  readonly outputBytes?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
}

interface ToolCall extends Common, Spent {
  readonly kind: 'tool_call';
  readonly agent: string;
  readonly tool: string;
  readonly success: boolean;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly latencyMs?: number;
  readonly task?: string;
  readonly argumentNames?: readonly string[];
  /** Those that the tool takes, by the definition that the agent was given. */
  readonly parameterNames?: readonly string[];
  /** As canonical JSON. Only a keyed hash of it is kept, by which equal arguments are recognised. */
  readonly arguments?: string;
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
  readonly errorMessage?: string;
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
  /** What was added since the last one, as of a counter; absent: how much there is. */
  readonly isSum?: boolean;
}

interface TestResult extends Common {
  readonly kind: 'test_result';
  readonly suite?: string;
  readonly test: string;
  readonly status: (typeof TEST_STATUSES)[number];
  readonly durationMs?: number;
  readonly errorMessage?: string;
}

/** A step of a trace that is not a call of a tool: those are `tool_call`, with their `spanId`. */
interface TraceSpan extends Common, Spent {
  readonly kind: 'trace_span';
  readonly agent?: string;
  readonly spanId: string;
  readonly name: string;
  /** What kind of step it is: `chat`, `invoke_agent`, `http`. */
  readonly operation?: string;
  readonly task?: string;
  readonly success: boolean;
  readonly durationMs?: number;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

/** A line of a log that says nothing more definite. */
interface LogLine extends Common {
  readonly kind: 'log_line';
  readonly agent?: string;
  /** The part of the program that wrote it. */
  readonly logger?: string;
  readonly level: (typeof LINE_LEVELS)[number];
  readonly message: string;
}

/** Something that people or programs changed and that may explain what follows. */
interface Changed extends Common {
  readonly kind: 'change';
  readonly agent?: string;
  readonly change: (typeof CHANGE_TYPES)[number];
  /** A commit's id, a version, a key. */
  readonly name: string;
  readonly title?: string;
  readonly paths?: readonly string[];
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
  | TraceSpan
  | LogLine
  | Changed;

export type EventOf<K extends EventKind> = Extract<Event, { kind: K }>;

/** Of a name, in characters. */
export const NAME_MAX = 200;
/** Of a text that is kept, in characters. A source may give a longer one: it is cut after it was sanitised. */
export const TEXT_MAX = 16_384;
/** Of a list of names, such as a call's arguments. */
export const NAMES_MAX = 50;

interface NumberRule {
  readonly min: number;
  readonly max: number;
}

/**
 * `name` has one line, `text` may have several; `names` are at most `NAMES_MAX` names; `session` is a name of which
 * two must not become one; of a `hash` only a keyed hash is kept.
 */
export type FieldRule =
  | 'name'
  | 'text'
  | 'names'
  | 'session'
  | 'hash'
  | 'flag'
  | readonly string[]
  | NumberRule;

/** A free text can only be declared as one. */
type RuleOf<T> = [T] extends [boolean]
  ? 'flag'
  : [T] extends [number]
    ? NumberRule
    : [T] extends [readonly string[]]
      ? 'names'
      : string extends T
        ? 'name' | 'text' | 'session' | 'hash'
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
  spanId: 'name',
  parentSpanId: 'name',
  version: 'name',
  model: 'name',
  provider: 'name',
} as const;
const SPENT = {
  attempt: { min: 1, max: 1e6 },
  inputBytes: COUNT,
  outputBytes: COUNT,
  inputTokens: COUNT,
  outputTokens: COUNT,
  costUsd: { min: 0, max: 1e9 },
} as const;

export const EVENT_FIELDS: Rules = {
  tool_call: {
    ...COMMON,
    ...SPENT,
    agent: 'name',
    tool: 'name',
    success: 'flag',
    errorCode: 'name',
    errorMessage: 'text',
    latencyMs: MS,
    task: 'name',
    argumentNames: 'names',
    parameterNames: 'names',
    arguments: 'hash',
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
    errorMessage: 'text',
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
    isSum: 'flag',
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
    ...SPENT,
    agent: 'name',
    name: 'name',
    operation: 'name',
    task: 'name',
    success: 'flag',
    durationMs: MS,
    errorCode: 'name',
    errorMessage: 'text',
  },
  log_line: { ...COMMON, agent: 'name', logger: 'name', level: LINE_LEVELS, message: 'text' },
  change: {
    ...COMMON,
    agent: 'name',
    change: CHANGE_TYPES,
    name: 'name',
    title: 'text',
    paths: 'names',
  },
};
