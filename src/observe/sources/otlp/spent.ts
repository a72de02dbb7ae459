/** What a call took: tokens, tries, bytes, money. */
import type { Attributes } from './attributes.ts';
import { boundedCount, known } from './bounds.ts';

export interface Spent {
  readonly attempt?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
}

const COST_MAX = 1e9;
const ATTEMPT_MAX = 1e6;

export function spentOf(attributes: Attributes): Spent {
  return known<Spent>({
    attempt: attemptOf(attributes),
    // By convention these include what came from a cache.
    inputTokens: boundedCount(
      attributes.number(
        'gen_ai.usage.input_tokens',
        'gen_ai.usage.prompt_tokens',
        'llm.token_count.prompt',
        'llm.usage.prompt_tokens',
        'ai.usage.promptTokens',
        'input_token_count',
      ) ?? anthropicInput(attributes),
    ),
    outputTokens: boundedCount(
      attributes.number(
        'gen_ai.usage.output_tokens',
        'gen_ai.usage.completion_tokens',
        'llm.token_count.completion',
        'llm.usage.completion_tokens',
        'ai.usage.completionTokens',
        'output_token_count',
        'output_tokens',
      ),
    ),
    costUsd: costOf(attributes),
  });
}

/** Anthropic's own count leaves out what the cache gave and took. */
function anthropicInput(attributes: Attributes): number | undefined {
  const fresh = attributes.number('input_tokens');
  if (fresh === undefined) return undefined;
  const read = attributes.number('cache_read_tokens', 'cache_read_input_tokens') ?? 0;
  const made = attributes.number('cache_creation_tokens', 'cache_creation_input_tokens') ?? 0;
  return fresh + read + made;
}

/** The first try is 1. Counts of repetitions begin at 0. */
function attemptOf(attributes: Attributes): number | undefined {
  const tried = attributes.number('attempt', 'retry.attempt', 'gen_ai.request.attempt');
  const again = attributes.number('http.request.resend_count', 'http.resend_count', 'retry_count');
  const attempt = tried ?? (again === undefined ? undefined : again + 1);
  if (attempt === undefined || !(attempt >= 1)) return undefined;
  return Math.min(Math.round(attempt), ATTEMPT_MAX);
}

function costOf(attributes: Attributes): number | undefined {
  const micros = attributes.number('cost_usd_micros');
  const cost =
    attributes.number('llm.cost.total', 'gen_ai.usage.cost', 'cost_usd') ??
    (micros === undefined ? undefined : micros / 1e6);
  return cost === undefined || !(cost >= 0) ? undefined : Math.min(cost, COST_MAX);
}
