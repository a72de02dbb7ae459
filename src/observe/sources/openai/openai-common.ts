/** What the readers of OpenAI's records share. */
import type { EventOf } from '../../../facts/index.ts';
import { event, type Given, refused, stemOf } from '../../reading/records.ts';
import { timeOf } from '../../reading/times.ts';
import { countOf, type Fields, fieldsOf, firstAt, nameOf } from '../../reading/values.ts';
import type { Decoded, StreamAbout } from '../../types.ts';

/** What is known around a record. */
export interface Around {
  readonly about: StreamAbout;
  /** Of openai/evals: what its first line said. */
  readonly suite?: string | undefined;
}

export function timeIn(around: Around, ...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const ms = timeOf(value);
    if (ms !== undefined) return ms;
  }
  return around.about.modifiedMs ?? undefined;
}

export const NO_TIME = refused('It has no time, nor has its file.', 'wrong_time');

type Span = Given<EventOf<'trace_span'>>;
export const span = (given: Omit<Span, 'kind'>): Decoded =>
  event<'trace_span'>({ kind: 'trace_span', ...given } as Span);

export function usageOf(answer: Fields) {
  const usage = fieldsOf(answer['usage']) ?? {};
  return {
    inputTokens: countOf(usage['prompt_tokens'] ?? usage['input_tokens']),
    outputTokens: countOf(usage['completion_tokens'] ?? usage['output_tokens']),
  };
}

export const agentOf = (record: Fields, { about }: Around) =>
  nameOf(
    firstAt(record, 'agent', 'metadata.agent', 'metadata.agent_name', 'assistant_id', 'agent_name'),
  ) ?? stemOf(about.name);
