/** Reads one line of a session that is taken: what it says becomes records and the next state. */
import type { Decoded } from '../../types.ts';
import { type Waiting, withCall, withSeen } from '../transcripts/calls.ts';
import {
  acted,
  edited,
  type Heard,
  heard,
  ran,
  stated,
  told,
} from '../transcripts/conversation.ts';
import { DID } from '../transcripts/corrections.ts';
import { type LineStep, type Outcome, Telling } from '../transcripts/telling.ts';
import {
  argumentsOf,
  boundedText,
  countOf,
  elapsedMs,
  type Fields,
  fieldsOf,
  known,
  listOf,
  nameOf,
  numberFor,
  textOf,
} from '../transcripts/values.ts';
import type { RolloutLine } from './line.ts';
import { durationMs, mcpFailure, outcomeOf, toldBy } from './outcome.ts';
import { patchedFiles } from './patches.ts';
import type { CodexState } from './state.ts';
import { turnError } from './turn-error.ts';
import { itemText, typedText } from './user-text.ts';

const CLIENT = 'codex';

export class LineReader {
  readonly #payload: Fields;
  readonly #line: RolloutLine;
  readonly #session: string;
  /** Of the line, or where lines have no time that of the session. */
  readonly #atMs: number | undefined;
  readonly #telling: Telling;
  #state: CodexState;

  constructor(line: RolloutLine, session: string, state: CodexState) {
    this.#line = line;
    this.#telling = new Telling(session, state.version ?? undefined);
    this.#payload = line.payload;
    this.#session = session;
    this.#atMs = line.atMs ?? state.startMs ?? undefined;
    this.#state = state;
  }

  result(): { readonly records: readonly Decoded[]; readonly state: CodexState } {
    return { records: this.#telling.records, state: this.#state };
  }

  readItem(): void {
    const payload = this.#payload;
    switch (payload['type']) {
      case 'function_call':
      case 'custom_tool_call':
      case 'tool_search_call':
        this.#call(toolOf(payload), payload['call_id'], inputOf(payload));
        break;
      case 'local_shell_call':
        this.#call('local_shell', payload['call_id'] ?? payload['id'], payload['action']);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'tool_search_output':
        this.#answer(payload);
        break;
      case 'web_search_call':
      case 'image_generation_call':
        this.#providersCall(payload);
        break;
      case 'message':
        this.#message(payload);
        break;
    }
  }

  readMessage(): void {
    const payload = this.#payload;
    switch (payload['type']) {
      case 'user_message':
        this.#hear(typedText(textOf(payload['message'])));
        break;
      case 'item_completed':
        this.#hear(itemText(payload));
        break;
      case 'agent_message':
        this.#do({ talk: told(this.#state.talk, textOf(payload['message']) ?? '') });
        break;
      case 'token_count':
        this.#response(payload);
        break;
      case 'task_started':
      case 'turn_started':
        this.#begin();
        break;
      case 'task_complete':
      case 'turn_complete':
        this.#complete(payload);
        break;
      case 'turn_aborted':
        this.#aborted(payload);
        break;
      case 'thread_rolled_back':
        this.#do(stated(this.#state.talk, { correction: 'retry' }));
        break;
      case 'undo_completed':
        if (payload['success'] !== false)
          this.#do(stated(this.#state.talk, { correction: 'abandon' }));
        break;
      case 'exec_command_end':
      case 'patch_apply_end':
      case 'mcp_tool_call_end':
        this.#told(payload);
        break;
      case 'error':
      case 'stream_error':
        this.#requestFailed(payload);
        break;
    }
  }

  readCompacted(): void {
    const spanId = `${this.#session.slice(0, 160)}.compact.${this.#atMs ?? 0}`;
    this.#step({ spanId, name: 'compact', operation: 'compact', success: true });
  }

  #message(payload: Fields): void {
    const texts = listOf(payload['content']).flatMap(
      (block) => textOf(fieldsOf(block)?.['text']) ?? [],
    );
    if (payload['role'] === 'assistant')
      this.#do({ talk: told(this.#state.talk, texts.at(-1) ?? '') });
    // With an envelope, what was typed is an event of its own.
    if (payload['role'] !== 'user' || !this.#line.isBare) return;
    this.#hear(typedText(texts.join('\n')));
  }

  #hear(text: string | undefined): void {
    if (text === undefined) return;
    this.#do(heard(this.#state.talk, text));
    this.#given();
  }

  #do({ talk, correction }: Heard): void {
    if (talk !== this.#state.talk) this.#state = { ...this.#state, talk };
    if (correction === undefined || this.#atMs === undefined || this.#state.isSub) return;
    this.#telling.correction(correction, this.#atMs, this.#agent());
  }

  /** The model has something new to answer. */
  #given(): void {
    this.#state = { ...this.#state, inputMs: this.#line.atMs ?? null };
  }

  #begin(): void {
    this.#state = { ...this.#state, turn: nameOf(this.#payload['turn_id']) ?? null };
    this.#given();
  }

  /** A count is written again when only the limits changed. */
  #response(payload: Fields): void {
    const info = fieldsOf(payload['info']);
    const usage = fieldsOf(info?.['last_token_usage']);
    const total = countOf(fieldsOf(info?.['total_token_usage'])?.['total_tokens']) ?? null;
    if (usage === undefined || (total !== null && total === this.#state.total)) return;
    const replies = this.#state.replies + 1;
    const { turn, model, provider, inputMs } = this.#state;
    this.#state = { ...this.#state, total, replies, inputMs: null };
    const outputTokens = countOf(usage['output_tokens']);
    const inputTokens = countOf(usage['input_tokens']);
    if (outputTokens === undefined && inputTokens === undefined) return;
    this.#step({
      spanId: `${(turn ?? this.#session).slice(0, 160)}.${replies}`,
      atMs: inputMs ?? undefined,
      name: model ?? 'chat',
      operation: 'chat',
      success: true,
      durationMs: elapsedMs(inputMs ?? undefined, this.#line.atMs),
      model: model ?? undefined,
      provider: provider ?? undefined,
      inputTokens,
      outputTokens,
    });
  }

  #requestFailed(payload: Fields): void {
    const { code, message } = turnError(payload);
    const { turn, model, provider } = this.#state;
    this.#step({
      spanId: `${(turn ?? this.#session).slice(0, 140)}.error.${this.#atMs ?? 0}`,
      name: model ?? 'chat',
      operation: 'chat',
      success: false,
      errorCode: code,
      errorMessage: message === undefined ? undefined : boundedText(message),
      model: model ?? undefined,
      provider: provider ?? undefined,
    });
  }

  #complete(payload: Fields): void {
    const error = fieldsOf(payload['error']) ?? fieldsOf(this.#line.fields['error']);
    const failed = error === undefined ? undefined : turnError(error);
    this.#endTurn(payload, failed?.code);
    if (failed === undefined || this.#atMs === undefined) return;
    const message = failed.message === undefined ? undefined : boundedText(failed.message);
    this.#telling.taskFailure(this.#atMs, this.#agent(), failed.code, message);
  }

  #aborted(payload: Fields): void {
    const reason = nameOf(payload['reason']) ?? 'interrupted';
    this.#endTurn(payload, reason === 'review_ended' ? undefined : abortCode(reason));
    const { talk } = this.#state;
    if (reason === 'interrupted') this.#do(stated(talk, { correction: 'abandon' }));
    // The user sent something else while it worked: often a correction.
    if (reason === 'replaced') this.#do(stated(talk, { correction: 'rephrase', certainty: 0.6 }));
    if (reason !== 'budget_limited' || this.#atMs === undefined) return;
    this.#telling.taskFailure(this.#atMs, this.#agent(), abortCode(reason));
  }

  #endTurn(payload: Fields, errorCode: string | undefined): void {
    const spanId = nameOf(payload['turn_id']) ?? this.#state.turn ?? undefined;
    this.#state = { ...this.#state, turn: null };
    if (spanId === undefined) return;
    const durationMs = countOf(payload['duration_ms']);
    const success = errorCode === undefined;
    this.#step({ spanId, name: 'turn', operation: 'invoke_agent', success, errorCode, durationMs });
  }

  #call(tool: string | undefined, callId: unknown, input: unknown): void {
    const id = nameOf(callId);
    if (id === undefined || tool === undefined) return;
    const call = numberFor(`call ${id}`);
    const { waiting, seen } = this.#state;
    if (seen.includes(call) || waiting.some((one) => one.call === call)) return;
    const one = this.#waitingCall(call, tool, input);
    this.#state = { ...this.#state, waiting: withCall(waiting, one) };
    this.#watch(input);
  }

  #waitingCall(call: number, tool: string, input: unknown): Waiting {
    const args = argumentsOf(input);
    return {
      call,
      atMs: this.#line.atMs ?? null,
      agent: this.#agent(),
      tool,
      model: this.#state.model,
      parent: this.#state.turn,
      names: args?.names ?? [],
      input: args?.number ?? null,
      inputBytes: args?.bytes ?? null,
      told: null,
    };
  }

  #watch(input: unknown): void {
    this.#do({ talk: acted(this.#state.talk, DID.ran) });
    const fields = fieldsOf(input);
    const command = fields?.['cmd'] ?? fields?.['command'];
    const patch = typeof input === 'string' ? input : (fields?.['input'] ?? fields?.['patch']);
    const texts = [command, patch, ...listOf(command)].filter((one) => typeof one === 'string');
    for (const text of texts.slice(0, 20)) {
      this.#do(ran(this.#state.talk, text));
      for (const { file, before, after } of patchedFiles(text))
        this.#do(edited(this.#state.talk, file, before, after));
    }
  }

  #answer(payload: Fields): void {
    const id = nameOf(payload['call_id']);
    this.#given();
    if (id === undefined) return;
    const number = numberFor(`call ${id}`);
    const call = this.#state.waiting.find((one) => one.call === number);
    if (call === undefined) return;
    this.#answered(number);
    this.#toolCall(call, id, outcomeOf(payload['output'] ?? payload['tools'], call.told));
  }

  #answered(number: number): void {
    const waiting = this.#state.waiting.filter((one) => one.call !== number);
    this.#state = { ...this.#state, waiting, seen: withSeen(this.#state.seen, number) };
  }

  /** An event that says how a call ended, before or without its output. */
  #told(payload: Fields): void {
    const id = nameOf(payload['call_id']);
    const told = toldBy(payload);
    if (id === undefined || told === undefined) return;
    const number = numberFor(`call ${id}`);
    const call = this.#state.waiting.find((one) => one.call === number);
    if (call !== undefined) {
      const tool = call.tool.startsWith('mcp__') ? call.tool : (invokedTool(payload) ?? call.tool);
      const waiting = this.#state.waiting.map((one) =>
        one === call ? { ...one, tool, told } : one,
      );
      this.#state = { ...this.#state, waiting };
    } else if (payload['type'] === 'mcp_tool_call_end' && !this.#state.seen.includes(number)) {
      this.#serversCall(payload, id, number);
    }
  }

  /** A call of a server that was made by a script, not by the model: only its end is written. */
  #serversCall(payload: Fields, id: string, number: number): void {
    const tool = invokedTool(payload);
    const endMs = this.#line.atMs;
    if (tool === undefined || endMs === undefined) return;
    const latencyMs = durationMs(payload['duration']);
    const input = fieldsOf(payload['invocation'])?.['arguments'];
    const told = toldBy(payload) ?? null;
    const atMs = latencyMs === undefined ? null : Math.max(0, endMs - latencyMs);
    const call = { ...this.#waitingCall(number, tool, input), atMs, told };
    this.#answered(number);
    const outcome = outcomeOf(mcpFailure(payload) ?? '', told);
    this.#toolCall(call, id, { ...outcome, bytes: undefined });
  }

  /** Tools that the model's provider runs: there is no output to wait for. */
  #providersCall(payload: Fields): void {
    const status = textOf(payload['status']);
    if (status === 'in_progress') return;
    const isFailed = status !== undefined && status !== 'completed';
    const code = isFailed ? (nameOf(status) ?? null) : null;
    const tool = payload['type'] === 'web_search_call' ? 'web_search' : 'image_generation';
    const told = { isFailed, code, latencyMs: null, provider: this.#state.provider };
    // It is written when it is over: nobody knows when it began.
    const call = { ...this.#waitingCall(0, tool, payload['action']), atMs: null, told };
    const outcome = { ...outcomeOf('', told), bytes: undefined };
    this.#toolCall(call, nameOf(payload['call_id']) ?? nameOf(payload['id']), outcome);
  }

  #toolCall(call: Waiting, id: string | undefined, outcome: Outcome): void {
    const { atMs: endMs } = this.#line;
    const about = { id, endMs, aboutMs: this.#atMs, failed: this.#state.failed };
    this.#state = { ...this.#state, failed: this.#telling.call(call, outcome, about) };
  }

  #step(step: LineStep): void {
    const { turn } = this.#state;
    const parentSpanId = turn === null || turn === step.spanId ? undefined : turn;
    const common = { atMs: this.#atMs, agent: this.#agent(), ...known({ parentSpanId }) };
    this.#telling.step({ ...common, ...known(step) });
  }

  #agent(): string {
    return this.#state.agent ?? CLIENT;
  }
}

/** Servers' tools are named as other clients name them: some releases write the server beside the name. */
function toolOf(payload: Fields): string | undefined {
  if (payload['type'] === 'tool_search_call') return 'tool_search';
  const name = nameOf(payload['name']);
  const space = nameOf(payload['namespace']);
  if (name === undefined || space === undefined || !space.startsWith('mcp__')) return name;
  return name.startsWith('mcp__') ? name : nameOf(`${space.replace(/__$/, '')}__${name}`);
}

function invokedTool(payload: Fields): string | undefined {
  const invocation = fieldsOf(payload['invocation']);
  const [server, tool] = [nameOf(invocation?.['server']), nameOf(invocation?.['tool'])];
  return server === undefined || tool === undefined ? undefined : nameOf(`mcp__${server}__${tool}`);
}

/** Arguments are JSON within a text, or free text. */
function inputOf(payload: Fields): unknown {
  const given = payload['arguments'] ?? payload['input'];
  if (typeof given !== 'string' || payload['type'] === 'custom_tool_call') return given;
  try {
    return fieldsOf(JSON.parse(given)) ?? given;
  } catch {
    return given;
  }
}

function abortCode(reason: string): string {
  return reason === 'budget_limited' ? 'token_limit' : reason;
}
