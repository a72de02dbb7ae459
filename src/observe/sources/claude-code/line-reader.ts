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
import { type LineStep, Telling } from '../transcripts/telling.ts';
import {
  argumentsOf,
  boundedText,
  contentText,
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
import { apiErrorCode, retriedError, stopCode } from './api-error.ts';
import type { Envelope } from './line.ts';
import {
  type Chain,
  type ClaudeState,
  type Reply,
  withChain,
  withSide,
  withSpawn,
} from './state.ts';
import { agentEnd, noticedEnd } from './sub-agents.ts';
import { outcomeOf } from './tool-result.ts';
import { queuedText, type UserText, userText } from './user-text.ts';

const CLIENT = 'claude-code';
const EDITS_READ_MAX = 20;

export class LineReader {
  readonly #line: Envelope;
  readonly #telling: Telling;
  #chain: Chain;
  #state: ClaudeState;
  /** Of a sub-agent: the span that it runs in. */
  readonly #span: string | undefined;

  constructor(line: Envelope, chain: Chain, state: ClaudeState) {
    this.#line = line;
    this.#telling = new Telling(line.session, line.version);
    this.#chain = chain;
    this.#state = state;
    this.#span = line.agentId === undefined ? undefined : `agent-${line.agentId}`.slice(0, 200);
    if (line.isSidechain && line.agentId === undefined) this.#span = this.#followSide();
  }

  result(): { readonly records: readonly Decoded[]; readonly state: ClaudeState } {
    const isSame = this.#state.chains.at(-1) === this.#chain;
    const chains = isSame ? this.#state.chains : withChain(this.#state.chains, this.#chain);
    return { records: this.#telling.records, state: { ...this.#state, chains } };
  }

  readAssistant(): void {
    const { fields, message } = this.#line;
    if (message === undefined) return;
    const model = nameOf(message['model']);
    if (fields['isApiErrorMessage'] === true || model === '<synthetic>') {
      this.#endReply();
      if (fields['isApiErrorMessage'] === true) this.#apiError(message);
      return;
    }
    const span = nameOf(message['id']);
    if (span !== undefined) this.#response(message, span, model);
    this.#do({ talk: acted(this.#chain.talk, DID.answered) });
    for (const block of listOf(message['content'])) {
      const one = fieldsOf(block);
      const type = one?.['type'];
      if (one === undefined || typeof type !== 'string') continue;
      if (type === 'text') this.#do({ talk: told(this.#chain.talk, textOf(one['text']) ?? '') });
      else if (type === 'tool_use' || type === 'server_tool_use') this.#call(one, { span, model });
      else if (type.endsWith('_tool_result')) this.#answer(serverResult(one));
    }
  }

  readUser(): void {
    const { fields, message, isSidechain, atMs } = this.#line;
    for (const block of listOf(message?.['content'])) {
      const one = fieldsOf(block);
      if (one?.['type'] === 'tool_result') this.#answer(one);
    }
    if (!isSidechain && this.#isNewLine()) this.#hear(userText(fields, message));
    const text = textOf(message?.['content']);
    if (text?.startsWith('<task-notification>')) this.#agentEnd(noticedEnd(text));
    this.#chain = { ...this.#chain, inputMs: atMs ?? this.#chain.inputMs };
  }

  readAttachment(): void {
    if (this.#line.isSidechain) return;
    const attachment = fieldsOf(this.#line.fields['attachment']);
    if (attachment?.['type'] === 'queued_command' && this.#isNewLine())
      this.#hear(queuedText(attachment));
    const notice = attachment?.['commandMode'] === 'task-notification' && attachment['prompt'];
    if (typeof notice === 'string') this.#agentEnd(noticedEnd(notice));
  }

  readSystem(): void {
    const { fields, uuid, atMs } = this.#line;
    const subtype = fields['subtype'];
    if (subtype === 'turn_duration' || subtype === 'compact_boundary') this.#endReply();
    if (uuid === undefined || atMs === undefined || !this.#isNew(`line ${uuid}`)) return;
    if (subtype === 'turn_duration') {
      const durationMs = countOf(fields['durationMs']);
      this.#step({
        spanId: uuid,
        name: 'turn',
        operation: 'invoke_agent',
        success: true,
        durationMs,
      });
    } else if (subtype === 'compact_boundary') {
      const about = fieldsOf(fields['compactMetadata']);
      this.#step({
        spanId: uuid,
        name: nameOf(about?.['trigger']) === 'manual' ? 'compact (manual)' : 'compact',
        operation: 'compact',
        success: true,
        durationMs: countOf(about?.['durationMs']),
        inputTokens: countOf(about?.['preTokens']),
        outputTokens: countOf(about?.['postTokens']),
      });
    } else if (subtype === 'api_error') {
      const { code, message } = retriedError(fields);
      const attempt = countOf(fields['retryAttempt']);
      this.#step({
        spanId: uuid,
        name: 'chat',
        operation: 'chat',
        success: false,
        errorCode: code,
        errorMessage: message === undefined ? undefined : boundedText(message),
        attempt: attempt !== undefined && attempt >= 1 ? attempt : undefined,
      });
    }
  }

  /** Says once that a person corrected the agent. */
  #hear(said: UserText): void {
    if (said === undefined) return;
    this.#endReply();
    const { talk } = this.#chain;
    const { parentUuid } = this.#line;
    if (said.kind === 'typed') this.#do(heard(talk, said.text, parentUuid));
    else this.#do(stated(talk, { correction: 'abandon' }));
  }

  #do({ talk, correction }: Heard): void {
    if (talk !== this.#chain.talk) this.#chain = { ...this.#chain, talk };
    const { atMs } = this.#line;
    if (correction === undefined || atMs === undefined || this.#line.isSidechain) return;
    this.#telling.correction(correction, atMs, this.#agent());
  }

  #response(message: Fields, span: string, model: string | undefined): void {
    const { atMs, fields } = this.#line;
    const id = numberFor(`message ${span}`);
    const before = this.#chain.reply;
    if (before?.id !== id) {
      this.#endReply();
      if (atMs === undefined || this.#state.seen.includes(id)) return;
    }
    const usage = fieldsOf(message['usage']);
    const reply: Reply = {
      id,
      span,
      fromMs: before?.id === id ? before.fromMs : this.#chain.inputMs,
      atMs: before?.id === id ? before.atMs : atMs!,
      endMs: atMs ?? before!.endMs,
      model: model ?? null,
      provider: textOf(fields['requestId'])?.startsWith('req_') ? 'anthropic' : null,
      inputTokens: inputTokensOf(usage) ?? null,
      outputTokens: countOf(usage?.['output_tokens']) ?? null,
    };
    this.#chain = { ...this.#chain, reply };
    // The lines before the last one carry no reason why it ended; of some releases none does.
    const stop = textOf(message['stop_reason']);
    if (stop !== undefined) this.#endReply(stop);
  }

  /** Tokens are repeated in every line of a response: they are counted when it is over. */
  #endReply(stop?: string): void {
    const { reply } = this.#chain;
    if (reply === null) return;
    // What the model was given before it answered is no request any more.
    const { inputMs } = this.#chain;
    const isAnswered = inputMs === null || inputMs <= reply.endMs;
    this.#chain = { ...this.#chain, reply: null, inputMs: isAnswered ? null : inputMs };
    this.#state = { ...this.#state, seen: withSeen(this.#state.seen, reply.id) };
    const errorCode = stopCode(stop);
    const startMs = reply.fromMs ?? reply.atMs;
    this.#step({
      spanId: reply.span,
      atMs: Math.min(startMs, reply.endMs),
      name: reply.model ?? 'chat',
      operation: 'chat',
      success: errorCode === undefined,
      errorCode,
      durationMs: reply.fromMs === null ? undefined : elapsedMs(reply.fromMs, reply.endMs),
      model: reply.model ?? undefined,
      provider: reply.provider ?? undefined,
      inputTokens: reply.inputTokens ?? undefined,
      outputTokens: reply.outputTokens ?? undefined,
    });
  }

  #apiError(message: Fields): void {
    const { uuid, fields } = this.#line;
    if (uuid === undefined || !this.#isNew(`line ${uuid}`)) return;
    const text = contentText(message['content']);
    this.#step({
      spanId: uuid,
      name: 'chat',
      operation: 'chat',
      success: false,
      errorCode: apiErrorCode(fields, text),
      errorMessage: boundedText(text),
    });
  }

  #call(
    block: Fields,
    { span, model }: { span: string | undefined; model: string | undefined },
  ): void {
    const id = nameOf(block['id']);
    const tool = nameOf(block['name']);
    if (id === undefined || tool === undefined) return;
    const call = numberFor(`call ${id}`);
    const { waiting, seen } = this.#state;
    if (seen.includes(call) || waiting.some((one) => one.call === call)) return;
    const input = block['input'];
    const args = argumentsOf(input);
    const one: Waiting = {
      call,
      atMs: this.#line.atMs ?? null,
      agent: this.#agent(),
      tool,
      model: model ?? null,
      parent: span ?? null,
      names: args?.names ?? [],
      input: args?.number ?? null,
      inputBytes: args?.bytes ?? null,
      told: null,
    };
    this.#state = { ...this.#state, waiting: withCall(waiting, one) };
    this.#watch(id, fieldsOf(input) ?? {});
  }

  /** What a call says about the conversation, before its result is there. */
  #watch(id: string, input: Fields): void {
    this.#do({ talk: acted(this.#chain.talk, DID.ran) });
    const file = textOf(input['file_path']);
    const command = textOf(input['command']);
    if (command !== undefined) this.#do(ran(this.#chain.talk, command));
    if (file !== undefined) {
      for (const one of [input, ...listOf(input['edits']).slice(0, EDITS_READ_MAX)]) {
        const edit = fieldsOf(one);
        const [before, after] = [edit?.['old_string'], edit?.['new_string']];
        if (typeof before === 'string' && typeof after === 'string')
          this.#do(edited(this.#chain.talk, file, before, after));
      }
      if (typeof input['content'] === 'string')
        this.#do({ talk: acted(this.#chain.talk, DID.edited) });
    }
    const agent = nameOf(input['subagent_type']);
    const prompt = textOf(input['prompt']);
    if (agent === undefined || prompt === undefined) return;
    const spawn = { prompt: numberFor(prompt), agent, span: id };
    this.#state = { ...this.#state, spawns: withSpawn(this.#state.spawns, spawn) };
  }

  #answer(block: Fields): void {
    const id = nameOf(block['tool_use_id']);
    if (id === undefined) return;
    const number = numberFor(`call ${id}`);
    const call = this.#state.waiting.find((one) => one.call === number);
    if (call === undefined) return;
    const waiting = this.#state.waiting.filter((one) => one !== call);
    this.#state = { ...this.#state, waiting, seen: withSeen(this.#state.seen, number) };
    const outcome = outcomeOf(block, this.#line.fields);
    const { atMs: endMs } = this.#line;
    const about = { id, endMs, parent: this.#span, failed: this.#chain.failed };
    this.#chain = { ...this.#chain, failed: this.#telling.call(call, outcome, about) };
    if (this.#line.isSidechain) return;
    if (fieldsOf(this.#line.fields['toolUseResult'])?.['userModified'] === true)
      this.#do(stated(this.#chain.talk, { correction: 'rephrase', certainty: 0.9 }));
    if (outcome.refusal !== undefined) {
      const correction = outcome.refusal.feedback === undefined ? 'abandon' : 'rephrase';
      this.#do(stated(this.#chain.talk, { correction }));
    }
    const end = agentEnd(this.#line.fields, id, outcome.success);
    if (end !== undefined) this.#agentEnd({ ...end, agent: end.agent ?? this.#spawned(id) });
  }

  #spawned(span: string): string | undefined {
    return this.#state.spawns.find((one) => one.span === span)?.agent;
  }

  #agentEnd(end: AgentEnd | undefined): void {
    if (end === undefined || !this.#isNew(`agent ${end.agentId}`)) return;
    const { agentId, agent, parentSpanId, success, errorCode, durationMs } = end;
    const spanId = `agent-${agentId}`;
    const name = agent ?? 'agent';
    const how = { success, errorCode, durationMs };
    this.#step({ spanId, name, operation: 'invoke_agent', agent, parentSpanId, ...how });
  }

  #step(step: LineStep): void {
    const { atMs } = this.#line;
    this.#telling.step({
      atMs,
      agent: this.#agent(),
      ...known({ parentSpanId: this.#span }),
      ...known(step),
    });
  }

  /** Not of results: their calls are known by their ids. */
  #isNewLine(): boolean {
    const { uuid, fields } = this.#line;
    return (
      uuid === undefined || fields['toolUseResult'] !== undefined || this.#isNew(`line ${uuid}`)
    );
  }

  #isNew(id: string): boolean {
    const number = numberFor(id);
    const { seen } = this.#state;
    if (seen.includes(number)) return false;
    this.#state = { ...this.#state, seen: withSeen(seen, number) };
    return true;
  }

  #agent(): string {
    return this.#chain.agent ?? CLIENT;
  }

  /** Older releases: the first line of a sub-agent repeats the prompt that started it, others follow by their parents. */
  #followSide(): string | undefined {
    const { parentUuid, uuid, message } = this.#line;
    if (uuid === undefined) return undefined;
    const leaf = numberFor(uuid);
    const { sides, spawns } = this.#state;
    const above = parentUuid === undefined ? undefined : numberFor(parentUuid);
    let side = sides.find((one) => one.leaf === above);
    const before = side;
    if (side === undefined && this.#line.type === 'user') {
      const prompt = numberFor(contentText(message?.['content']));
      const spawn = spawns.find((one) => one.prompt === prompt);
      if (spawn !== undefined) side = { leaf, agent: spawn.agent, span: spawn.span };
    }
    if (side === undefined) return undefined;
    this.#state = { ...this.#state, sides: withSide(sides, { ...side, leaf }, before) };
    this.#chain = { ...this.#chain, agent: side.agent };
    return side.span;
  }
}

export interface AgentEnd {
  readonly agentId: string;
  readonly agent: string | undefined;
  readonly parentSpanId: string | undefined;
  readonly success: boolean;
  readonly errorCode: string | undefined;
  readonly durationMs: number | undefined;
}

/** Tokens of the input include those that came from a cache. */
function inputTokensOf(usage: Fields | undefined): number | undefined {
  const parts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  const counts = parts.flatMap((part) => countOf(usage?.[part]) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** A tool of the model's provider: its error is in the content. */
function serverResult(block: Fields): Fields {
  const content = fieldsOf(block['content']);
  const isError = textOf(content?.['error_code']) !== undefined;
  return { ...block, is_error: isError };
}
