/** What comes of one call, when its attempt in the world is known: refused, cut off, failed or answered. Pure but for words. */
import type { ToolSettings } from './agent-file.ts';
import { overloadMessage, timeoutMessage } from './messages.ts';
import type { Wording } from './schema-parts.ts';
import type { Admitted } from './shared-limits.ts';
import type { Attempt } from './world.ts';
import type { ToolWorld } from './world-schema.ts';

/** A timeout is noticed at most this share too late, the end of a tool's own limit hardly at all. */
const LATENESS_MAX = 0.02;
const LIMIT_LATENESS_MAX = 0.003;

export interface Failure {
  /** Empty where the event has none. */
  readonly code: string;
  readonly message: string;
}

export interface CallAnswer {
  readonly failure: Failure | undefined;
  readonly latencyMs: number;
  /** Whether the agent gave it up. */
  readonly isCut: boolean;
  readonly output?: number | undefined;
}

/** Fills in one of the messages; what is named has placeholders of its own. */
export type Say = (
  wording: Wording,
  named?: { readonly limit?: number; readonly argument?: string },
) => string;

interface Called {
  readonly tool: string;
  readonly world: ToolWorld;
  readonly settings: ToolSettings;
  readonly attempt: Attempt;
  readonly admitted: Extract<Admitted, { refused: false }>;
  readonly say: Say;
}

/** Of a call that was let in. */
export function answerOf(called: Called): CallAnswer {
  const { tool, world, settings, attempt, admitted, say } = called;
  const { timeoutMs } = settings;
  const { toolError, lateness } = attempt;
  const wholeMs = Math.round(admitted.waitMs + attempt.latencyMs * admitted.slower);
  const endMs =
    toolError?.after_ms === undefined
      ? wholeMs
      : Math.min(wholeMs, Math.round(admitted.waitMs + toolError.after_ms));
  const { limit, timed_out } = world;
  const isLimited = limit !== undefined && endMs > limit.ms;
  const latencyMs = isLimited ? Math.round(limit.ms * (1 + LIMIT_LATENESS_MAX * lateness)) : endMs;
  if (latencyMs > timeoutMs) {
    const failure =
      timed_out === undefined
        ? { code: 'timeout', message: timeoutMessage(tool, timeoutMs, attempt.random) }
        : { code: timed_out.code ?? '', message: say(timed_out, { limit: timeoutMs }) };
    return {
      failure,
      latencyMs: Math.round(timeoutMs * (1 + LATENESS_MAX * lateness)),
      isCut: true,
    };
  }
  const ended = { latencyMs, isCut: false };
  if (isLimited)
    return {
      ...ended,
      failure: { code: limit.code ?? '', message: say(limit, { limit: limit.ms }) },
    };
  if (toolError !== undefined)
    return { ...ended, failure: { code: toolError.code, message: say(toolError) } };
  return { ...ended, ...lengthOf(called) };
}

function lengthOf({ world, settings: { outputMax }, attempt: { output }, say }: Called) {
  if (output === undefined || outputMax === undefined || output <= outputMax)
    return { failure: undefined, output };
  const wording: Wording = world.too_long ?? {
    messages: ['{tool}: the answer was cut at {limit} tokens (request {id})'],
  };
  const code = wording.code ?? 'truncated';
  return { failure: { code, message: say(wording, { limit: outputMax }) }, output: outputMax };
}

/** Of a call that found no place. */
export function refusedBy(
  tool: string,
  { by, capacity }: Extract<Admitted, { refused: true }>,
  say: Say,
): Failure {
  const { code, wording } = by;
  if (wording === undefined) return { code, message: overloadMessage(tool, capacity) };
  return { code: wording.code ?? code, message: say(wording, { limit: capacity }) };
}
