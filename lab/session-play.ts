/**
 * One session as an agent lives through it. It is played by steps, because between two of them others use
 * the same tools:
 *
 *   calling ─► waiting ─► calling (the next call, or the same once more)
 *                     └─► after (what users do then) ─► ended
 *
 * The agent's settings are those of the moment the session began. Live traffic and replay play the same
 * code; they differ only in the slots they give.
 */
import { isoTime } from '../src/base/index.ts';
import type { JsonlEvent } from '../src/observe/index.ts';
import type { AgentSettings, ToolSettings } from './agent-file.ts';
import type { Run, Session } from './arrivals.ts';
import { pickWeighted, streamOf } from './draws.ts';
import { fillMessage, overloadMessage, timeoutMessage } from './messages.ts';
import { type Reaction, reactions } from './people.ts';
import { meet } from './world.ts';

/** A timeout is noticed at most this share too late. */
const LATENESS_MAX = 0.02;
const RETRY_PAUSE_MS = 250;
const THINKING_MS = { min: 300, max: 2500 };

export interface Slots {
  /** Takes a slot and says which share of them was taken before; undefined when all are. */
  take(tool: string): number | undefined;
  release(tool: string): void;
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

interface Answer {
  readonly failure: Failure | undefined;
  readonly latencyMs: number;
  readonly holdsSlot: boolean;
  /** How long the agent thinks before its next call: a share from 0 to 1. */
  readonly thinking: number;
  readonly mayRetry: boolean;
}

export interface PlayOptions {
  readonly run: Run;
  readonly session: Session;
  readonly settings: AgentSettings;
  readonly slots: Slots;
  readonly emit: (event: JsonlEvent) => void;
}

export class SessionPlay {
  readonly #options: PlayOptions;
  readonly #task: Session['traffic']['tasks'][number];
  #call = 0;
  #retry = 0;
  #waitingFor: Answer | undefined;
  #failure: Failure | undefined;
  #after: Reaction[] | undefined;

  constructor(options: PlayOptions) {
    this.#options = options;
    const { run, session } = options;
    const draw = streamOf(run.seed, session.id).next();
    this.#task = pickWeighted(session.traffic.tasks, draw);
  }

  /** Why the task failed; undefined while it has not. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  get isTaskDone(): boolean {
    return this.#after !== undefined;
  }

  /** Does what is due now. Returns when the next step is due; undefined when the session has ended. */
  step(nowMs: number): number | undefined {
    if (this.#after !== undefined) return this.#react(nowMs);
    if (this.#waitingFor !== undefined) return this.#takeAnswer(nowMs, this.#waitingFor);
    const tool = this.#task.calls[this.#call]!;
    const settings = this.#settingsOf(tool);
    if (!('timeoutMs' in settings)) return this.#refuse(nowMs, tool, settings);
    this.#waitingFor = this.#callTool(tool, settings);
    return nowMs + this.#waitingFor.latencyMs;
  }

  #settingsOf(tool: string): ToolSettings | Failure {
    const { settings, session } = this.#options;
    if (!settings.ok) return { code: 'bad_settings', message: settings.why };
    const missing = `${session.traffic.file} has no settings for ${tool}`;
    return settings.tools.get(tool) ?? { code: 'bad_settings', message: missing };
  }

  /** An agent whose file is broken cannot even begin; it says so as a call that failed at once. */
  #refuse(nowMs: number, tool: string, failure: Failure): number | undefined {
    this.#tell(nowMs, tool, { failure, latencyMs: 0 });
    return this.#finish(nowMs, failure);
  }

  #callTool(tool: string, { timeoutMs, retries }: ToolSettings): Answer {
    const { run, session, slots } = this.#options;
    const attempt = meet(run, { session, tool, call: this.#call, retry: this.#retry });
    const { ownError, toolError, lateness, thinking, random } = attempt;
    const named = { agent: session.traffic.agent, tool };
    const rest = { thinking, mayRetry: this.#retry < retries };
    const atOnce = { ...rest, latencyMs: 1 + Math.floor(lateness * 5), holdsSlot: false };
    const messageOf = ({ messages }: { readonly messages: readonly string[] }) =>
      fillMessage(messages[Math.floor(random.next() * messages.length)]!, random, named);

    if (ownError !== undefined)
      return { ...atOnce, failure: { code: ownError.code, message: messageOf(ownError) } };
    const world = run.scenario.world.tools[tool]!;
    const busyShare = slots.take(tool);
    if (busyShare === undefined)
      return {
        ...atOnce,
        failure: { code: 'overloaded', message: overloadMessage(tool, world.capacity) },
      };
    const { above, slower } = world.when_busy ?? { above: 1, slower: 1 };
    const latencyMs = Math.round(attempt.latencyMs * (busyShare > above ? slower : 1));
    if (latencyMs > timeoutMs)
      return {
        failure: { code: 'timeout', message: timeoutMessage(tool, timeoutMs, random) },
        latencyMs: Math.round(timeoutMs * (1 + LATENESS_MAX * lateness)),
        holdsSlot: true,
        ...rest,
      };
    const failure = toolError && { code: toolError.code, message: messageOf(toolError) };
    return { failure, latencyMs, holdsSlot: true, ...rest };
  }

  #takeAnswer(nowMs: number, answer: Answer): number | undefined {
    const { slots } = this.#options;
    const tool = this.#task.calls[this.#call]!;
    this.#waitingFor = undefined;
    if (answer.holdsSlot) slots.release(tool);
    this.#tell(nowMs, tool, answer);
    if (answer.failure === undefined) {
      this.#call++;
      this.#retry = 0;
      if (this.#call === this.#task.calls.length) return this.#finish(nowMs, undefined);
      const { min, max } = THINKING_MS;
      return nowMs + Math.round(min + (max - min) * answer.thinking);
    }
    if (!answer.mayRetry) return this.#finish(nowMs, answer.failure);
    this.#retry++;
    return nowMs + RETRY_PAUSE_MS * this.#retry;
  }

  #tell(nowMs: number, tool: string, answer: Pick<Answer, 'failure' | 'latencyMs'>): void {
    const { failure, latencyMs } = answer;
    const { session, emit } = this.#options;
    emit({
      timestamp: isoTime(nowMs),
      session_id: session.id,
      event_type: 'tool_call',
      agent: session.traffic.agent,
      tool,
      task_name: this.#task.name,
      success: failure === undefined,
      latency_ms: latencyMs,
      ...(failure && { error_code: failure.code, error_message: failure.message }),
    });
  }

  #finish(nowMs: number, failure: Failure | undefined): number | undefined {
    const { run, session, emit } = this.#options;
    this.#failure = failure;
    if (failure !== undefined)
      emit({
        timestamp: isoTime(nowMs),
        session_id: session.id,
        event_type: 'task_failure',
        agent: session.traffic.agent,
        task_name: this.#task.name,
        error_category: failure.code,
        retry_count: this.#retry,
        final_status: 'failed',
      });
    this.#after = reactions(run.seed, session, failure?.code);
    return this.#nextReaction(nowMs);
  }

  #react(nowMs: number): number | undefined {
    const { event } = this.#after!.shift()!;
    this.#options.emit({ timestamp: isoTime(nowMs), ...event });
    return this.#nextReaction(nowMs);
  }

  #nextReaction(nowMs: number): number | undefined {
    const [next] = this.#after!;
    return next && nowMs + next.afterMs;
  }
}
