/** The events that one line gives, each with what is known of the session it belongs to. */
import type { Event } from '../../../facts/index.ts';
import type { Decoded } from '../../types.ts';
import { attemptOf, type Failed, failedAs, type Waiting } from './calls.ts';
import type { Correction } from './conversation.ts';
import { argumentsText, elapsedMs, known, mcpServer } from './values.ts';

/** What came of a call. */
export interface Outcome {
  readonly success: boolean;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly bytes: number | undefined;
  /** As the tool itself measured it: the time between two lines has the wait for a permission in it. */
  readonly latencyMs: number | undefined;
}

/** A step of a session that is no call of a tool. */
export interface Step {
  readonly atMs: number | undefined;
  readonly agent: string;
  readonly spanId: string;
  readonly name: string;
  readonly operation: 'chat' | 'compact' | 'invoke_agent';
  readonly success: boolean;
  readonly parentSpanId?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly attempt?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
}

/** Of the line's own time and agent, unless given. */
export type LineStep = Omit<Step, 'atMs' | 'agent'> & {
  readonly atMs?: number | undefined;
  readonly agent?: string | undefined;
};

export class Telling {
  readonly records: Decoded[] = [];
  readonly #common: {
    readonly session: string;
    readonly traceId: string;
    readonly version?: string;
  };

  constructor(session: string, version: string | undefined) {
    this.#common = { session, traceId: session, ...known({ version }) };
  }

  step({ atMs, ...step }: Step): void {
    if (atMs !== undefined)
      this.#add({ kind: 'trace_span', ...this.#common, atMs, ...known(step) });
  }

  correction(correction: Correction, atMs: number, agent: string): void {
    this.#add({ kind: 'user_correction', ...this.#common, atMs, agent, ...correction });
  }

  taskFailure(atMs: number, agent: string, errorCategory: string, errorMessage?: string): void {
    const failure = { kind: 'task_failure' as const, ...this.#common, atMs, agent, task: 'turn' };
    this.#add({ ...failure, errorCategory, ...known({ errorMessage }) });
  }

  /** Returns what it means for the number of the next try. */
  call(
    call: Waiting,
    outcome: Outcome,
    about: {
      readonly id: string | undefined;
      readonly endMs: number | undefined;
      /** Where lines have no time. */
      readonly aboutMs?: number | undefined;
      readonly parent?: string | undefined;
      readonly failed: Failed | null;
    },
  ): Failed | null {
    const attempt = attemptOf(about.failed, call.tool, call.input);
    const atMs = call.atMs ?? about.endMs ?? about.aboutMs;
    if (atMs === undefined) return about.failed;
    this.#add({
      kind: 'tool_call',
      ...this.#common,
      atMs,
      agent: call.agent,
      tool: call.tool,
      success: outcome.success,
      ...known({
        spanId: about.id,
        parentSpanId: call.parent ?? about.parent,
        model: call.model ?? undefined,
        provider: call.told?.provider ?? mcpServer(call.tool),
        errorCode: outcome.code,
        errorMessage: outcome.message,
        latencyMs: outcome.latencyMs ?? elapsedMs(call.atMs ?? undefined, about.endMs),
        argumentNames: call.names.length === 0 ? undefined : call.names,
        arguments: call.input === null ? undefined : argumentsText(call.input),
        attempt,
        inputBytes: call.inputBytes ?? undefined,
        outputBytes: outcome.bytes,
      }),
    });
    return outcome.success ? null : failedAs(call.tool, call.input, attempt);
  }

  #add(event: Event): void {
    this.records.push({ ok: true, event });
  }
}
