/**
 * The definitions of a server's tools, as it lists them now. The gateway asks by itself before the first call, after the
 * server said that they changed, and once a minute while calls are made: a client that lists nothing is no way around a
 * pin. A list that does not come means that nothing is known, and nothing passes.
 */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Definition } from '../app/gateway-session.ts';
import type { Json } from '../base/index.ts';
import type { Message } from './messages.ts';

interface Ports {
  offer(definitions: readonly Definition[]): Promise<ReadonlyMap<string, 'pinned' | 'changed'>>;
  send(message: Json): void;
  nowMs(): number;
}

interface Known {
  readonly state: 'pinned' | 'changed' | 'unlisted';
  /** Why the arguments do not fit the schema. */
  misfit(given: Json): string | undefined;
}

interface Listed {
  readonly state: 'pinned' | 'changed';
  readonly definition: Definition;
  validate?: (given: Json) => string | undefined;
}

const FRESH_MS = 60_000;
const PAGES_MAX = 100;
const MISFIT_MAX = 300;

export class Definitions {
  readonly #ports: Ports;
  readonly #validator = new AjvJsonSchemaValidator();
  #listed: Map<string, Listed> | undefined;
  #listedAtMs = 0;
  #next = 0;
  readonly #waiting = new Map<string, (message: Message | undefined) => void>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** `meta`: what the client's own request names, which a server of 2026-07-28 wants of every request. */
  async find(name: string, meta: Json | undefined): Promise<Known> {
    const isFresh = this.#ports.nowMs() - this.#listedAtMs < FRESH_MS;
    if (this.#listed === undefined || !isFresh) await this.#list(meta);
    const found = this.#listed?.get(name);
    if (found === undefined) return { state: 'unlisted', misfit: () => undefined };
    return { state: found.state, misfit: (given) => this.#misfit(found, given) };
  }

  /** What the client listed itself: a page of it, perhaps. */
  async learn(tools: readonly Json[]): Promise<ReadonlyMap<string, 'pinned' | 'changed'>> {
    const definitions = tools.filter(isDefinition);
    const states = await this.#ports.offer(definitions);
    if (this.#listed !== undefined) this.#keep(this.#listed, definitions, states);
    return states;
  }

  forget(): void {
    this.#listed = undefined;
  }

  /** Whether it answers what the gateway asked. */
  takes(message: Message): boolean {
    if (typeof message.id !== 'string' || message.method !== undefined) return false;
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return false;
    this.#waiting.delete(message.id);
    waiting(message);
    return true;
  }

  giveUp(): void {
    for (const waiting of this.#waiting.values()) waiting(undefined);
    this.#waiting.clear();
  }

  async #list(meta: Json | undefined): Promise<void> {
    const found = new Map<string, Listed>();
    let cursor: Json | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const message = await this.#ask(meta, cursor);
      const tools = message?.result?.['tools'];
      if (!Array.isArray(tools)) {
        this.#listed = undefined;
        return;
      }
      const definitions = (tools as Json[]).filter(isDefinition);
      this.#keep(found, definitions, await this.#ports.offer(definitions));
      cursor = message!.result!['nextCursor'];
      if (typeof cursor !== 'string') break;
    }
    this.#listed = found;
    this.#listedAtMs = this.#ports.nowMs();
  }

  #ask(meta: Json | undefined, cursor: Json | undefined): Promise<Message | undefined> {
    const id = `hone-gateway-${++this.#next}`;
    const params = {
      ...(meta === undefined ? {} : { _meta: withoutProgress(meta) }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#ports.send({ jsonrpc: '2.0', id, method: 'tools/list', params });
    });
  }

  #keep(
    into: Map<string, Listed>,
    definitions: readonly Definition[],
    states: ReadonlyMap<string, 'pinned' | 'changed'>,
  ): void {
    for (const definition of definitions) {
      const state = states.get(definition.name);
      if (state !== undefined) into.set(definition.name, { state, definition });
    }
  }

  #misfit(listed: Listed, given: Json): string | undefined {
    const { inputSchema } = listed.definition;
    if (typeof inputSchema !== 'object' || inputSchema === null)
      return 'the tool has no input schema';
    try {
      listed.validate ??= this.#validatorOf(inputSchema);
      return listed.validate(given);
    } catch {
      return 'the input schema cannot be read';
    }
  }

  #validatorOf(schema: object): (given: Json) => string | undefined {
    const validate = this.#validator.getValidator(schema as never);
    return (given) => {
      const result = validate(given);
      return result.valid ? undefined : result.errorMessage.slice(0, MISFIT_MAX);
    };
  }
}

function isDefinition(tool: Json): tool is Json & Definition {
  return (
    typeof tool === 'object' && tool !== null && typeof (tool as { name?: Json }).name === 'string'
  );
}

/** Progress of the client's call is not progress of the list. */
function withoutProgress(meta: Json): Json {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return {};
  const { progressToken: _, ...rest } = meta as { [key: string]: Json };
  return rest;
}
