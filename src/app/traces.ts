/** Traces: what happened in one session or one trace, as a tree of steps. */
import { isoTime } from '../base/index.ts';
import type {
  TraceShown,
  TracesList,
  TracesListInput,
  TracesShowInput,
} from '../contracts/event.ts';
import { findTraces, spanTree, type TraceSummary, traceEvents } from '../observe/index.ts';
import { type AppContext, withLoop } from './context.ts';
import { shownEvent } from './events.ts';
import { windowOf } from './instant.ts';
import { isRefusal, type Refusal, unknown, usage } from './refusal.ts';
import { faultsOf, wrongStepOf } from './wrong-step.ts';

const DAY_MS = 86_400_000;
/** As long as windows may be (OBS-7). */
const LOOKED_BACK_MS = 14 * DAY_MS;

export function listTraces(
  context: AppContext,
  input: TracesListInput,
): Promise<TracesList | Refusal> {
  return withLoop(context, {}, async (_, { ports }): Promise<TracesList | Refusal> => {
    const { telemetry } = ports;
    const nowMs = await telemetry.nowMs();
    const { since, until, failed = false, ...filter } = input;
    const window = windowOf({ since, until }, nowMs, nowMs - DAY_MS);
    if (isRefusal(window)) return window;
    const found = await findTraces(telemetry, { ...filter, window, onlyFailed: failed });
    const { traces, next } = found;
    return { traces: traces.map(traceJson), more: next !== null, next };
  });
}

function traceJson({ isTrace, firstAtMs, lastAtMs, agents, ...rest }: TraceSummary) {
  return {
    ...rest,
    of: isTrace ? ('trace' as const) : ('session' as const),
    firstAt: isoTime(firstAtMs),
    lastAt: isoTime(lastAtMs),
    agents: [...agents],
  };
}

export function showTrace(
  context: AppContext,
  id: string,
  { since }: TracesShowInput,
): Promise<TraceShown | Refusal> {
  return withLoop(context, {}, async (_, { ports }): Promise<TraceShown | Refusal> => {
    const { telemetry } = ports;
    const nowMs = await telemetry.nowMs();
    const window = windowOf({ since }, nowMs, nowMs - LOOKED_BACK_MS);
    if (isRefusal(window)) return window;
    const { events, more, ambiguous } = await traceEvents(telemetry, id, window);
    if (ambiguous.length > 0)
      return usage(`Several begin with ${id}: ${ambiguous.join(', ')}. Give more of the id.`);
    const [first] = events;
    if (first === undefined) return unknown(noTrace(id, window.fromMs));
    const spans = spanTree(events);
    const faults = faultsOf(events);
    return {
      id: first.event.traceId?.startsWith(id) === true ? first.event.traceId : first.event.session,
      session: first.event.session,
      firstAt: isoTime(first.atMs),
      lastAt: isoTime(events.at(-1)!.atMs),
      failed: spans.filter((one) => one.failed).length,
      spans: spans.map(({ stored, depth, isFirstError, isCut }) => ({
        ...shownEvent(stored),
        depth,
        firstError: isFirstError,
        cut: isCut,
        faults: faults.get(stored.id) ?? [],
      })),
      wrongStep: wrongStepOf(events),
      more,
    };
  });
}

function noTrace(id: string, fromMs: number): string {
  const since = isoTime(fromMs).slice(0, 10);
  return `There is no trace or session ${id} since ${since}; --since looks further back. "hone traces list" names them.`;
}
