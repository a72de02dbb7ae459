/** What is counted of an event: its dimensions, its latency, the message that says what went wrong. */
import type { EventKind, EventOf } from '../facts/index.ts';
import type { CleanEvent } from './types.ts';

/** What the counts of a series are about. Empty where the event names none. */
export interface Dimensions {
  /** `aside` for lines that are not events: they are counted in the minute they were seen. */
  readonly type: EventKind | 'aside';
  readonly agent: string;
  readonly tool: string;
  readonly task: string;
  readonly variant: string;
  readonly errorCode: string;
  /** The miner's id, as it was when the event came; see `TemplateBook` for what it is today. */
  readonly template: string;
  /** The configured source that it came from. */
  readonly source: string;
  /** Null where success says nothing about the event. */
  readonly ok: 0 | 1 | null;
}

export const NO_DIMENSIONS = {
  agent: '',
  tool: '',
  task: '',
  variant: '',
  errorCode: '',
  template: '',
  ok: null,
} as const;

export interface EventFacts {
  readonly dimensions: Omit<Dimensions, 'template' | 'source'>;
  readonly latencyMs: number | null;
  /** The miner's input; empty if nothing failed or there is no message. */
  readonly message: string;
  /** Whether the session did something, and whether one of its tasks failed or a person corrected it. */
  readonly activity: 'none' | 'active' | 'failed' | 'corrected';
}

export function factsOf(event: CleanEvent): EventFacts {
  const { latencyMs = null, message = '', activity = 'none', ...dimensions } = partsOf(event);
  return {
    dimensions: {
      type: event.kind,
      agent: ('agent' in event ? event.agent : undefined) ?? '',
      tool: '',
      task: '',
      variant: event.variant ?? '',
      errorCode: '',
      ok: null,
      ...dimensions,
    },
    latencyMs,
    message,
    activity,
  };
}

type Parts = Partial<EventFacts['dimensions']> & Partial<Omit<EventFacts, 'dimensions'>>;

/** Below this confidence it was probably not a correction. */
const CERTAINTY_MIN = 0.5;

function partsOf(event: CleanEvent): Parts {
  switch (event.kind) {
    case 'tool_call': {
      const { errorCode = '', errorMessage = errorCode, success } = event;
      return {
        tool: event.tool,
        task: event.task ?? '',
        errorCode,
        ok: success ? 1 : 0,
        latencyMs: event.latencyMs ?? null,
        message: success ? '' : errorMessage,
        activity: 'active',
      };
    }
    case 'task_failure': {
      const { task, errorCategory, finalStatus } = event;
      const status = finalStatus === undefined ? errorCategory : `${errorCategory}: ${finalStatus}`;
      const message = event.errorMessage ?? status;
      return { task, errorCode: errorCategory, ok: 0, message, activity: 'failed' };
    }
    case 'user_correction': {
      const isSure = (event.certainty ?? 1) >= CERTAINTY_MIN;
      return { errorCode: event.correction, activity: isSure ? 'corrected' : 'active' };
    }
    case 'feedback': {
      const isGood = event.rating === 'thumbs_up';
      return { ok: isGood ? 1 : 0, activity: isGood ? 'active' : 'corrected' };
    }
    case 'escalation':
      return { errorCode: event.reason, activity: 'active' };
    case 'test_result':
      return testParts(event);
    case 'trace_span': {
      const { errorCode = '', errorMessage = errorCode, success } = event;
      return {
        task: event.task ?? '',
        errorCode,
        ok: success ? 1 : 0,
        latencyMs: event.durationMs ?? null,
        message: success ? '' : errorMessage,
      };
    }
    case 'log_line': {
      const isBad = event.level === 'error' || event.level === 'fatal';
      return { ok: isBad ? 0 : 1, message: isBad ? event.message : '' };
    }
    case 'metric':
    case 'change':
      return {};
  }
}

function testParts(event: EventOf<'test_result'>): Parts {
  const ok = event.status === 'passed' ? 1 : event.status === 'failed' ? 0 : null;
  return {
    ok,
    latencyMs: event.durationMs ?? null,
    message: ok === 0 ? (event.errorMessage ?? '') : '',
  };
}
