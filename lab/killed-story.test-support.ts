/**
 * The story with its worker killed at every step, once before the step's commit (everything it did to git
 * is done, nothing is recorded) and once after it. The end is the same, on both engines. Up to the decision the steps
 * of all stories are the same: there one is killed before each commit, another after it.
 *
 * Two tests tell one story: the first up to the decision, the second goes on from there to the end. Each engine
 * plays it once.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { freshDatabase } from '../test/stores.ts';
import { bundleScript, type ScriptBundle } from '../tools/bundle-script.ts';
import { auditLedger } from './audit.ts';
import { Fleet } from './fleet.ts';
import { expectDone, type LabInstallation, openLab } from './installation.ts';
import { sameFiles } from './judge.ts';
import { approverToken } from './play.ts';
import type { Scenario } from './scenario.ts';
import { bundledScenario } from './scenario-files.ts';
import type { Kill, WorkerOrder } from './story-worker.ts';
import { thinned } from './thinned.ts';

const HOUR_MS = 3_600_000;
/** Longer than a lease: what a dead worker held is free again. */
const LEASE_OVER_MS = 31_000;
const WORKER = new URL('./story-worker.ts', import.meta.url);

/** How workers are killed in a round. Who was killed before a commit does the step once more, and goes on to the next. */
type Kills = (round: number) => readonly Kill[];
const KILLS = {
  before: (round) => [round === 0 ? 'before' : 'before second'],
  after: () => ['after'],
  both: () => ['before', 'after'],
} satisfies Record<string, Kills>;

type Engine = 'sqlite' | 'postgres';
export const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

function runWorker(
  { file, env }: ScriptBundle,
  order: WorkerOrder,
): Promise<{ exit: number | null; signal: string | null; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, JSON.stringify(order)], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('error', reject);
    child.on('close', (exit, signal) => resolve({ exit, signal, err }));
  });
}

interface KilledOptions {
  readonly scenario: Scenario;
  readonly worker: ScriptBundle;
  readonly postgres: { readonly postgresUrl?: string };
  /** Where workers are killed up to the decision. */
  readonly killed: 'before' | 'after';
}

class KilledStory {
  readonly lab: LabInstallation;
  readonly #options: KilledOptions;
  readonly #fleet: Fleet;
  kills = 0;

  constructor(lab: LabInstallation, options: KilledOptions) {
    this.lab = lab;
    this.#options = options;
    this.#fleet = new Fleet({ scenario: options.scenario, seed: 1 });
  }

  /** The fleet works until then; Hone is not running. */
  async live(untilMs: number): Promise<void> {
    const { clock, telemetryFolder } = this.lab;
    const fromMs = clock.nowMs();
    const events = this.#fleet.run({ fromMs, toMs: untilMs, files: await this.lab.files() });
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    appendFileSync(join(telemetryFolder, 'fleet.jsonl'), lines);
    clock.advance(untilMs - fromMs);
  }

  /** Workers are started and killed at each step, until one finds nothing to do. */
  async work({
    cycle = false,
    kills = KILLS.both,
  }: {
    cycle?: boolean;
    kills?: Kills;
  } = {}): Promise<void> {
    for (let round = 0; round < 200; round++) {
      for (const kill of kills(round)) {
        await this.live(this.lab.clock.nowMs() + LEASE_OVER_MS);
        const isFirst = this.kills === 0;
        const { scenario, worker, postgres } = this.#options;
        const ended = await runWorker(worker, {
          scenario,
          seed: 1,
          folder: this.lab.folder,
          nowMs: this.lab.clock.nowMs(),
          cycle: cycle && isFirst,
          kill,
          ...postgres,
        });
        if (ended.exit === 0) return;
        expect(ended, ended.err).toMatchObject({ signal: 'SIGKILL' });
        this.kills += 1;
      }
    }
    throw new Error('it never ended');
  }

  async states(): Promise<string[]> {
    const listed = expectDone(await this.lab.hone('proposals', 'list', '--json'));
    return listed.json<{ proposals: { state: string }[] }>().proposals.map(({ state }) => state);
  }
}

interface Decided {
  readonly story: KilledStory;
  readonly first: Awaited<ReturnType<LabInstallation['files']>>;
}

/** A quiet night of work, and what Hone proposes. */
async function playUpToDecision(lab: LabInstallation, options: KilledOptions): Promise<Decided> {
  const story = new KilledStory(lab, options);
  const first = await lab.files();
  const secret = await approverToken(lab);
  await story.live(lab.clock.nowMs() + 9 * HOUR_MS);
  await story.work({ cycle: true, kills: KILLS[options.killed] });
  expect(await story.states()).toEqual(['pending']);
  const listed = expectDone(await lab.hone('proposals', 'list', '--json'));
  const [{ id, digest }] = listed.json<{ proposals: [{ id: string; digest: string }] }>().proposals;
  // Approving would go on at once in this process; the decision alone is taken, the rest is for workers.
  expectDone(await lab.honeAs(secret, 'stop-all', '--reason', 'workers go on from here'));
  expectDone(await lab.honeAs(secret, 'approve', id, '--digest', digest));
  expectDone(await lab.honeAs(lab.operatorSecret, 'resume'));
  expect(story.kills).toBeGreaterThanOrEqual(KILLS_MIN.upToDecision);
  return { story, first };
}

async function playToEnd({ story, first }: Decided) {
  const { lab } = story;
  const [deployedMs, before] = [lab.clock.nowMs(), story.kills];
  await story.work();
  // Before the peak, after it, at the end of the watch, and once more.
  for (const hours of [1, 8, 25, 26]) {
    await story.live(deployedMs + hours * HOUR_MS);
    await story.work();
  }
  expect(story.kills - before).toBeGreaterThanOrEqual(KILLS_MIN.afterDecision);
  const log = expectDone(await lab.hone('ledger', 'show', '--limit', '100000', '--json'));
  const { entries } = log.json<{ entries: { type: string; data: { to?: string } }[] }>();
  const arrivals = entries
    .filter(({ type }) => type === 'proposal.advanced')
    .map(({ data }) => data.to);
  expect(await auditLedger(lab)).toEqual([]);
  return {
    states: await story.states(),
    isAsBefore: sameFiles(first, await lab.files()),
    arrivals,
  };
}

/** How often workers are killed at least: fewer would mean that steps are no longer found. */
const KILLS_MIN = { upToDecision: 9, afterDecision: 13 };

type End = Awaited<ReturnType<typeof playToEnd>>;

/** Plays one scenario with its workers killed, on either engine, and looks at its end. */
export function killedStory(
  name: string,
  { killed, expectEnd }: { killed: 'before' | 'after'; expectEnd: (end: End) => void },
) {
  const scenario = thinned(bundledScenario(name));
  const folder = mkdtempSync(join(tmpdir(), 'hone-worker-'));
  const played = new Map<Engine, Promise<Decided>>();
  const opened = new AsyncDisposableStack();
  let worker: ScriptBundle;
  beforeAll(async () => {
    worker = await bundleScript(WORKER, folder);
  });
  afterAll(async () => {
    await opened.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  });

  const play = async (engine: Engine): Promise<Decided> => {
    const database = engine === 'sqlite' ? undefined : await freshDatabase({ empty: true });
    opened.defer(async () => database?.drop());
    const postgres = database === undefined ? {} : { postgresUrl: database.url };
    const lab = opened.use(await openLab({ scenario, seed: 1, ...postgres }));
    return playUpToDecision(lab, { scenario, worker, postgres, killed });
  };
  /** Played by whoever asks first. */
  const upToDecision = (engine: Engine): Promise<Decided> => {
    const decided = played.get(engine) ?? play(engine);
    played.set(engine, decided);
    return decided;
  };
  return {
    upToDecision,
    toEnd: async (engine: Engine): Promise<void> =>
      expectEnd(await playToEnd(await upToDecision(engine))),
  };
}

/** A fix is found, deployed once and kept. */
export function expectKept(end: End): void {
  expect(end).toMatchObject({ states: ['implemented'], isAsBefore: false });
  expect(end.arrivals.filter((to) => to === 'deploying')).toHaveLength(1);
}

/** Harm is taken back once. */
export function expectTakenBack(end: End): void {
  expect(end).toMatchObject({ states: ['reverted'], isAsBefore: true });
  expect(end.arrivals.filter((to) => to === 'reverted')).toHaveLength(1);
}
