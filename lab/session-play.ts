/**
 * One session as an agent lives through it. It is played by steps, because between two of them others use
 * the same tools:
 *
 *   calling ─► waiting ─► calling (the next call, or the same once more)
 *                     └─► after (what users do then) ─► ended
 *
 * The agent's settings are those of the moment the session began. Live traffic and replay play the same
 * code; they differ only in the limits that sessions share, and in what is on record.
 */
import { isoTime, type Random } from '../src/base/index.ts';
import type { JsonlEvent } from '../src/observe/index.ts';
import type { AgentSettings, ToolSettings } from './agent-file.ts';
import type { Run, Session } from './arrivals.ts';
import { answerOf, type Failure, refusedBy, type Say } from './call-answer.ts';
import { holds, type Situation } from './conditions.ts';
import { pickByRate, pickWeighted, streamOf } from './draws.ts';
import { fillMessage } from './messages.ts';
import { type Reaction, reactions } from './people.ts';
import type { TargetFiles } from './places.ts';
import type { Recording } from './recording.ts';
import { definitionOf, refusalOf } from './refusals.ts';
import type { Wording } from './schema-parts.ts';
import type { SharedLimits } from './shared-limits.ts';
import { callDetails } from './telemetry.ts';
import { attemptName, meet } from './world.ts';

/** Of a session whose end the recording does not have. */
export const NOT_RECORDED = 'not_recorded';
const RETRY_PAUSE_MS = 250;
const THINKING_MS = { min: 300, max: 2500 };
const STEPS_MAX = 50;
/** An agent that held its call back for so long calls all the same. */
const HELD_BACK_MS_MAX = 600_000;

interface Answer {
  readonly failure: Failure | undefined;
  readonly latencyMs: number;
  readonly holdsSlot: boolean;
  /** How long the agent thinks before its next call: a share from 0 to 1. */
  readonly thinking: number;
  readonly mayRetry: boolean;
  readonly input?: number | undefined;
  readonly output?: number | undefined;
}

export interface PlayOptions {
  readonly run: Run;
  readonly session: Session;
  readonly settings: AgentSettings;
  readonly files: TargetFiles;
  readonly limits: SharedLimits;
  /** Live, what happens is noted here; in a replay nothing else is known. */
  readonly recording?: { readonly is: 'written' | 'read'; readonly of: Recording } | undefined;
  readonly emit: (event: JsonlEvent) => void;
}

export class SessionPlay {
  readonly #options: PlayOptions;
  readonly #task: Session['traffic']['tasks'][number];
  readonly #situation: Situation;
  readonly #isLooping: boolean;
  #call = 0;
  #retry = 0;
  #steps = 0;
  #heldBackSinceMs: number | undefined;
  #waitingFor: Answer | undefined;
  #failure: Failure | undefined;
  #after: Reaction[] | undefined;

  constructor(options: PlayOptions) {
    this.#options = options;
    const { run, session, settings, files } = options;
    const draw = streamOf(run.seed, session.id).next();
    this.#task = pickWeighted(session.traffic.tasks, draw);
    this.#situation = {
      files,
      agent: session.traffic.agent,
      task: this.#task.name,
      model: settings.ok ? settings.model : undefined,
      atMs: session.startMs,
    };
    const { loop } = this.#task;
    this.#isLooping =
      loop !== undefined &&
      holds(loop.when, this.#situation) &&
      streamOf(run.seed, `${session.id} loop`).next() < loop.share;
  }

  get session(): Session {
    return this.#options.session;
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
    const heldBackMs = this.#holdBackMs(nowMs, tool, settings);
    if (heldBackMs > 0) return nowMs + heldBackMs;
    if (!this.#isOnRecord(settings))
      return this.#finish(nowMs, { code: NOT_RECORDED, message: 'the recording ends here' });
    this.#waitingFor = this.#callTool(nowMs, tool, settings);
    return nowMs + this.#waitingFor.latencyMs;
  }

  #settingsOf(tool: string): ToolSettings | Failure {
    const { settings, session } = this.#options;
    if (!settings.ok) return { code: 'bad_settings', message: settings.why };
    const from = session.traffic.file ?? session.traffic.agent;
    const missing = `${from} has no settings for ${tool}`;
    return settings.tools.get(tool) ?? { code: 'bad_settings', message: missing };
  }

  /** An agent whose file is broken cannot even begin; it says so as a call that failed at once. */
  #refuse(nowMs: number, tool: string, failure: Failure): number | undefined {
    this.#tell(nowMs, tool, { failure, latencyMs: 0 });
    return this.#finish(nowMs, failure);
  }

  #holdBackMs(nowMs: number, tool: string, settings: ToolSettings): number {
    const { concurrency, perMinute } = settings;
    if (concurrency === undefined && perMinute === undefined) return 0;
    const { agent } = this.#situation;
    const waitMs = this.#options.limits.holdBackMs({ agent, tool, nowMs, concurrency, perMinute });
    this.#heldBackSinceMs = waitMs === 0 ? undefined : (this.#heldBackSinceMs ?? nowMs);
    return nowMs - (this.#heldBackSinceMs ?? nowMs) > HELD_BACK_MS_MAX ? 0 : waitMs;
  }

  #isOnRecord({ timeoutMs }: ToolSettings): boolean {
    const { recording, session } = this.#options;
    if (recording?.is !== 'read') return true;
    const name = attemptName({ session, call: this.#call, retry: this.#retry });
    return recording.of.knows(name, timeoutMs);
  }

  #callTool(nowMs: number, tool: string, settings: ToolSettings): Answer {
    const { run, session, limits, recording } = this.#options;
    const tried = {
      session,
      tool,
      call: this.#call,
      retry: this.#retry,
      situation: this.#situation,
    };
    const attempt = meet(run, tried);
    const { ownError, lateness, thinking, random } = attempt;
    const rest = { thinking, mayRetry: this.#retry < settings.retries, input: attempt.input };
    const atOnce = { ...rest, latencyMs: 1 + Math.floor(lateness * 5), holdsSlot: false };
    const say: Say = (wording, named) => this.#words(tool, wording, random, named);
    const atFault = (code: string, message: string) => {
      note();
      return { ...atOnce, failure: { code, message } };
    };
    const note = (cutMs?: number) => {
      if (recording?.is === 'written') recording.of.note(attemptName(tried), cutMs);
    };

    if (ownError !== undefined) return atFault(ownError.code, say(ownError));
    const situation = this.#situation;
    const allowed = this.#options.settings.ok ? this.#options.settings.allowed : undefined;
    const refusal = refusalOf(run, tool, { settings, allowed, situation, attempt });
    if (refusal !== undefined) return atFault(refusal.code, say(refusal.wording, refusal.named));
    const { files, agent } = situation;
    const { latencyMs } = attempt;
    const asking = { agent, tool, files, nowMs, latencyMs, timeoutMs: settings.timeoutMs };
    const admitted = limits.admit(asking);
    if (admitted.refused) {
      const { code, message } = refusedBy(tool, admitted, say);
      return atFault(code, message);
    }
    const world = run.scenario.world.tools[tool]!;
    const answer = answerOf({ tool, world, settings, attempt, admitted, say });
    note(answer.isCut ? settings.timeoutMs : undefined);
    return { ...rest, ...answer, holdsSlot: admitted.holdsSlot };
  }

  #words(tool: string, { messages }: Wording, random: Random, named: object = {}): string {
    const template = messages[Math.floor(random.next() * messages.length)]!;
    return fillMessage(template, random, { agent: this.#situation.agent, tool, ...named });
  }

  #takeAnswer(nowMs: number, answer: Answer): number | undefined {
    const { limits, settings } = this.#options;
    const tool = this.#task.calls[this.#call]!;
    this.#waitingFor = undefined;
    this.#steps++;
    if (answer.holdsSlot) limits.release(tool);
    limits.ownCallDone(this.#situation.agent, tool);
    this.#tell(nowMs, tool, answer);
    const stepsMax = settings.ok ? (settings.stepsMax ?? STEPS_MAX) : STEPS_MAX;
    if (this.#steps >= stepsMax && !this.#isLast(answer))
      return this.#finish(nowMs, this.#endless(tool));
    if (answer.failure === undefined) {
      if (this.#isLooping && this.#task.loop!.tool === tool) this.#retry = this.#steps;
      else {
        this.#call++;
        this.#retry = 0;
      }
      if (this.#call === this.#task.calls.length) return this.#finish(nowMs, this.#taskError());
      const { min, max } = THINKING_MS;
      const { pace } = this.#options.session.traffic;
      return nowMs + Math.round((min + (max - min) * answer.thinking) * pace);
    }
    if (!answer.mayRetry) return this.#finish(nowMs, answer.failure);
    this.#retry++;
    const own = this.#settingsOf(tool);
    const pauseMs = 'timeoutMs' in own ? (own.pauseMs ?? RETRY_PAUSE_MS) : RETRY_PAUSE_MS;
    return nowMs + pauseMs * this.#retry;
  }

  #isLast({ failure }: Answer): boolean {
    return failure === undefined && !this.#isLooping && this.#call === this.#task.calls.length - 1;
  }

  #endless(tool: string): Failure {
    const { run, session } = this.#options;
    const random = streamOf(run.seed, `${session.id} endless`);
    const { loop } = this.#task;
    const wording: Wording = loop ?? {
      messages: ['stopped after the last step allowed (session {id})'],
    };
    return { code: wording.code ?? 'max_steps', message: this.#words(tool, wording, random, {}) };
  }

  /** Every call worked, and the task failed all the same. */
  #taskError(): Failure | undefined {
    const { errors } = this.#task;
    if (errors === undefined) return undefined;
    const { run, session } = this.#options;
    const random = streamOf(run.seed, `${session.id} task`);
    const error = pickByRate(
      errors.filter(({ when }) => holds(when, this.#situation)),
      random.next(),
    );
    const tool = this.#task.calls.at(-1)!;
    return error && { code: error.code, message: this.#words(tool, error, random, {}) };
  }

  #tell(
    nowMs: number,
    tool: string,
    answer: Pick<Answer, 'failure' | 'latencyMs' | 'input' | 'output'>,
  ): void {
    const { failure, latencyMs } = answer;
    const { session, emit } = this.#options;
    const { tasks } = this.#options.run.scenario.telemetry;
    const settings = this.#settingsOf(tool);
    emit({
      timestamp: isoTime(nowMs),
      session_id: session.id,
      event_type: 'tool_call',
      agent: session.traffic.agent,
      // The name in the agent's file: it may be one that no tool has.
      tool: ('timeoutMs' in settings ? settings.calls : undefined) ?? tool,
      ...(tasks && { task_name: this.#task.name }),
      success: failure === undefined,
      latency_ms: latencyMs,
      ...(failure && failure.code !== '' && { error_code: failure.code }),
      ...(failure && { error_message: failure.message }),
      ...callDetails(this.#options.run.scenario, {
        tool,
        attempt: this.#retry + 1,
        model: this.#situation.model,
        argumentNames: 'timeoutMs' in settings ? settings.arguments : undefined,
        parameterNames: definitionOf(this.#options.run, tool, this.#situation.atMs)?.arguments,
        input: answer.input,
        output: answer.output,
      }),
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
        error_category: failure.code === '' ? 'error' : failure.code,
        retry_count: this.#retry,
        final_status: 'failed',
      });
    this.#after = reactions(run.seed, session, {
      failureCode: failure?.code,
      situation: this.#situation,
    });
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
