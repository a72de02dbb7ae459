/** Where the session of a trace went wrong, from the events that are kept of it: calls, steps and how it ended. Pure. */
import type { TraceShown } from '../contracts/event.ts';
import { type FaultKind, firstWrongStep, type SessionStep, stepFaults } from '../diagnose/index.ts';
import { isFailed, type StoredEvent } from '../observe/index.ts';

interface TracedStep extends SessionStep {
  readonly id: string;
}

/** Events in order of time. Hone keeps no texts of models: what was said is what was reported as an error. */
export function wrongStepOf(events: readonly StoredEvent[]): TraceShown['wrongStep'] {
  const above = new Set(events.map(({ event }) => event.parentSpanId));
  const steps = events
    .filter(({ event }) => event.spanId === undefined || !above.has(event.spanId))
    .flatMap((stored) => stepOf(stored) ?? []);
  if (!steps.some(({ failed }) => failed)) return null;
  const found = firstWrongStep(steps);
  if (found === undefined || found.sign === 'start') return null;
  const { step, who, sign, reason, agreement } = found;
  return { event: steps[step]!.id, agent: who, sign, reason, agreement };
}

/** One above others is left to them: it fails because of one of them, and began before it. */
function stepOf({ id, event }: StoredEvent): TracedStep | undefined {
  const failed = isFailed(event);
  switch (event.kind) {
    case 'tool_call':
      return {
        id,
        who: event.agent,
        said: event.errorMessage ?? '',
        act: `${event.tool} ${event.arguments ?? id}`,
        tool: event.tool,
        failed,
      };
    case 'trace_span':
      return {
        id,
        who: event.agent ?? '',
        said: event.errorMessage ?? '',
        act: `${event.name} ${id}`,
        tool: event.name,
        failed,
      };
    case 'task_failure':
      return { id, who: event.agent ?? '', said: event.errorMessage ?? '', failed };
    default:
      return undefined;
  }
}

/** What is wrong with single calls, by event. Texts of models are not kept, so only calls and errors can tell. */
export function faultsOf(events: readonly StoredEvent[]): ReadonlyMap<string, FaultKind[]> {
  const steps = events.flatMap(({ id, event }) =>
    event.kind === 'tool_call'
      ? [
          {
            agent: event.agent,
            id,
            said: '',
            calls: [{ tool: event.tool, work: event.arguments ?? id }],
            error: event.success ? undefined : (event.errorMessage ?? event.errorCode),
          },
        ]
      : [],
  );
  const found = new Map<string, FaultKind[]>();
  for (const run of Map.groupBy(steps, ({ agent }) => agent).values())
    for (const { id, kind } of stepFaults({ tools: [], steps: run }))
      found.set(id, [...(found.get(id) ?? []), kind]);
  return found;
}
