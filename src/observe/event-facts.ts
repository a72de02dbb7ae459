/** What is counted of an event: its dimensions, its latency, the message that says what went wrong. */
import type { EventType } from '../facts/index.ts';
import type { CleanEvent } from './types.ts';

/** What the counts of a series are about. Empty where the event names none. */
export interface Dimensions {
  /** `aside` for lines that are no event: they are counted in the minute they were seen. */
  readonly type: EventType | 'aside';
  readonly agent: string;
  readonly tool: string;
  readonly task: string;
  readonly variant: string;
  readonly errorCode: string;
  /** The miner's id, as it was when the event came; see `TemplateBook` for what it is today. */
  readonly template: string;
  /** Which of the configured sources told it. */
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
  /** What the miner is given; empty when nothing failed or nothing was said. */
  readonly message: string;
  /** Whether the session did something, and whether one of its tasks failed or a person corrected it. */
  readonly activity: 'none' | 'active' | 'failed' | 'corrected';
}

export function factsOf(event: CleanEvent): EventFacts {
  const { latencyMs = null, message = '', activity = 'none', ...dimensions } = partsOf(event);
  return {
    dimensions: {
      type: event.event_type,
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

function partsOf(event: CleanEvent): Parts {
  switch (event.event_type) {
    case 'tool_call': {
      const errorCode = event.error_code ?? '';
      return {
        tool: event.tool,
        task: event.task_name ?? '',
        errorCode,
        ok: event.success ? 1 : 0,
        latencyMs: event.latency_ms,
        message: event.success ? '' : (event.error_message ?? errorCode),
        activity: 'active',
      };
    }
    case 'task_failure':
      return {
        task: event.task_name,
        errorCode: event.error_category,
        ok: 0,
        message: `${event.error_category}: ${event.final_status}`,
        activity: 'failed',
      };
    case 'user_correction':
      return { errorCode: event.correction_type, activity: 'corrected' };
    case 'feedback': {
      const isGood = event.rating === 'thumbs_up';
      return { ok: isGood ? 1 : 0, activity: isGood ? 'active' : 'corrected' };
    }
    case 'escalation':
      return { errorCode: event.reason_category, activity: 'active' };
    case 'test_result':
      return testParts(event);
    case 'trace_span':
      return {
        ok: event.success ? 1 : 0,
        latencyMs: event.duration_ms,
        message: event.success ? '' : (event.error_message ?? ''),
      };
    case 'metric':
      return {};
  }
}

function testParts(event: CleanEvent & { event_type: 'test_result' }): Parts {
  const ok = event.status === 'passed' ? 1 : event.status === 'failed' ? 0 : null;
  return {
    ok,
    latencyMs: event.duration_ms ?? null,
    message: ok === 0 ? (event.error_message ?? '') : '',
  };
}
