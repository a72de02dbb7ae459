/**
 * The gateway between one client and one server. It forwards messages, each written anew from what was parsed, so that
 * both sides and the judge read the same; it knows every method that it forwards and refuses the others. What does not
 * pass the judge is answered here and never reaches the server.
 *
 * Both generations of the protocol pass: what a connection negotiates is between client and server. A client that opens
 * with neither is told so.
 */
import type { Definition, Verdict } from '../app/gateway-session.ts';
import { refusalData, refusalText } from '../app/refusal-text.ts';
import type { Json } from '../base/index.ts';
import { Definitions } from './definitions.ts';
import {
  CLIENT_KEY,
  errorMessageOf,
  type Id,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  type Message,
  messageOf,
  metaOf,
  namedRevision,
  PARSE_ERROR,
  REFUSED,
  SERVER_GONE,
} from './messages.ts';
import { outputText } from './output-text.ts';
import { type Question, Questions, type Said } from './questions.ts';

/** What the relay asks of the installation. */
export interface RelaySession {
  name(client: string): void;
  judge(call: {
    readonly tool: string;
    readonly arguments: Json;
    readonly beside?: Json | undefined;
    readonly definition: 'pinned' | 'changed' | 'unlisted' | 'unpinned';
    readonly misfit?: string | undefined;
  }): Promise<Verdict>;
  offer(definitions: readonly Definition[]): Promise<ReadonlyMap<string, 'pinned' | 'changed'>>;
  hides(): Promise<boolean>;
  noteOutput(output: string): Promise<void>;
  /** Whether the user of the client may be asked about a call. */
  asksInClient(): boolean;
  /** Records what they said; undefined, or why it does not count. */
  answered(ask: Question, said: Said): Promise<string | undefined>;
}

export interface RelayPorts {
  readonly session: RelaySession;
  toClient(message: Json): void;
  toServer(message: Json): void;
  nowMs(): number;
  /** A remark for whoever runs it; never what a message holds. */
  remark(text: string): void;
}

/** Methods by which something is done, and what they are to a contract. */
const JUDGED: Readonly<Record<string, string>> = {
  'resources/read': 'resources.read',
  'resources/subscribe': 'resources.subscribe',
  'prompts/get': 'prompts.get',
  'completion/complete': 'completion.complete',
  'tasks/update': 'tasks.update',
};
const FORWARDED: ReadonlySet<string> = new Set([
  ...['initialize', 'server/discover', 'ping', 'tools/list', 'logging/setLevel'],
  ...['resources/list', 'resources/templates/list', 'resources/unsubscribe', 'prompts/list'],
  ...['subscriptions/listen', 'tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel'],
]);
const NOTIFICATIONS: ReadonlySet<string> = new Set([
  ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress'],
  ...['notifications/roots/list_changed', 'notifications/tasks/status'],
]);
const SERVER_REQUESTS: ReadonlySet<string> = new Set([
  ...['ping', 'roots/list', 'sampling/createMessage', 'elicitation/create'],
]);
/** Of one client that does not wait for answers. */
const OPEN_MAX = 1000;

/** Since 2026-07-28 every result says so; older clients pass over it. */
const COMPLETE = { resultType: 'complete' } as const;

interface Open {
  readonly id: Id;
  readonly method: string;
  readonly maxOutput?: number;
  /** The user of the client is asked; the server knows nothing of it yet. */
  readonly isAsking?: true;
}

type ToolCall = Message & { id: Id; method: string };

export class Relay {
  readonly #ports: RelayPorts;
  readonly #definitions: Definitions;
  readonly #questions = new Questions();
  readonly #open = new Map<string, Open>();
  /** Requests of the server that the client has not answered. */
  readonly #asked = new Set<string>();
  #isOpened = false;
  #isGone = false;
  #fromClient: Promise<void> = Promise.resolve();
  #fromServer: Promise<void> = Promise.resolve();

  constructor(ports: RelayPorts) {
    this.#ports = ports;
    this.#definitions = new Definitions({
      offer: (definitions) => ports.session.offer(definitions),
      send: (message) => ports.toServer(message),
      nowMs: ports.nowMs,
    });
  }

  /** Lines are taken one after the other: a call never overtakes the one before it. */
  client(line: string | undefined): Promise<void> {
    this.#fromClient = this.#fromClient
      .then(() => this.#clientLine(line))
      .catch(() => {
        this.#ports.remark(
          'A message of the client could not be handled, so it was not forwarded.',
        );
      });
    return this.#fromClient;
  }

  server(line: string | undefined): Promise<void> {
    const message = line === undefined ? undefined : parsed(line);
    // What the gateway itself asked for is answered at once: a call of the client waits for it.
    if (message !== undefined && this.#definitions.takes(message)) return Promise.resolve();
    this.#fromServer = this.#fromServer
      .then(() => this.#serverMessage(message))
      .catch(() => {
        this.#ports.remark(
          'A message of the server could not be handled, so it was not forwarded.',
        );
      });
    return this.#fromServer;
  }

  /** The server ended: whoever waits for an answer gets one. */
  async serverGone(): Promise<void> {
    this.#isGone = true;
    this.#definitions.giveUp();
    await this.#fromServer;
    for (const { id, method } of this.#open.values()) this.#gone(id, method);
    this.#open.clear();
  }

  #gone(id: Id, method: string): void {
    const text = `The server behind the gateway ended before it answered ${method}. Whether it did what was asked is not known.`;
    this.#ports.toClient(errorMessageOf(id, SERVER_GONE, text));
  }

  async #clientLine(line: string | undefined): Promise<void> {
    const { toClient } = this.#ports;
    if (line === undefined) {
      toClient(
        errorMessageOf(null, INVALID_REQUEST, 'The message is larger than the gateway takes.'),
      );
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      toClient(
        errorMessageOf(
          null,
          PARSE_ERROR,
          'The line is not JSON; one message for each line is expected.',
        ),
      );
      return;
    }
    if (Array.isArray(value)) {
      toClient(
        errorMessageOf(
          null,
          INVALID_REQUEST,
          'The gateway takes no batches; send each message in a line of its own.',
        ),
      );
      return;
    }
    const message = messageOf(value);
    if (message === undefined) {
      toClient(errorMessageOf(null, INVALID_REQUEST, 'This is not a message of JSON-RPC 2.0.'));
      return;
    }
    if (message.method === undefined) this.#clientResponse(message);
    else if (message.id === undefined) this.#clientNotification(message);
    else await this.#clientRequest(message as Message & { id: Id; method: string });
  }

  #clientResponse(message: Message): void {
    if (this.#questions.takes(message)) return;
    // Nobody asked: it could be meant for a request that the gateway made.
    if (!this.#asked.delete(keyOf(message.id!))) return;
    this.#ports.toServer(message as unknown as Json);
  }

  #clientNotification(message: Message): void {
    if (!NOTIFICATIONS.has(message.method!)) {
      this.#ports.remark('A notification that the gateway does not know was not forwarded.');
      return;
    }
    if (message.method === 'notifications/cancelled' && this.#stopAsking(message)) return;
    if (this.#isOpened) this.#ports.toServer(message as unknown as Json);
  }

  /** The client gave up a call that the server has not seen. An answer that comes later lets the next one pass. */
  #stopAsking({ params }: Message): boolean {
    const key = `${typeof params?.['requestId']} ${params?.['requestId']}`;
    return this.#open.get(key)?.isAsking === true && this.#open.delete(key);
  }

  async #clientRequest(message: Message & { id: Id; method: string }): Promise<void> {
    const { toClient } = this.#ports;
    const { id, method } = message;
    const refuse = (code: number, text: string) => toClient(errorMessageOf(id, code, text));
    if (this.#isGone) return this.#gone(id, method);
    if (this.#open.has(keyOf(id))) {
      return refuse(INVALID_REQUEST, 'A request with this id is still open.');
    }
    if (this.#open.size >= OPEN_MAX) return refuse(INVALID_REQUEST, 'Too many requests are open.');
    if (!this.#opens(message)) {
      return refuse(
        INVALID_REQUEST,
        `The client speaks neither generation of MCP: it has to begin with "initialize", or to name its revision in _meta of every request.`,
      );
    }
    if (method === 'tools/call') return this.#callTool(message);
    const judgedAs = JUDGED[method];
    if (judgedAs !== undefined) return this.#callOther(message, judgedAs);
    if (!FORWARDED.has(method)) {
      return refuse(
        METHOD_NOT_FOUND,
        'The gateway does not know this method, so it does not forward it.',
      );
    }
    this.#forward(message, {});
  }

  #opens(message: Message): boolean {
    const { method, params } = message;
    if (method === 'initialize') {
      this.#isOpened = true;
      this.#nameClient(params?.['clientInfo']);
      this.#questions.learn(params?.['capabilities']);
    } else if (namedRevision(message) !== undefined) {
      this.#isOpened = true;
      this.#nameClient(metaOf(message)[CLIENT_KEY]);
    }
    return this.#isOpened || method === 'ping';
  }

  #nameClient(info: Json | undefined): void {
    const name =
      typeof info === 'object' && info !== null ? (info as { name?: Json }).name : undefined;
    if (typeof name === 'string') this.#ports.session.name(name);
  }

  /** The user of the client may have answered a question of ours with it. */
  async #callTool(given: ToolCall): Promise<void> {
    const { message, answers } = this.#questions.answersIn(given);
    const [answer] = answers;
    if (answer === undefined) return this.#judgeTool(message);
    return this.#judgeTool(message, await this.#record(answer.ask, answer.said));
  }

  /** Why the answer does not count; empty where it does. */
  async #record(ask: Question, said: Said | undefined): Promise<string> {
    if (said === undefined) return '';
    return (await this.#ports.session.answered(ask, said)) ?? '';
  }

  /** `uncounted`: the user was asked already, and why what they said does not count. */
  async #judgeTool(message: ToolCall, uncounted?: string): Promise<void> {
    const { session } = this.#ports;
    const { name, arguments: given, _meta: meta, ...beside } = message.params ?? {};
    if (typeof name !== 'string') {
      return this.#ports.toClient(
        errorMessageOf(message.id, INVALID_REQUEST, 'A call names its tool.'),
      );
    }
    const known = await this.#definitions.find(name, meta);
    if (this.#isGone) return this.#gone(message.id, message.method);
    const verdict = await session.judge({
      tool: name,
      arguments: given ?? {},
      beside: Object.keys(beside).length === 0 ? undefined : (beside as Json),
      definition: known.state,
      misfit: known.misfit(given ?? {}),
    });
    if (verdict.passes) return this.#forward(message, { maxOutput: verdict.maxOutput });
    const { ask } = verdict;
    const isAsked = uncounted !== undefined || !session.asksInClient();
    if (ask !== undefined && !isAsked && this.#questions.canAsk(message))
      return this.#askInClient(message, ask);
    const text = [...(uncounted ? [uncounted] : []), refusalText(verdict)].join(' ');
    this.#ports.toClient({
      jsonrpc: '2.0',
      id: message.id,
      result: {
        ...COMPLETE,
        content: [{ type: 'text', text }],
        isError: true,
        _meta: { 'hone/refusal': refusalData(verdict) },
      },
    });
  }

  /** Other messages of the client go on meanwhile: the answer is one of them. */
  #askInClient(message: ToolCall, ask: Question): void {
    const { id, method } = message;
    const { toClient, remark } = this.#ports;
    if (namedRevision(message) !== undefined) {
      toClient(this.#questions.need(ask, id));
      return;
    }
    const open: Open = { id, method, isAsking: true };
    this.#open.set(keyOf(id), open);
    void this.#questions.ask(ask, toClient).then((said) => {
      this.#fromClient = this.#fromClient
        .then(() => this.#callAnswered(message, { open, ask, said }))
        .catch(() => remark('An answer of the client could not be handled.'));
    });
  }

  async #callAnswered(
    message: ToolCall,
    { open, ask, said }: { open: Open; ask: Question; said: Said | undefined },
  ): Promise<void> {
    const uncounted = await this.#record(ask, said);
    // The client gave the call up, or the server ended, and whoever waited was told.
    if (this.#open.get(keyOf(open.id)) !== open) return;
    this.#open.delete(keyOf(open.id));
    await this.#judgeTool(message, uncounted);
  }

  async #callOther(message: Message & { id: Id; method: string }, tool: string): Promise<void> {
    const { _meta: _, ...given } = message.params ?? {};
    const verdict = await this.#ports.session.judge({
      tool,
      arguments: given as Json,
      definition: 'unpinned',
    });
    if (verdict.passes) return this.#forward(message, { maxOutput: verdict.maxOutput });
    this.#ports.toClient(
      errorMessageOf(message.id, REFUSED, refusalText(verdict), refusalData(verdict)),
    );
  }

  #forward(message: Message & { id: Id; method: string }, about: { maxOutput?: number }): void {
    const { id, method } = message;
    if (this.#isGone) {
      this.#gone(id, method);
      return;
    }
    this.#open.set(keyOf(id), { id, method, ...about });
    this.#ports.toServer(message as unknown as Json);
  }

  async #serverMessage(message: Message | undefined): Promise<void> {
    const { remark, toClient } = this.#ports;
    if (message === undefined)
      return remark('The server wrote a line that is not a message; it was dropped.');
    if (message.method !== undefined && message.id === undefined) {
      if (message.method === 'notifications/tools/list_changed') this.#definitions.forget();
      return toClient(message as unknown as Json);
    }
    if (message.method !== undefined) {
      if (!SERVER_REQUESTS.has(message.method)) {
        const text = 'The gateway does not forward this request to the client.';
        return this.#ports.toServer(errorMessageOf(message.id!, METHOD_NOT_FOUND, text));
      }
      this.#asked.add(keyOf(message.id!));
      return toClient(message as unknown as Json);
    }
    const open = this.#open.get(keyOf(message.id!));
    if (open === undefined)
      return remark('The server answered a request that is not open; it was dropped.');
    const answer = await this.#answerOf(message, open);
    this.#open.delete(keyOf(open.id));
    toClient(answer);
  }

  /** Until it is looked at, the request stays open: its id cannot be used for another one. */
  async #answerOf(message: Message, open: Open): Promise<Json> {
    const plain = message as unknown as Json;
    if (message.result === undefined) return plain;
    if (open.method === 'tools/list') return this.#shownTools(message);
    if (open.maxOutput === undefined) return plain;
    await this.#ports.session.noteOutput(outputText(message.result));
    const bytes = Buffer.byteLength(JSON.stringify(message.result));
    if (bytes <= open.maxOutput) return plain;
    const why = `The output has ${bytes} bytes; the contract allows ${open.maxOutput}. The call was made; its output is kept back.`;
    if (open.method !== 'tools/call') return errorMessageOf(open.id, REFUSED, why);
    return {
      jsonrpc: '2.0',
      id: open.id,
      result: { ...COMPLETE, content: [{ type: 'text', text: why }], isError: true },
    };
  }

  /** Of what the server lists, the client sees what is pinned. */
  async #shownTools(message: Message): Promise<Json> {
    const tools = message.result!['tools'];
    if (!Array.isArray(tools)) return message as unknown as Json;
    const states = await this.#definitions.learn(tools as Json[]);
    if (!(await this.#ports.session.hides())) return message as unknown as Json;
    const shown = (tools as readonly Json[]).filter((tool) => {
      const name = (tool as { name?: Json } | null)?.name;
      return typeof name === 'string' && states.get(name) === 'pinned';
    });
    return { ...message, result: { ...message.result, tools: shown } } as unknown as Json;
  }
}

const keyOf = (id: Id) => `${typeof id} ${id}`;

function parsed(line: string): Message | undefined {
  try {
    return messageOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}
