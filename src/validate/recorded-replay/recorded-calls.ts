/** The calls of a recorded session, as far as its events say what a replay needs. Events came from outside. Pure. */
import { z } from 'zod';
import type { ReplayCase } from '../types.ts';

export interface RecordedCall {
  readonly agent: string | null;
  readonly tool: string;
  readonly ok: boolean;
  readonly latencyMs: number | null;
  readonly code: string | null;
}

export interface RecordedSession {
  readonly id: string;
  /** Each with its tries, in the order in which they happened. */
  readonly calls: readonly (readonly RecordedCall[])[];
  readonly failed: boolean;
  /** There were more events: nobody knows here how it ended. */
  readonly isCut: boolean;
}

const callSchema = z.object({
  event_type: z.literal('tool_call'),
  agent: z.string().nullish(),
  tool: z.string(),
  success: z.boolean(),
  error_code: z.string().nullish(),
  latency_ms: z.number().nonnegative().nullish(),
  attempt: z.number().int().positive().nullish(),
});
const taskFailureSchema = z.object({ event_type: z.literal('task_failure') });

/**
 * A session failed as it does where sessions are drawn (`observe/recorded-sessions.ts`): by a failed task, or where none is reported at
 * all, by its last call.
 */
export function recordedSessions(cases: readonly ReplayCase[]): readonly RecordedSession[] {
  const failsTask = ({ events }: ReplayCase) =>
    events.some((event) => taskFailureSchema.safeParse(event).success);
  const saysTasks = cases.some(failsTask);
  return cases.map((one) => {
    const calls = callsOf(one);
    const last = calls.at(-1)?.at(-1);
    return {
      ...{ id: one.id, calls, isCut: one.cut },
      failed: saysTasks ? failsTask(one) : last?.ok === false,
    };
  });
}

function callsOf({ events, agent }: ReplayCase): readonly (readonly RecordedCall[])[] {
  const calls: RecordedCall[][] = [];
  for (const event of events) {
    const { success, data } = callSchema.safeParse(event);
    if (!success) continue;
    const call = {
      ...{ agent: data.agent ?? agent, tool: data.tool, ok: data.success },
      ...{ latencyMs: data.latency_ms ?? null, code: data.error_code ?? null },
    };
    // The calls of a session may overlap: a further try belongs to the last call of its tool that failed.
    const tried =
      (data.attempt ?? 1) > 1
        ? calls.findLast((tries) => tries.at(-1)!.tool === call.tool && !tries.at(-1)!.ok)
        : undefined;
    if (tried === undefined) calls.push([call]);
    else tried.push(call);
  }
  return calls;
}
