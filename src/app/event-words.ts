/** What an event is, in a few words for people. Its texts were sanitised. */
import type { Event } from '../facts/index.ts';

export interface EventWords {
  /** Who or what: `web_search of researcher`. */
  readonly what: string;
  /** What happened: the error, the level, the value. May be empty. */
  readonly said: string;
  readonly durationMs: number | null;
}

export function eventWords(event: Event): EventWords {
  const { what, said = '', durationMs = null } = wordsOf(event);
  return { what, said, durationMs };
}

interface Words {
  readonly what: string;
  readonly said?: string | undefined;
  readonly durationMs?: number | undefined;
}

function wordsOf(event: Event): Words {
  switch (event.kind) {
    case 'tool_call':
      return {
        what: placeWords(event.tool, event.agent),
        said: event.success ? undefined : failure(event),
        durationMs: event.latencyMs,
      };
    case 'user_correction':
      return { what: `${event.agent} was corrected`, said: correctionWords(event) };
    case 'task_failure':
      return {
        what: placeWords(event.task, event.agent ?? ''),
        said: event.errorMessage ?? event.errorCategory,
      };
    case 'feedback':
      return { what: event.agent, said: event.rating.replace('_', ' ') };
    case 'escalation':
      return { what: `${event.agent} asked for help`, said: event.reason.replace('_', ' ') };
    case 'metric':
      return {
        what: placeWords(event.name, event.agent ?? ''),
        said: `${event.value}${event.unit === undefined ? '' : ` ${event.unit}`}`,
      };
    case 'test_result':
      return {
        what: event.suite === undefined ? event.test : `${event.suite}: ${event.test}`,
        said: [event.status, event.errorMessage].filter(Boolean).join(': '),
        durationMs: event.durationMs,
      };
    case 'trace_span':
      return {
        what: placeWords(event.name, event.agent ?? ''),
        said: event.success ? undefined : failure(event),
        durationMs: event.durationMs,
      };
    case 'log_line':
      return {
        what: [event.level, event.logger ?? event.agent].filter(Boolean).join(' '),
        said: event.message,
      };
    case 'change':
      return { what: `${event.change} ${event.name}`, said: event.title };
  }
}

/** `web_search of researcher`. */
function placeWords(name: string, agent: string): string {
  if (name === '') return agent;
  return agent === '' ? name : `${name} of ${agent}`;
}

function failure({
  errorCode,
  errorMessage,
}: {
  errorCode?: string;
  errorMessage?: string;
}): string {
  return errorMessage ?? errorCode ?? 'failed';
}

function correctionWords({ correction, certainty }: Extract<Event, { kind: 'user_correction' }>) {
  return certainty === undefined || certainty >= 0.5 ? correction : `perhaps: ${correction}`;
}
