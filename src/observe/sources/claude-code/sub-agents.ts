/** When a sub-agent ended: with the result of the call that started it, or by a notice, if it ran in the background. */
import { countOf, type Fields, fieldsOf, nameOf } from '../transcripts/values.ts';
import type { AgentEnd } from './line-reader.ts';

/** Undefined if the call started none, or did not wait for it. */
export function agentEnd(line: Fields, call: string, success: boolean): AgentEnd | undefined {
  const noted = fieldsOf(line['toolUseResult']);
  const agentId = shortName(noted?.['agentId']);
  if (noted === undefined || agentId === undefined) return undefined;
  if (noted['isAsync'] === true || noted['status'] === 'async_launched') return undefined;
  return {
    agentId,
    agent: nameOf(noted['agentType']),
    parentSpanId: call,
    success,
    errorCode: undefined,
    durationMs: countOf(noted['totalDurationMs']),
  };
}

/** Of `<task-notification>`: commands in the background are announced by it too. */
export function noticedEnd(text: string): AgentEnd | undefined {
  const head = text.slice(0, 4000);
  const agentId = shortName(between(head, '<task-id>', '</task-id>'));
  const status = between(head, '<status>', '</status>');
  const isAgent = between(head, '<summary>', '</summary>')?.startsWith('Agent ') === true;
  if (agentId === undefined || status === undefined || !isAgent) return undefined;
  const success = status === 'completed';
  return {
    agentId,
    agent: undefined,
    parentSpanId: shortName(between(head, '<tool-use-id>', '</tool-use-id>')),
    success,
    errorCode: success ? undefined : status === 'killed' ? 'interrupted' : 'agent_failed',
    durationMs: countOf(Number(between(head, '<duration_ms>', '</duration_ms>') ?? NaN)),
  };
}

/** So that what is put before it still is a name. */
function shortName(value: unknown): string | undefined {
  const name = nameOf(value);
  return name === undefined || name.length > 180 ? undefined : name;
}

function between(text: string, open: string, close: string): string | undefined {
  const from = text.indexOf(open);
  const to = from === -1 ? -1 : text.indexOf(close, from);
  return to === -1 ? undefined : text.slice(from + open.length, to).trim();
}
