/**
 * Asks the user of the client about a call that waits for a person, where an operator allows it (`gateway.askInClient`)
 * and the client says that it can show a form. Until 2025-11-25 that is a request to the client; since 2026-07-28 the
 * answer to the call says what is needed, and the client makes the same call again with it.
 *
 * The client gives the answer, so nothing here proves that a person did: what it counts for is the installation's to say.
 */
import type { Verdict } from '../app/gateway-session.ts';
import type { Json } from '../base/index.ts';
import { CAPABILITIES_KEY, type Id, type Message, metaOf, namedRevision } from './messages.ts';

export type Question = NonNullable<Verdict['ask']>;
export type Said = 'approved' | 'rejected';

/** A call without the answers that it carried to questions of ours. */
interface Answered<Call extends Message> {
  readonly message: Call;
  readonly answers: readonly { readonly ask: Question; readonly said: Said | undefined }[];
}

/** Of a client that never answers. */
const OPEN_MAX = 100;

export class Questions {
  /** By `initialize`; since 2026-07-28 each request says it. */
  #canShow = false;
  #next = 0;
  readonly #sent = new Map<Id, (said: Said | undefined) => void>();
  /** What a client was told that a call needs, by the question's id. */
  readonly #needed = new Map<string, Question>();

  /** As `initialize` says it. */
  learn(capabilities: Json | undefined): void {
    this.#canShow = showsForms(capabilities);
  }

  canAsk(message: Message): boolean {
    if (namedRevision(message) !== undefined) return showsForms(metaOf(message)[CAPABILITIES_KEY]);
    return this.#canShow && this.#sent.size < OPEN_MAX;
  }

  /** By a request; undefined where the user did not decide. */
  ask(ask: Question, send: (message: Json) => void): Promise<Said | undefined> {
    this.#next += 1;
    const id = `hone-${ask.id}-${this.#next}`;
    return new Promise((resolve) => {
      this.#sent.set(id, resolve);
      send({ jsonrpc: '2.0', id, ...requestOf(ask) });
    });
  }

  /** Whether it answers a request of ours. */
  takes(message: Message): boolean {
    const answer = this.#sent.get(message.id!);
    if (answer === undefined) return false;
    this.#sent.delete(message.id!);
    answer(saidIn(message.result));
    return true;
  }

  /** By the result of the call itself. */
  need(ask: Question, id: Id): Json {
    if (this.#needed.size >= OPEN_MAX) this.#needed.clear();
    this.#needed.set(ask.id, ask);
    const inputRequests = { [ask.id]: requestOf(ask) };
    return { jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests } };
  }

  /** Answers to questions of ours are no part of the call; those to the server's go on to it. */
  answersIn<Call extends Message>(message: Call): Answered<Call> {
    const { inputResponses: given, ...params } = message.params ?? {};
    if (!isObject(given)) return { message, answers: [] };
    const rest: { [key: string]: Json | undefined } = {};
    const answers: { ask: Question; said: Said | undefined }[] = [];
    for (const [key, answer] of Object.entries(given)) {
      const ask = this.#needed.get(key);
      if (ask === undefined) rest[key] = answer;
      else answers.push({ ask, said: saidIn(answer) });
    }
    if (answers.length === 0) return { message, answers };
    for (const { ask } of answers) this.#needed.delete(ask.id);
    const kept = Object.keys(rest).length === 0 ? params : { ...params, inputResponses: rest };
    return { message: { ...message, params: kept }, answers };
  }
}

function requestOf({ tool, why, shown }: Question) {
  const message = `An agent wants to call ${tool}. ${why}\nArguments: ${shown}`;
  const allow = { type: 'boolean', title: 'Let this call pass once' };
  const requestedSchema = { type: 'object', properties: { allow }, required: ['allow'] };
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

/** A client that only can open an address cannot show the question. */
function showsForms(capabilities: Json | undefined): boolean {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  if (!isObject(elicitation)) return false;
  return elicitation['form'] !== undefined || elicitation['url'] === undefined;
}

/** Closing the question says nothing; the call goes on waiting for a person. */
function saidIn(answer: Json | undefined): Said | undefined {
  if (!isObject(answer)) return undefined;
  const { action, content } = answer;
  if (action === 'decline') return 'rejected';
  if (action !== 'accept' || !isObject(content)) return undefined;
  return content['allow'] === true ? 'approved' : 'rejected';
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
