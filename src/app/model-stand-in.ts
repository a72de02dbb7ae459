/**
 * A stand-in of a model on this machine, for trying a real client: it asks for one call of a tool, and remembers what the
 * client answered. It speaks the protocol of Claude Code (Messages) and that of Codex (Responses). Nothing that the client
 * sends leaves the machine.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelStandIn extends AsyncDisposable {
  readonly url: string;
  /** What became of the call as the client told its model; undefined while it has not. */
  answer(): { readonly text: string; readonly isError: boolean } | undefined;
}

export interface WantedCall {
  readonly name: string;
  readonly input: object;
}

interface Block {
  readonly type?: string;
  readonly content?: unknown;
  readonly output?: unknown;
  readonly is_error?: boolean;
}
interface Request {
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name?: string }[];
  readonly messages?: readonly { readonly content?: unknown }[];
  readonly input?: unknown;
}

/** More than a client sends with a short prompt. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** Of the wanted calls the first whose tool the client has. */
export async function startModelStandIn(wanted: readonly WantedCall[]): Promise<ModelStandIn> {
  let answered: { text: string; isError: boolean } | undefined;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const isOpenAi = request.url?.startsWith('/v1/responses') === true;
      if (body === undefined || !(isOpenAi || request.url?.startsWith('/v1/messages')))
        return send(response, {});
      if (request.url?.includes('count_tokens')) return send(response, { input_tokens: 1 });
      const result = isOpenAi ? outputIn(body) : resultIn(body);
      if (result !== undefined) answered ??= result;
      const names = new Set(body.tools?.map(({ name }) => name));
      const call = result === undefined ? wanted.find(({ name }) => names.has(name)) : undefined;
      if (isOpenAi) return streamResponse(response, call);
      const block = call === undefined ? undefined : { type: 'tool_use', ...call };
      if (body.stream === true) stream(response, block);
      else send(response, message(block));
    });
  });
  // A client that is told to ask a proxy for everything else gets nowhere.
  server.on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answer: () => answered,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Request | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > BODY_BYTES_MAX) return undefined;
      pieces.push(piece);
    }
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as Request;
  } catch {
    return undefined;
  }
}

function resultIn({ messages = [] }: Request): { text: string; isError: boolean } | undefined {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const found = (blocks as Block[]).find(({ type }) => type === 'tool_result');
  if (found === undefined) return undefined;
  const text = typeof found.content === 'string' ? found.content : JSON.stringify(found.content);
  return { text: text ?? '', isError: found.is_error === true };
}

/** Responses: whether it is an error is in its words only. */
function outputIn({ input }: Request): { text: string; isError: boolean } | undefined {
  const items = Array.isArray(input) ? (input as Block[]) : [];
  const found = items.find(({ type }) => type === 'function_call_output');
  if (found === undefined) return undefined;
  const text = typeof found.output === 'string' ? found.output : JSON.stringify(found.output);
  return { text: text ?? '', isError: /blocked by PreToolUse hook/.test(text ?? '') };
}

type ToolUse = { readonly type: string } & WantedCall;

const NAMES = { id: 'msg_probe', type: 'message', role: 'assistant', model: 'stand-in' };
const USAGE = { input_tokens: 1, output_tokens: 1 };
const CALL_ID = 'toolu_probe';
const DONE = { type: 'text', text: 'Done.' };

const message = (block: ToolUse | undefined) => ({
  ...NAMES,
  content: [block === undefined ? DONE : { ...block, id: CALL_ID }],
  stop_reason: block === undefined ? 'end_turn' : 'tool_use',
  stop_sequence: null,
  usage: USAGE,
});

/** The same as its documentation describes it for streams. */
function stream(response: ServerResponse, block: ToolUse | undefined): void {
  const { stop_reason, ...rest } = message(block);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  say('message_start', { message: { ...rest, content: [], stop_reason: null } });
  const begun = block === undefined ? { ...DONE, text: '' } : { ...block, id: CALL_ID, input: {} };
  const delta =
    block === undefined
      ? { type: 'text_delta', text: DONE.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  say('content_block_start', { index: 0, content_block: begun });
  say('content_block_delta', { index: 0, delta });
  say('content_block_stop', { index: 0 });
  say('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: USAGE });
  say('message_stop', {});
  response.end();
}

/** As the documentation of the Responses API describes its events. */
function streamResponse(response: ServerResponse, call: WantedCall | undefined): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const said = { type: 'message', role: 'assistant', content: [{ ...DONE, type: 'output_text' }] };
  const item =
    call === undefined
      ? said
      : { type: 'function_call', name: call.name, arguments: JSON.stringify(call.input) };
  say('response.created', { response: { id: NAMES.id } });
  say('response.output_item.done', { output_index: 0, item: { ...item, call_id: CALL_ID } });
  const usage = { ...USAGE, total_tokens: 2 };
  say('response.completed', { response: { id: NAMES.id, usage } });
  response.end();
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
