/**
 * One connection of the gateway: the judge of its calls, the pins of its server's tools, and what becomes telemetry. It
 * outlives a new acceptance of hone.yaml: what is accepted is looked at while calls are made.
 */
import { acceptedLast } from '../config/at-start.ts';
import { type Event, SYSTEM } from '../facts/index.ts';
import {
  agentName,
  type Call,
  type Caller,
  contextOf,
  type Definition,
  definitionDigest,
  foreignCode,
  fullName,
  isPlainToolName,
  type Judge,
  pinPlan,
  readPins,
  sessionName,
  type Verdict,
} from '../gateway/index.ts';
import { KeptReads } from '../store/index.ts';
import type { AppContext, Opened } from './context.ts';
import { makeJudge, tasksOf } from './judge-calls.ts';
import { VerdictsInTime } from './verdicts-in-time.ts';
import { recordWork } from './work-telemetry.ts';

export type { Definition, Verdict } from '../gateway/index.ts';

export interface GatewayOptions {
  /** What the person who configured it calls the server behind it. */
  readonly server: string;
  readonly session: string | undefined;
  readonly task: string | undefined;
}

/** How long an earlier configuration may still hold after another one was accepted. */
const LOOK_MS = 1000;
/** Events are kept back until there are so many: one commit for each would slow the calls down. */
const TOLD_AT_ONCE = 50;

export class GatewaySession implements AsyncDisposable {
  readonly #context: AppContext;
  readonly #options: GatewayOptions;
  #opened: Opened;
  #judge: Judge;
  #accepted: string | null | undefined;
  #lookedAtMs = 0;
  readonly #verdicts: VerdictsInTime;
  /** What was in the environment when the process began was loaded then. */
  readonly #foreign: string | undefined;
  #agent = 'agent';
  #events: Event[] = [];

  private constructor(context: AppContext, opened: Opened, options: GatewayOptions) {
    this.#context = context;
    this.#opened = opened;
    this.#options = options;
    this.#judge = keepingJudge(context, opened);
    this.#verdicts = new VerdictsInTime(context.clock);
    this.#foreign = foreignCode(context.environment);
  }

  static async open(context: AppContext, options: GatewayOptions): Promise<GatewaySession> {
    return new GatewaySession(context, await context.open(), options);
  }

  /** As the client calls itself: a claim. */
  name(client: string): void {
    this.#agent = agentName(client);
  }

  async judge(call: Omit<Call, 'server'>): Promise<Verdict> {
    const { server } = this.#options;
    const startMs = this.#context.clock.nowMs();
    const foreign = this.#foreign;
    const verdict = await this.#verdicts.wait(this.#judged({ ...call, server, foreign }));
    if (verdict.level > 0) this.#tell(call, verdict, startMs);
    return verdict;
  }

  async #judged(call: Call): Promise<Verdict> {
    if (this.#context.clock.nowMs() - this.#lookedAtMs >= LOOK_MS) await this.#renew();
    return this.#judge.judge(call, this.#caller());
  }

  /** Another configuration may have been accepted since. */
  async #renew(): Promise<void> {
    this.#lookedAtMs = this.#context.clock.nowMs();
    const { pinned } = await acceptedLast(this.#opened.store);
    if (pinned === this.#accepted) return;
    if (this.#accepted !== undefined) {
      const opened = await this.#context.open();
      await this.#opened.close();
      this.#opened = opened;
      this.#judge = keepingJudge(this.#context, opened);
    }
    this.#accepted = pinned;
  }

  /** The names among these that may be shown to the client and called. */
  async offer(
    definitions: readonly Definition[],
  ): Promise<ReadonlyMap<string, 'pinned' | 'changed'>> {
    const { store, switches } = this.#opened;
    const named = new Map(
      definitions
        .filter(({ name }) => isPlainToolName(name))
        .map((one) => [fullName(this.#options.server, one.name), one]),
    );
    const names = [...named.keys()];
    const nowMs = await store.nowMs();
    const plan = pinPlan(named, await readPins(store, names), { actor: SYSTEM, nowMs });
    // Somebody else saw the same list at the same moment: what they pinned is read below.
    if (plan !== undefined) await store.commit(plan);
    const pins = await readPins(store, names);
    const { mode } = await switches.read('gateway');
    return new Map(
      [...named].map(([name, definition]) => {
        const isPinned = pins.get(name)?.definitionDigest === definitionDigest(definition);
        return [definition.name, isPinned || mode === 'off' ? 'pinned' : 'changed'];
      }),
    );
  }

  /** Whether changed tools are hidden, or only recorded. */
  async hides(): Promise<boolean> {
    return (await this.#opened.switches.read('gateway')).mode === 'enforce';
  }

  /** What they say counts as `local`: where that is not enough, they are not asked in vain. */
  asksInClient(): boolean {
    const { askInClient, answersNeed } = this.#opened.config.gateway;
    return askInClient && answersNeed === 'local';
  }

  /** Undefined, or why it does not count. */
  async answered(
    ask: NonNullable<Verdict['ask']>,
    said: 'approved' | 'rejected',
  ): Promise<string | undefined> {
    const { answerAsk } = await import('./asks.ts');
    const given = { verdict: said, digest: ask.callDigest, reason: 'Said in the agent’s client.' };
    const answer = await answerAsk(inClient(this.#context), ask.id, given);
    return 'refused' in answer ? answer.refused : undefined;
  }

  async noteOutput(output: string): Promise<void> {
    await this.#judge.noteOutput(this.#caller(), output);
  }

  #caller(): Caller {
    const { session, task } = this.#options;
    return {
      agent: this.#agent,
      session: session === undefined ? undefined : sessionName(session),
      task,
    };
  }

  #tell({ tool }: Pick<Call, 'tool'>, { passes, reasons, context }: Verdict, atMs: number): void {
    const { server, session, task } = this.#options;
    this.#events.push({
      kind: 'tool_call',
      atMs,
      agent: this.#agent,
      tool: `${server}/${tool}`.slice(0, 200),
      success: passes,
      ...(passes
        ? {}
        : {
            errorCode: `gate_${reasons[0]?.code ?? 'refused'}`,
            errorMessage: reasons.map(({ text }) => text).join(' '),
          }),
      session: session ?? `gateway-${server}`,
      ...(task === undefined && context === undefined ? {} : { task: context?.taskId ?? task! }),
    });
    if (this.#events.length >= TOLD_AT_ONCE) void this.flush();
  }

  /** Gives what was kept back to telemetry. */
  async flush(): Promise<void> {
    const events = this.#events;
    this.#events = [];
    if (events.length === 0) return;
    try {
      await using open = await this.#context.openLoop(this.#opened);
      await recordWork(this.#context, open, events);
    } catch {
      // The decisions are in the ledger; telemetry that cannot be opened must not end the connection.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#verdicts[Symbol.dispose]();
    await this.flush();
    await this.#opened.close();
  }
}

/**
 * The user of the client, by what the machine knows of them. Variables that the client sets say that it runs agents, not
 * who answered; a token in its environment is somebody's who may have nothing to do with the answer.
 */
function inClient(context: AppContext): AppContext {
  return {
    ...context,
    secret: undefined,
    actor: (agents) => context.actor(agents, { inClient: true }),
  };
}

/** A gateway judges for one session or task, which may be bound to another one meanwhile. */
const STANDINGS_KEPT = 4;

/**
 * The mode and the task are the same from call to call until somebody commits, and whether somebody did is one read in
 * place of several. Each judgement asks for it: nothing is older than its call.
 */
function keepingJudge(context: AppContext, opened: Opened): Judge {
  const { store, switches } = opened;
  const kept = new KeptReads(store, STANDINGS_KEPT);
  return makeJudge(context, opened, 'gateway', ({ session, task }) =>
    kept.get(`${task ?? ''} ${session ?? ''}`, async (reading) => ({
      switched: await switches.readFrom(reading, 'gateway'),
      context: await contextOf(tasksOf(reading), { session, task }),
    })),
  );
}
