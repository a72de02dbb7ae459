/**
 * The story with its worker killed at every step, once before the step's commit (everything it did to git
 * is done, nothing is recorded) and once after it. The end is the same, on both engines.
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { auditLedger } from './audit.ts';
import { Fleet } from './fleet.ts';
import { expectDone, type LabInstallation, openLab } from './installation.ts';
import { sameFiles } from './judge.ts';
import { approverToken } from './play.ts';
import type { Scenario } from './scenario.ts';
import { bundledScenario, SCENARIO_FOLDER } from './scenario-files.ts';
import type { WorkerOrder } from './story-worker.ts';

const HOUR_MS = 3_600_000;
/** Longer than a lease: what a dead worker held is free again. */
const LEASE_OVER_MS = 31_000;
const WORKER = new URL('./story-worker.ts', import.meta.url).pathname;

function runWorker(
  order: WorkerOrder,
): Promise<{ exit: number | null; signal: string | null; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WORKER, JSON.stringify(order)], {
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

class KilledStory {
  readonly lab: LabInstallation;
  readonly #scenario: Scenario;
  readonly #fleet: Fleet;
  readonly #postgresUrl: string | undefined;
  kills = 0;

  constructor(lab: LabInstallation, scenario: Scenario, postgresUrl: string | undefined) {
    this.lab = lab;
    this.#scenario = scenario;
    this.#postgresUrl = postgresUrl;
    this.#fleet = new Fleet({ scenario, seed: 1 });
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

  /** Workers are started and killed, twice at each step, until one finds nothing to do. */
  async work({ cycle = false } = {}): Promise<void> {
    for (let round = 0; round < 200; round++) {
      for (const kill of ['before', 'after'] as const) {
        await this.live(this.lab.clock.nowMs() + LEASE_OVER_MS);
        const ended = await runWorker({
          scenarioFile: new URL(`${this.#scenario.name}.yaml`, SCENARIO_FOLDER).pathname,
          seed: 1,
          folder: this.lab.folder,
          nowMs: this.lab.clock.nowMs(),
          cycle: cycle && round === 0 && kill === 'before',
          kill,
          ...(this.#postgresUrl === undefined ? {} : { postgresUrl: this.#postgresUrl }),
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

export async function playKilled(name: string, postgresUrl: string | undefined) {
  const scenario = bundledScenario(name);
  const postgres = postgresUrl === undefined ? {} : { postgresUrl };
  await using lab = await openLab({ scenario, seed: 1, ...postgres });
  const story = new KilledStory(lab, scenario, postgresUrl);
  const first = await lab.files();
  const secret = await approverToken(lab);
  await story.live(lab.clock.nowMs() + 27 * HOUR_MS);
  await story.work({ cycle: true });
  expect(await story.states()).toEqual(['pending']);
  const listed = expectDone(await lab.hone('proposals', 'list', '--json'));
  const [{ id, digest }] = listed.json<{ proposals: [{ id: string; digest: string }] }>().proposals;
  // Approving would go on at once in this process; the decision alone is taken, the rest is for workers.
  expectDone(await lab.honeAs(secret, 'stop-all', '--reason', 'workers go on from here'));
  expectDone(await lab.honeAs(secret, 'approve', id, '--digest', digest));
  expectDone(await lab.honeAs(lab.operatorSecret, 'resume'));
  const deployedMs = lab.clock.nowMs();
  await story.work();
  // In the quiet hours, after the peak, at the end of the watch, and once more.
  for (const hours of [4, 12, 25, 26]) {
    await story.live(deployedMs + hours * HOUR_MS);
    await story.work();
  }
  const log = expectDone(await lab.hone('ledger', 'show', '--limit', '100000', '--json'));
  const { entries } = log.json<{ entries: { type: string; data: { to?: string } }[] }>();
  const arrivals = entries
    .filter(({ type }) => type === 'proposal.advanced')
    .map(({ data }) => data.to);
  return {
    states: await story.states(),
    isAsBefore: sameFiles(first, await lab.files()),
    kills: story.kills,
    arrivals,
    violations: await auditLedger(lab),
  };
}
