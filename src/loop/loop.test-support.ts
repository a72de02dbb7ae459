/** A target with a timeout that is too short, its telemetry, and loops beside it, for this room's tests. */
import { afterAll, afterEach } from 'vitest';
import { placeAll } from '../../test/ledger.ts';
import { OPERATOR } from '../../test/proposals.ts';
import { storePerTest, type TimedStore } from '../../test/timed-store.ts';
import {
  idMaker,
  isoTime,
  type ManualClock,
  seededRandom,
  sha256Hex,
  silentLog,
} from '../base/index.ts';
import { composeSections } from '../config/index.ts';
import { type CommitId, memoryRepository, type TargetRepository } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import type { SourceFiles } from '../observe/index.ts';
import { KillSwitch, Rights } from '../policy/index.ts';
import { type Dossier, listProposals, readDossier } from '../proposal/index.ts';
import {
  type CommitResult,
  openSqlite,
  type Plan,
  type Store,
  telemetryMigrations,
  withClock,
} from '../store/index.ts';
import { openPostgres } from '../store/postgres/store.ts';
import type { Replay } from '../validate/index.ts';
import { decideByHand, type HoneConfig, honeSections, Loop, type LoopPorts } from './index.ts';
import type { Taken } from './types.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const MAIN = 'refs/heads/main';
export const FILE = 'agents/researcher.yaml';
export const AGENT = `# How the researcher works.
name: researcher

tools:
  web_search:
    timeout_ms: 800 # too tight
    retries: 2

prompt: prompts/researcher.md
`;
export const CLERK_FILE = 'agents/clerk.yaml';
export const EVENTS = 'events.jsonl';

/** One growing file, as agents append to it. */
class GrowingFile implements SourceFiles {
  text = '';
  /** Thrown when the file is read; how a step is made to fail. */
  broken: Error | undefined;

  list: SourceFiles['list'] = async () => {
    if (this.broken !== undefined) throw this.broken;
    return { exists: true, files: [{ name: EVENTS, path: EVENTS }], notes: [] };
  };

  open: SourceFiles['open'] = async () => {
    const bytes = Buffer.from(this.text);
    return {
      identity: 'one',
      sizeBytes: bytes.length,
      revision: sha256Hex(bytes),
      modifiedMs: null,
      read: async (from, length) => bytes.subarray(from, from + length),
      [Symbol.asyncDispose]: async () => {},
    };
  };
}

/** The store with another `commit`, and once `isDead`, nothing at all. */
export function withCommit(
  store: Store,
  commit: (plan: Plan, real: () => Promise<CommitResult>) => Promise<CommitResult>,
  isDead: () => boolean = () => false,
): Store {
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    isDead() ? Promise.reject(new Error('killed')) : work();
  return {
    ...withClock(store, { nowMs: () => 0, monotonicMs: () => 0, sleep: async () => {} }),
    nowMs: () => alive(() => store.nowMs()),
    all: (sql, parameters) => alive(() => store.all(sql, parameters)),
    notify: (channel) => alive(() => store.notify(channel)),
    commit: (plan) => alive(() => commit(plan, () => store.commit(plan))),
    claim: (claim) => alive(() => store.claim(claim)),
  };
}

/** A step's commit expects the unit of work it began with. */
export const isStep = (plan: Plan) => plan.expect?.some(({ name }) => name === 'work') === true;

/** The store of a process that is killed before or after its first step is committed. */
export function killedAt(store: Store, when: 'before' | 'after'): Store {
  let dead = false;
  const die = () => {
    dead = true;
    throw new Error('killed');
  };
  return withCommit(
    store,
    async (plan, real) => {
      if (!isStep(plan)) return real();
      if (when === 'before') die();
      const result = await real();
      if (when === 'after') die();
      return result;
    },
    () => dead,
  );
}

/** Calls of one tool over `overMs` up to `untilMs`; every `failEvery`th times out. */
export function traffic(options: {
  untilMs: number;
  overMs?: number;
  calls?: number;
  failEvery?: number;
  tool?: string;
  agent?: string;
}): string {
  const {
    untilMs,
    overMs = 6 * HOUR_MS,
    calls = 120,
    failEvery = 5,
    tool = 'web_search',
    agent = 'researcher',
  } = options;
  const lines = Array.from({ length: calls }, (_, at) => {
    const failed = at % failEvery === failEvery - 1;
    const timestamp = isoTime(Math.round(untilMs - overMs + ((at + 0.5) * overMs) / calls));
    return JSON.stringify({
      timestamp,
      session_id: `${failed ? 'late' : 'fine'}-${agent}-${timestamp}`,
      event_type: 'tool_call',
      agent,
      tool,
      success: !failed,
      ...(failed ? { error_code: 'TIMEOUT', error_message: `${tool} timed out after 800 ms` } : {}),
      latency_ms: failed ? 802 : 300 + ((at * 37) % 460),
    });
  });
  return `${lines.join('\n')}\n`;
}

/** A metric by the hour over five days up to `untilMs`; since `shiftedMs` it is four times as high. */
export function metricHours(name: string, untilMs: number, shiftedMs: number): string {
  const lines = Array.from({ length: 120 }, (_, at) => {
    const atMs = untilMs - (120 - at) * HOUR_MS;
    const value = (atMs < shiftedMs ? 10 : 40) + ((at * 37) % 11) / 5;
    const about = { timestamp: isoTime(atMs), session_id: 'meter', event_type: 'metric' };
    return JSON.stringify({ ...about, agent: 'researcher', name, value, unit: 'MB' });
  });
  return `${lines.join('\n')}\n`;
}

export class World {
  readonly files = new GrowingFile();
  readonly repository: TargetRepository;
  readonly store: Store;
  readonly telemetry: Store;
  readonly clock: ManualClock;
  readonly killSwitch: KillSwitch;
  /** The same data as another process has it; the same store where there is only one. */
  readonly openSecond: () => Promise<Store>;
  /** Path of the file, or URL of the database. */
  readonly place: string;
  readonly workingTrees = new Map<string, string>();
  config: HoneConfig;

  constructor(control: TimedStore, telemetry: Store, repository?: TargetRepository) {
    this.openSecond = () =>
      control.place === ':memory:' ? Promise.resolve(control.store) : control.open();
    this.place = control.place;
    this.clock = control.clock;
    this.store = control.store;
    this.telemetry = withClock(telemetry, control.clock);
    this.repository = repository ?? memoryRepository({ workingTrees: this.workingTrees });
    this.killSwitch = new KillSwitch(control.store, () => false);
    this.config = this.configured({});
  }

  configured(changes: Readonly<Record<string, unknown>>): HoneConfig {
    return composeSections(honeSections).parse({
      observe: { sources: [{ name: 'fleet', path: EVENTS }] },
      target: { agentFiles: ['agents/*.yaml'] },
      ...changes,
    });
  }

  ports(changes: Partial<LoopPorts> = {}): LoopPorts {
    const { store, telemetry, repository, files, killSwitch, clock, config } = this;
    return {
      store,
      telemetry,
      repository,
      files,
      replay: this.replay(),
      killSwitch,
      rights: new Rights(async () => []),
      clock,
      newId: idMaker(clock, seededRandom(this.#seed++)),
      log: silentLog,
      config,
      repositoryId: 'shop-1',
      placePending: () => placeAll(store),
      verifySignature: async () => ({ ok: false, why: 'nobody may sign' }),
      holder: 'one',
      ...changes,
    };
  }
  #seed = 1;

  loop(changes: Partial<LoopPorts> = {}): Loop {
    return new Loop(this.ports(changes));
  }

  /** Sessions that timed out end well once the timeout of their agent is longer. */
  replay(): Replay {
    return {
      commands: [],
      reads: ['agents/**'],
      run: (commit, sessions) =>
        Promise.all(
          sessions.map(async (session) => {
            const file = await this.fileAt(commit, `agents/${session.split('-')[1]}.yaml`);
            const ok = session.startsWith('fine') || !file?.includes('timeout_ms: 800');
            return { session, ok, error: ok ? null : 'timed out' };
          }),
        ),
    };
  }

  async fileAt(commit: CommitId, path = FILE): Promise<string | undefined> {
    const bytes = await this.repository.readFile(commit, path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  }

  /** A second agent with the same fault of its own, and its calls so far. */
  async addClerk(): Promise<void> {
    await this.commit(CLERK_FILE, AGENT.replaceAll('researcher', 'clerk'));
    this.files.text += traffic({ untilMs: this.clock.nowMs(), agent: 'clerk' });
  }

  async head(): Promise<CommitId> {
    return (await this.repository.resolve(MAIN))!;
  }

  /** Somebody commits to the branch that the agents run from. */
  async commit(path: string, text: string): Promise<CommitId> {
    const before = await this.repository.resolve(MAIN);
    const commit = await commitFiles(this.repository, before, { [path]: text });
    await this.repository.moveRef(MAIN, commit, before);
    return commit;
  }

  async run(loop = this.loop()): Promise<Taken[]> {
    return loop.run(new AbortController().signal);
  }

  /** From the telemetry that is there to a proposal that waits for a decision. */
  async propose(loop = this.loop()): Promise<Dossier> {
    await loop.startCycle('human');
    await this.run(loop);
    return this.single();
  }

  /** The same, approved, on the branch, and watched. */
  async deployed(): Promise<Dossier> {
    await this.approve((await this.propose()).proposal.id);
    await this.run();
    const dossier = await this.single();
    if (dossier.proposal.state !== 'monitoring') throw new Error(dossier.proposal.state);
    return dossier;
  }

  async single(): Promise<Dossier> {
    const proposals = await listProposals(this.store, { limit: 10 });
    if (proposals.length !== 1) throw new Error(`there are ${proposals.length} proposals`);
    return readDossier(this.store, proposals[0]!.id);
  }

  async approve(id: string): Promise<void> {
    const decision = { verdict: 'approved', reason: 'it helps' } as const;
    const decided = await decideByHand(id, decision, { actor: OPERATOR, ports: this.ports() });
    if (!decided.done) throw new Error(decided.why);
  }
}

/** A world for every test of the suite; its repository is in memory, unless one is given. */
export function worldPerTest(
  kind: 'memory' | 'file' | 'postgres',
): (repository?: TargetRepository) => Promise<World> {
  const control = storePerTest(kind);
  let telemetry: Store | undefined;
  const close = async () => {
    await telemetry?.close();
    telemetry = undefined;
  };
  afterEach(() => (kind === 'postgres' ? undefined : close()));
  afterAll(close);
  return async (repository) => {
    const options = { migrations: telemetryMigrations };
    telemetry ??=
      kind === 'postgres'
        ? await openPostgres({ ...options, url: control().place })
        : await openSqlite({ ...options, path: ':memory:', synchronous: 'off' });
    const world = new World(control(), telemetry, repository);
    await world.commit(FILE, AGENT);
    world.files.text = traffic({ untilMs: world.clock.nowMs() });
    return world;
  };
}
