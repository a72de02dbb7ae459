/**
 * A stand-in of a model's provider on this machine, which checks each request as the real one would: method, path, key, version
 * and the form of the body. Anything that is not right is noted and answered with an error.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface HostRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface HostAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Unless given: an ordinary message. */
  readonly body?: string;
  /** Sends half of it and ends the connection. */
  readonly breaksOff?: boolean;
}

export interface ModelHost extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly HostRequest[];
  /** What was wrong with requests. */
  readonly wrong: readonly string[];
  answer(next: (request: HostRequest) => HostAnswer): void;
}

export const KEY = 'sk-stand-in-0123456789abcdef';

const anthropicMessage = (text: string) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'small-1' },
  content: [{ type: 'text', text }],
  ...{ stop_reason: 'end_turn', stop_sequence: null },
  usage: { input_tokens: 1000, output_tokens: 500 },
});
const openaiCompletion = (text: string) => ({
  ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'small-1' },
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
});

const KINDS = {
  '/v1/messages': {
    message: anthropicMessage,
    isKnown: ({ headers }: HostRequest) =>
      headers['x-api-key'] === KEY && headers['anthropic-version'] === '2023-06-01',
    must: ['model', 'max_tokens', 'messages'],
  },
  '/v1/chat/completions': {
    message: openaiCompletion,
    isKnown: ({ headers }: HostRequest) => headers.authorization === `Bearer ${KEY}`,
    must: ['model', 'messages'],
  },
} as const;

export async function startModelHost(): Promise<ModelHost> {
  const requests: HostRequest[] = [];
  const wrong: string[] = [];
  let next: (request: HostRequest) => HostAnswer = () => ({});
  const server = createServer(async (incoming, answer) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const request = { path: incoming.url ?? '', headers: incoming.headers, body };
    requests.push(request);
    const problem = problemOf(incoming.method, request);
    if (problem !== undefined) wrong.push(problem);
    const kind = KINDS[request.path as keyof typeof KINDS] ?? KINDS['/v1/messages'];
    const { status = problem === undefined ? 200 : 400, headers = {}, ...more } = next(request);
    const text = more.body ?? JSON.stringify(kind.message('It is well.'));
    answer.writeHead(status, { 'content-type': 'application/json', ...headers });
    if (more.breaksOff !== true) answer.end(text);
    else answer.write(text.slice(0, text.length / 2), () => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ requests, wrong },
    answer: (given) => {
      next = given;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function problemOf(method: string | undefined, request: HostRequest): string | undefined {
  const kind = KINDS[request.path as keyof typeof KINDS];
  if (method !== 'POST' || kind === undefined) return `${method} ${request.path}`;
  if (!kind.isKnown(request)) return 'the key or version is wrong';
  if (request.headers['content-type'] !== 'application/json') return 'it is not said to be JSON';
  const body = JSON.parse(request.body) as Readonly<Record<string, unknown>>;
  const missing = kind.must.find((field) => body[field] === undefined);
  return missing === undefined ? undefined : `${missing} is missing`;
}
