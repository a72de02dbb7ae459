/** OpenAI's chat completions, which many other servers speak too. Left out: pictures, sound and files, searches, storing, several answers. */
import { z } from 'zod';
import {
  argumentSchema,
  countAt,
  notStreamed,
  outputTokens,
  share,
  tokensAt,
} from '../request-parts.ts';
import type { Provider } from '../types.ts';

const content = z.union([
  z.string(),
  z.array(z.strictObject({ type: z.literal('text'), text: z.string() })),
]);
const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content, name: z.string().optional() }),
  z.strictObject({ role: z.literal('developer'), content, name: z.string().optional() }),
  z.strictObject({ role: z.literal('user'), content, name: z.string().optional() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z.array(toolCall).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content, tool_call_id: z.string() }),
]);

const request = z
  .strictObject({
    model: z.string(),
    messages: z.array(message).min(1),
    max_tokens: outputTokens().optional(),
    max_completion_tokens: outputTokens().optional(),
    temperature: share().optional(),
    top_p: share().optional(),
    frequency_penalty: z.number().optional(),
    presence_penalty: z.number().optional(),
    seed: z.int().optional(),
    stop: z.union([z.string(), z.array(z.string()).max(100)]).nullish(),
    n: z.literal(1).optional(),
    stream: notStreamed(),
    reasoning_effort: z.string().optional(),
    response_format: z
      .union([
        z.strictObject({ type: z.enum(['text', 'json_object']) }),
        z.strictObject({
          type: z.literal('json_schema'),
          json_schema: z.strictObject({
            name: z.string(),
            description: z.string().optional(),
            schema: argumentSchema().optional(),
            strict: z.boolean().nullish(),
          }),
        }),
      ])
      .optional(),
    tools: z
      .array(
        z.strictObject({
          type: z.literal('function'),
          function: z.strictObject({
            name: z.string(),
            description: z.string().optional(),
            parameters: argumentSchema().optional(),
            strict: z.boolean().nullish(),
          }),
        }),
      )
      .optional(),
    tool_choice: z
      .union([
        z.enum(['none', 'auto', 'required']),
        z.strictObject({
          type: z.literal('function'),
          function: z.strictObject({ name: z.string() }),
        }),
      ])
      .optional(),
    parallel_tool_calls: z.boolean().optional(),
  })
  .refine(
    (asked) => asked.max_tokens !== undefined || asked.max_completion_tokens !== undefined,
    'it must say how long the answer may be: "max_completion_tokens"',
  );

export const openai: Provider = {
  name: 'openai',
  url: 'https://api.openai.com',
  path: '/v1/chat/completions',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  request,
  outputTokensMax: (asked) => tokensAt(asked, 'max_completion_tokens', 'max_tokens'),
  usage(answer) {
    const inputs = countAt(answer, 'usage', 'prompt_tokens');
    const outputs = countAt(answer, 'usage', 'completion_tokens');
    return inputs === undefined || outputs === undefined
      ? undefined
      : { inputTokens: inputs, outputTokens: outputs };
  },
  environment: (bridge) => ({
    OPENAI_BASE_URL: `${bridge}/v1`,
    OPENAI_API_BASE: `${bridge}/v1`,
    OPENAI_API_KEY: 'kept-outside',
  }),
};
