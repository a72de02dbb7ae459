/** What is counted of an event: its dimensions, its measure, what it spent, the message that says what went wrong. */
import type { EventKind, EventOf } from '../facts/index.ts';
import type { CleanEvent } from './types.ts';

/** What the counts of a series are about. Empty where the event names none. */
export interface Dimensions {
  /** `aside` for lines that are not events: they are counted in the minute they were seen. */
  readonly type: EventKind | 'aside';
  /** Of a test its suite. */
  readonly agent: string;
  /** Of a span its name, of a test its name, of a line its logger, of a metric its name. */
  readonly tool: string;
  readonly task: string;
  readonly variant: string;
  readonly model: string;
  readonly version: string;
  readonly provider: string;
  readonly errorCode: string;
  /** The miner's id, as it was when the event came; see `TemplateBook` for what it is today. */
  readonly template: string;
  /** Null where success says nothing about the event. */
  readonly ok: 0 | 1 | null;
}

/** What calls took, added up over calls. A field is absent where no event has it. */
export interface Spent {
  /** Calls that were not the first try. */
  retries?: number;
  inputTokens?: number;
  outputTokens?: number;
  inputBytes?: number;
  outputBytes?: number;
  costUsd?: number;
}

export type Activity = 'none' | 'active' | 'failed' | 'corrected';

/** One flat object, since there is one for every event. */
export interface EventFacts extends Dimensions {
  /** How long it took in milliseconds; of a metric its value. */
  readonly measure: number | null;
  readonly spent: Spent | undefined;
  /** The miner's input; empty if nothing failed or there is no message. */
  readonly message: string;
  /** Whether the session did something, and whether one of its tasks failed or a person corrected it. */
  readonly activity: Activity;
}

type Told = { -readonly [F in keyof EventFacts]: EventFacts[F] };

/** In place of an error's code, of metrics whose values add up. */
export const SUM = 'sum';

/** Below this confidence it was probably not a correction. */
const CERTAINTY_MIN = 0.5;

/** Without the template, which only the miner knows. */
export function factsOf(event: CleanEvent): Told {
  const told = nothingOf(event.kind);
  told.variant = event.variant ?? '';
  told.model = event.model ?? '';
  told.version = event.version ?? '';
  told.provider = event.provider ?? '';
  tell(event, told);
  return told;
}

/** Of a record that was set aside. */
export function asideFacts(reason: string): EventFacts {
  return { ...nothingOf('aside'), errorCode: reason };
}

function nothingOf(type: Dimensions['type']): Told {
  return {
    type,
    agent: '',
    tool: '',
    task: '',
    variant: '',
    model: '',
    version: '',
    provider: '',
    errorCode: '',
    template: '',
    ok: null,
    measure: null,
    spent: undefined,
    message: '',
    activity: 'none',
  };
}

function tell(event: CleanEvent, told: Told): void {
  switch (event.kind) {
    case 'tool_call':
      told.tool = event.tool;
      told.activity = 'active';
      told.measure = event.latencyMs ?? null;
      tellCall(event, told);
      return;
    case 'trace_span':
      told.tool = event.name;
      told.measure = event.durationMs ?? null;
      // A step of a task: where only failures were seen, every session that was seen would have failed.
      if (event.task !== undefined) told.activity = 'active';
      tellCall(event, told);
      return;
    case 'task_failure':
      told.agent = event.agent ?? '';
      tellTask(event, told);
      return;
    case 'user_correction':
      told.agent = event.agent;
      told.errorCode = event.correction;
      if ((event.certainty ?? 1) >= CERTAINTY_MIN) {
        told.activity = 'corrected';
        told.ok = 0;
      } else told.activity = 'active';
      return;
    case 'feedback':
      told.agent = event.agent;
      told.ok = event.rating === 'thumbs_up' ? 1 : 0;
      told.activity = told.ok === 1 ? 'active' : 'corrected';
      return;
    case 'escalation':
      told.agent = event.agent;
      told.errorCode = event.reason;
      told.activity = 'active';
      return;
    case 'test_result':
      tellTest(event, told);
      return;
    case 'log_line':
      told.agent = event.agent ?? '';
      told.tool = event.logger ?? '';
      told.ok = event.level === 'error' || event.level === 'fatal' ? 0 : 1;
      if (told.ok === 0) told.message = event.message;
      return;
    case 'metric':
      told.agent = event.agent ?? '';
      told.tool = event.name;
      told.measure = event.value;
      // Sums and values of one name are apart, as kinds of corrections are.
      if (event.isSum === true) told.errorCode = SUM;
      return;
    case 'change':
      told.agent = event.agent ?? '';
      return;
  }
}

function tellCall(event: EventOf<'tool_call' | 'trace_span'>, told: Told): void {
  told.agent = event.agent ?? '';
  told.task = event.task ?? '';
  told.errorCode = event.errorCode ?? '';
  told.ok = event.success ? 1 : 0;
  if (!event.success) told.message = event.errorMessage ?? told.errorCode;
  told.spent = spentOn(event);
}

function tellTask(event: EventOf<'task_failure'>, told: Told): void {
  const { errorCategory, finalStatus } = event;
  const status = finalStatus === undefined ? errorCategory : `${errorCategory}: ${finalStatus}`;
  told.task = event.task;
  told.errorCode = errorCategory;
  told.ok = 0;
  told.message = event.errorMessage ?? status;
  told.activity = 'failed';
}

function tellTest(event: EventOf<'test_result'>, told: Told): void {
  told.agent = event.suite ?? '';
  told.tool = event.test;
  told.ok = event.status === 'passed' ? 1 : event.status === 'failed' ? 0 : null;
  told.measure = event.durationMs ?? null;
  if (told.ok === 0) told.message = event.errorMessage ?? '';
}

/** Undefined where it says nothing: most calls do not. */
function spentOn(event: EventOf<'tool_call' | 'trace_span'>): Spent | undefined {
  const { attempt = 1, inputTokens, outputTokens, inputBytes, outputBytes, costUsd } = event;
  const isRetry = attempt > 1;
  const isSilent =
    !isRetry &&
    inputTokens === undefined &&
    outputTokens === undefined &&
    inputBytes === undefined &&
    outputBytes === undefined &&
    costUsd === undefined;
  if (isSilent) return undefined;
  return {
    ...(isRetry ? { retries: 1 } : {}),
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(inputBytes === undefined ? {} : { inputBytes }),
    ...(outputBytes === undefined ? {} : { outputBytes }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/** Whether its measure is a duration: those are counted in buckets. */
export function isTimed(type: Dimensions['type']): boolean {
  return type !== 'metric';
}
