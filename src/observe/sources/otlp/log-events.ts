/**
 * Log records as events. A record with a name that is known becomes what it says (`cli-events.ts`, and evaluations and
 * feedback here); one that repeats a span or only says that a person typed something becomes nothing; any other is
 * a `log_line`.
 */
import type { Event } from '../../../facts/index.ts';
import type { Decoded } from '../../types.ts';
import { boundedName, boundedText, known } from './bounds.ts';
import { CLI_EVENTS, isCliEvent } from './cli-events.ts';
import { lineOf, type NamedRecord } from './log-line.ts';
import type { LogRecord } from './model.ts';
import { agentOf, commonOf } from './who.ts';
import { jsonValue } from './wire.ts';

/** `receivedMs`: for records without a time of their own. */
export function logRecords(record: LogRecord, receivedMs: number | null): Decoded[] {
  const atMs = record.atMs ?? receivedMs;
  if (atMs === null) return [refused('A log record has no time.')];
  const name = nameOf(record);
  const named = { ...record, name: name ?? '', atMs };
  return eventsOf(named).map((event) =>
    event === undefined
      ? refused('A log record has neither a text nor a name.')
      : { ok: true, event },
  );
}

function eventsOf(record: NamedRecord): readonly (Event | undefined)[] {
  const { name } = record;
  if (SILENT.has(name)) return [];
  if (isCliEvent(name)) return CLI_EVENTS[name]!(record);
  if (name === 'gen_ai.evaluation.result') return evaluation(record);
  if (/(?:^|[._])feedback$/.test(name)) return [feedback(record) ?? lineOf(record)];
  return [lineOf(record)];
}

/** They accompany a span that says the same, or carry only what somebody wrote. */
const SILENT = new Set([
  'gen_ai.client.inference.operation.details',
  'gen_ai.user.message',
  'gen_ai.system.message',
  'gen_ai.assistant.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
]);

/** Claude Code writes the whole name as the text and a short one beside it; others only one of them. */
function nameOf({ eventName, attributes, body, resource }: LogRecord): string | undefined {
  const text = jsonValue(body);
  if (typeof text === 'string' && isCliEvent(text)) return text;
  const name = eventName ?? attributes.text('event.name');
  if (name === undefined || name.length > 200) return undefined;
  const isClaude = resource.text('service.name')?.startsWith('claude-code') === true;
  return isClaude && !name.includes('.') ? `claude_code.${name}` : name;
}

/** A verdict is the result of a test, a score is a metric. */
function evaluation(record: NamedRecord): Event[] {
  const { attributes, atMs } = record;
  const common = commonOf(attributes, record, record);
  const test = boundedName(attributes.text('gen_ai.evaluation.name')) ?? 'evaluation';
  const label = attributes.text('gen_ai.evaluation.score.label')?.slice(0, 40).toLowerCase();
  const score = attributes.number('gen_ai.evaluation.score.value');
  const isError = attributes.has('error.type');
  const status =
    isError || FAIL.test(label ?? '') ? 'failed' : PASS.test(label ?? '') ? 'passed' : undefined;
  const why = boundedText(attributes.text('error.message', 'gen_ai.evaluation.explanation'));
  const events: Event[] = [];
  if (status !== undefined)
    events.push(
      known<Extract<Event, { kind: 'test_result' }>>({
        kind: 'test_result',
        ...common,
        atMs,
        suite: 'evaluation',
        test,
        status,
        errorMessage: status === 'failed' ? why : undefined,
      }),
    );
  if (score !== undefined)
    events.push({
      kind: 'metric',
      ...common,
      atMs,
      agent: agentOf(attributes, record),
      name: boundedName(`evaluation.${test}`) ?? 'evaluation',
      value: score,
    });
  return events;
}

const PASS = /^(?:pass(?:ed)?|true|yes|correct|good|relevant|ok)$/;
const FAIL = /^(?:fail(?:ed)?|false|no|incorrect|bad|irrelevant|not_relevant|hallucinated|toxic)$/;

/** Undefined if it rates nothing. */
function feedback(record: NamedRecord): Event | undefined {
  const { attributes, atMs } = record;
  const given = attributes.text('rating', 'feedback.rating', 'feedback', 'vote', 'score', 'value');
  const word = given?.slice(0, 20).toLowerCase() ?? '';
  const isGood = /^(?:thumbs_?up|up|positive|good|like|true|[1-9]\d*)$/.test(word);
  const isBad = /^(?:thumbs_?down|down|negative|bad|dislike|false|0|-\d+)$/.test(word);
  if (!isGood && !isBad) return undefined;
  return {
    kind: 'feedback',
    ...commonOf(attributes, record, record),
    atMs,
    agent: agentOf(attributes, record),
    rating: isGood ? 'thumbs_up' : 'thumbs_down',
  };
}

function refused(detail: string): Decoded {
  return { ok: false, reason: 'not_an_event', detail };
}
