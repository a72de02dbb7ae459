/**
 * Anthropic's Messages. Left out on purpose: images, documents and results by address or file, tools that run at the provider (each
 * has a `type` of its own), MCP servers, containers, and the headers that switch such things on.
 */
import { z } from 'zod';
import {
  argumentSchema,
  argumentValues,
  countAt,
  notStreamed,
  outputTokens,
  share,
  tokensAt,
} from '../request-parts.ts';
import type { Provider } from '../types.ts';

const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const block = z.discriminatedUnion('type', [
  text,
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: argumentValues(),
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(text)]).optional(),
    is_error: z.boolean().optional(),
  }),
]);

const request = z.strictObject({
  model: z.string(),
  max_tokens: outputTokens(),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        content: z.union([z.string(), z.array(block)]),
      }),
    )
    .min(1),
  system: z.union([z.string(), z.array(text)]).optional(),
  temperature: share().optional(),
  top_p: share().optional(),
  top_k: z.int().min(0).optional(),
  stop_sequences: z.array(z.string()).max(100).optional(),
  stream: notStreamed(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('custom').optional(),
        name: z.string(),
        description: z.string().optional(),
        input_schema: argumentSchema(),
      }),
    )
    .optional(),
  tool_choice: z
    .strictObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().optional(),
      disable_parallel_tool_use: z.boolean().optional(),
    })
    .optional(),
  thinking: z
    .union([
      z.strictObject({ type: z.literal('disabled') }),
      z.strictObject({ type: z.literal('enabled'), budget_tokens: outputTokens() }),
    ])
    .optional(),
});

export const anthropic: Provider = {
  name: 'anthropic',
  url: 'https://api.anthropic.com',
  path: '/v1/messages',
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  request,
  outputTokensMax: (asked) => tokensAt(asked, 'max_tokens'),
  usage(answer) {
    const outputs = countAt(answer, 'usage', 'output_tokens');
    const inputs = countAt(answer, 'usage', 'input_tokens');
    return inputs === undefined || outputs === undefined
      ? undefined
      : { inputTokens: inputs, outputTokens: outputs };
  },
  environment: (bridge) => ({ ANTHROPIC_BASE_URL: bridge, ANTHROPIC_API_KEY: 'kept-outside' }),
};
