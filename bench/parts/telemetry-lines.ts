/**
 * A day of a fleet as Hone's JSONL, from a seed: 20 agents, 60 tools, sessions of some dozen calls with one task, one
 * model and one version each, 8 % failures of about 200 templates with variable parts, latencies with a long tail. Few
 * agents, tools and tasks do most of the work.
 */
import { isoTime, type Random, randomInt, seededRandom } from '../../src/base/index.ts';

export const DAY_MS = 86_400_000;
export const FROM_MS = Date.UTC(2026, 0, 1);

const AGENTS = 20;
const TOOLS = 60;
const TASKS = 40;
const TEMPLATES = 200;
/** How many sessions there are at a time: at 700 events a minute each has about four of them. */
const SESSIONS_AT_ONCE = 180;
const FAILED_SHARE = 0.08;

const VERBS = ['open', 'read', 'fetch', 'parse', 'send', 'lock', 'resolve', 'render', 'query'];
const NOUNS = ['record', 'page', 'socket', 'ticket', 'index', 'shard', 'token', 'branch', 'image'];
const TAILS = [
  'timed out after %n ms',
  'refused by %h (attempt %n of %n)',
  'returned status %n for /v1/items/%n',
  'not found: %p',
  'exceeds the limit of %n bytes (got %n)',
  'unexpected end of input at line %n, column %n',
];
const MODELS = ['large-4', 'large-5', 'small-2'];
const VERSIONS = ['2026.1.0', '2026.1.1'];
const PROVIDERS = ['search.example.com', 'mail.example.com', 'local', 'files.example.com'];

interface Session {
  readonly id: string;
  readonly agent: number;
  readonly task: string;
  readonly model: string;
  readonly version: string;
  left: number;
}

type Fields = Record<string, unknown>;

export class TelemetryLines {
  readonly #random: Random;
  readonly #stepMs: number;
  readonly #sessions: Session[] = [];
  #atMs = FROM_MS;
  #count = 0;

  /** `events` of them make a day. */
  constructor(seed: number, events: number) {
    this.#random = seededRandom(seed);
    this.#stepMs = DAY_MS / events;
    for (let i = 0; i < SESSIONS_AT_ONCE; i++) this.#sessions.push(this.#session());
  }

  next(): string {
    this.#atMs += this.#stepMs;
    const place = this.#below(SESSIONS_AT_ONCE);
    const session = this.#sessions[place]!;
    session.left -= 1;
    if (session.left === 0) this.#sessions[place] = this.#session();
    const common = {
      timestamp: isoTime(Math.floor(this.#atMs)),
      session_id: session.id,
      agent: `agent-${session.agent}`,
    };
    return JSON.stringify({ ...common, ...this.#event(session) });
  }

  #event(session: Session): Fields {
    const kind = this.#random.next();
    if (kind < 0.84) return this.#toolCall(session);
    if (kind < 0.91) return this.#span(session);
    if (kind < 0.95)
      return { event_type: 'metric', name: `queue_${this.#below(5)}`, value: this.#below(1000) };
    if (kind < 0.98) {
      const isBad = this.#random.next() < 0.3;
      const message = isBad ? this.#message(this.#below(20)) : `step ${this.#below(100)} done`;
      const level = isBad ? 'error' : 'info';
      return { event_type: 'log_line', logger: `part-${this.#below(6)}`, level, message };
    }
    if (kind < 0.99) {
      const rating = this.#random.next() < 0.8 ? 'thumbs_up' : 'thumbs_down';
      return { event_type: 'feedback', rating };
    }
    return {
      event_type: 'task_failure',
      task_name: session.task,
      error_category: 'gave_up',
      error_message: this.#message(this.#below(20)),
    };
  }

  #toolCall(session: Session): Fields {
    const tool = (session.agent * 7 + this.#mostly(8)) % TOOLS;
    return {
      event_type: 'tool_call',
      tool: `tool_${tool}`,
      ...this.#outcome(tool),
      latency_ms: this.#durationMs(),
      task_name: session.task,
      version: session.version,
      provider: PROVIDERS[tool % PROVIDERS.length],
      ...(this.#random.next() < 0.2 ? { attempt: 1 + this.#below(3) } : {}),
      ...(this.#random.next() < 0.3 ? { argument_names: ['query', 'limit'] } : {}),
    };
  }

  #span(session: Session): Fields {
    return {
      event_type: 'trace_span',
      span_id: `span-${++this.#count}`,
      name: 'chat',
      operation: 'chat',
      task_name: session.task,
      model: session.model,
      version: session.version,
      ...this.#outcome(TOOLS),
      duration_ms: this.#durationMs(),
      input_tokens: this.#below(20_000),
      output_tokens: this.#below(2000),
      cost_usd: this.#below(1000) / 10_000,
    };
  }

  /** Each tool has a few ways to fail. */
  #outcome(tool: number): Fields {
    if (this.#random.next() >= FAILED_SHARE) return { success: true };
    const which = tool * 3 + this.#mostly(4);
    return {
      success: false,
      error_code: `E_${which % 12}`,
      error_message: this.#message(which % TEMPLATES),
    };
  }

  #durationMs(): number {
    const tail = 1 / (1 - this.#random.next());
    return Math.round(120 * tail ** 0.7 * 10) / 10;
  }

  #message(which: number): string {
    const verb = VERBS[which % VERBS.length]!;
    const noun = NOUNS[Math.floor(which / VERBS.length) % NOUNS.length]!;
    const tail = TAILS[which % TAILS.length]!;
    return `could not ${verb} ${noun}: ${tail}`.replace(/%[nhp]/g, (mark) => {
      const number = this.#below(100_000);
      if (mark === '%h') return `host-${number % 40}.example.com`;
      return mark === '%p' ? `/srv/data/${number % 90}/file-${number}.json` : String(number);
    });
  }

  #session(): Session {
    const agent = this.#mostly(AGENTS);
    return {
      id: `session-${++this.#count}`,
      agent,
      task: `task-${(agent * 2 + this.#mostly(4)) % TASKS}`,
      model: MODELS[agent % MODELS.length]!,
      version: VERSIONS[this.#below(10) === 0 ? 1 : 0]!,
      left: 10 + this.#below(60),
    };
  }

  /** Few do most of the work: the first of eight a third of it, the last one a twentieth. */
  #mostly(bound: number): number {
    return Math.floor(bound * this.#random.next() ** 2);
  }

  #below(bound: number): number {
    return randomInt(this.#random, bound);
  }
}

/** Failed calls of which no two messages share their words: what a model writes when it is asked what went wrong. */
export class NewMessages {
  readonly #random: Random;
  #count = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  next(): string {
    const session = Math.floor(++this.#count / 30);
    const words = Array.from({ length: 6 + randomInt(this.#random, 10) }, () => this.#word());
    return JSON.stringify({
      timestamp: isoTime(FROM_MS + this.#count * 80),
      session_id: `session-${session}`,
      event_type: 'tool_call',
      agent: `agent-${session % AGENTS}`,
      tool: `tool_${randomInt(this.#random, TOOLS)}`,
      success: false,
      error_message: words.join(' '),
      latency_ms: randomInt(this.#random, 5000),
    });
  }

  #word(): string {
    let word = '';
    for (let length = 3 + randomInt(this.#random, 6); length > 0; length--)
      word += String.fromCharCode(97 + randomInt(this.#random, 26));
    return word;
  }
}
