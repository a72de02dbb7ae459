/**
 * The loop, killed at random while it watches a change that does harm and takes it back: workers of a real Hone beside a
 * simulated fleet, before and after the commits of their steps, on both engines. The end is the one of the run without
 * kills: the same states and the same files, taken back once, and an auditor finds nothing. For the control a step's rows
 * are committed without their entries. A killed worker is followed by another once its lease is over, as a supervisor has it.
 * `lab/killed-harm.test.ts` kills at every step of the same story.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditLedger } from '../lab/audit.ts';
import { Fleet } from '../lab/fleet.ts';
import { expectDone, type LabInstallation, openLab } from '../lab/installation.ts';
import { sameFiles } from '../lab/judge.ts';
import { approverToken } from '../lab/play.ts';
import type { Scenario } from '../lab/scenario.ts';
import { bundledScenario } from '../lab/scenario-files.ts';
import { thinned } from '../lab/thinned.ts';
import { type Random, seededRandom } from '../src/base/index.ts';
import { administer, databaseUrl } from '../test/postgres-database.ts';
import { startPostgres } from '../test/postgres-server.ts';
import { bundleScript, type ScriptBundle } from '../tools/bundle-script.ts';
import type { Measurement } from '../tools/measure.ts';
import { atOnce } from './parts/at-once.ts';
import { start } from './parts/child.ts';
import { inFolder } from './parts/folder.ts';
import type { LoopOrder } from './parts/loop-worker.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** On each engine. */
const KILLS = 105;
const LIFE_MS_MAX = 120_000;
/** Longer than a lease: what a dead worker held is free again. */
const LEASE_OVER_MS = 31_000;
/** Quiet hours, in which the change looks good. */
const NIGHT_MS = 6 * HOUR_MS;
/** From the deployment to the peak at which the change does harm: here workers are killed. */
const PEAK_MS = 6 * HOUR_MS;
/** Through the peak, and a day beyond; in short until it is taken back. */
const WATCHED_MS = 30 * HOUR_MS;
const WATCHED_SHORT_MS = 12 * HOUR_MS;
/** As often as that the successor is killed too, and then one is let through: harm is to be gone within five minutes. */
const IN_A_ROW_MAX = 3;
/** Of these the first half leaves its step to the next; after a commit nothing is due for a minute. */
const IN_A_ROW = 1.5;
/** So little has one engine only, and a third of the traffic. */
const BOTH_ENGINES_FROM = 0.02;

interface Trial {
  readonly scenario: Scenario;
  readonly bundle: ScriptBundle;
  readonly random: Random;
  readonly postgresUrl?: string;
  /** So many workers are killed; none in the run that the others are compared with. */
  readonly kills: number;
  readonly watchedMs: number;
  readonly removed?: LoopOrder['removed'];
}

interface End {
  readonly kills: number;
  /** What must be the same whatever was killed. */
  readonly said: string;
  /** Once, and the files are those of the beginning. */
  readonly isTakenBack: boolean;
  readonly violations: readonly string[];
}

async function play(trial: Trial): Promise<End> {
  const { scenario } = trial;
  const place = trial.postgresUrl === undefined ? {} : { postgresUrl: trial.postgresUrl };
  await using lab = await openLab({ scenario, seed: 1, ...place });
  const first = await lab.files();
  const fleet = new Fleet({ scenario, seed: 1 });
  const live = async (byMs: number) => {
    const fromMs = lab.clock.nowMs();
    const events = fleet.run({ fromMs, toMs: fromMs + byMs, files: await lab.files() });
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    appendFileSync(join(lab.telemetryFolder, 'fleet.jsonl'), lines);
    lab.clock.advance(byMs);
  };
  const work = (more: Partial<LoopOrder> = {}) => runWorker(trial, lab, { ...place, ...more });
  const secret = await approverToken(lab);
  await live(NIGHT_MS);
  await work({ cycle: true });
  const listed = expectDone(await lab.hone('proposals', 'list', '--json'));
  const [{ id, digest }] = listed.json<{ proposals: [{ id: string; digest: string }] }>().proposals;
  expectDone(await lab.honeAs(secret, 'approve', id, '--digest', digest));
  const endMs = lab.clock.nowMs() + trial.watchedMs;
  const rows = Math.ceil(trial.kills / IN_A_ROW);
  const closeMs = Math.max(LEASE_OVER_MS, Math.floor(PEAK_MS / Math.max(9, rows)));
  let kills = 0;
  while (lab.clock.nowMs() < endMs) {
    const isOver = kills >= trial.kills;
    // What was torn apart is to be found at once.
    if (isOver && trial.removed !== undefined) break;
    await live(isOver ? 3 * HOUR_MS : closeMs);
    for (let row = 0; row < IN_A_ROW_MAX && kills < trial.kills; row++) {
      if ((await work(deathOf(trial))) === 'done') break;
      kills += 1;
      await live(LEASE_OVER_MS);
    }
    await work();
  }
  await live(LEASE_OVER_MS);
  await work();
  return { kills, ...(await endOf(lab, first)) };
}

/** Before or after its first commit. The control's is torn apart and therefore always made. */
function deathOf({ random, removed }: Trial): Partial<LoopOrder> {
  if (removed !== undefined) return { kill: 'after', removed };
  return { kill: random.next() < 0.5 ? 'before' : 'after' };
}

type Files = Awaited<ReturnType<LabInstallation['files']>>;

async function endOf(lab: LabInstallation, first: Files): Promise<Omit<End, 'kills'>> {
  const violations = await auditLedger(lab);
  const rebuilt = await lab.hone('ledger', 'rebuild');
  const listed = expectDone(await lab.hone('changes', 'list', '--json'));
  const { changes } = listed.json<{ changes: { state: string; outcome: string }[] }>();
  const log = expectDone(await lab.hone('ledger', 'show', '--limit', '100000', '--json'));
  const { entries } = log.json<{ entries: { type: string }[] }>();
  const reverts = entries.filter(({ type }) => type === 'deploy.reverted').length;
  const states = changes.map(({ state, outcome }) => `${state} ${outcome}`);
  const files = await lab.files();
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    said: JSON.stringify({ states, reverts, files: sorted }),
    isTakenBack: reverts === 1 && sameFiles(first, files),
    violations: [
      ...violations,
      ...(rebuilt.exit === 0 ? [] : [`the tables are not what the ledger says: ${rebuilt.out}`]),
    ],
  };
}

async function runWorker(
  { scenario, bundle }: Trial,
  lab: LabInstallation,
  more: Partial<LoopOrder>,
): Promise<'killed' | 'done'> {
  const { folder, clock } = lab;
  const order: LoopOrder = {
    scenario,
    folder,
    nowMs: clock.nowMs(),
    cycle: false,
    ...more,
  };
  const child = start({
    command: process.execPath,
    args: [bundle.file, JSON.stringify(order)],
    env: bundle.env,
    limitMs: LIFE_MS_MAX,
    output: () => {},
  });
  const { code, signal, stderr } = await child.ended;
  if (code === 0) return 'done';
  if (signal === 'SIGKILL' && order.kill !== undefined) return 'killed';
  throw new Error(`a worker ended by itself: ${stderr}`);
}

async function onPostgres(trial: Trial): Promise<End> {
  const server = await startPostgres();
  try {
    await administer(server.url, 'CREATE DATABASE hone_loop');
    return await play({ ...trial, postgresUrl: databaseUrl(server.url, 'hone_loop') });
  } finally {
    await server.stop();
  }
}

export const measurement: Measurement = {
  what: 'workers killed at random while they watch a harmful change and take it back, on both engines',
  aims: { violations: '<=0', diverged: '<=0', kills: '>=200', control_caught: '>=1' },
  async *run(context) {
    const wanted = Math.max(3, Math.round(KILLS * context.scale));
    const isShort = context.scale < BOTH_ENGINES_FROM;
    let [kills, violations, diverged, caught] = [0, 0, 0, 0];
    await inFolder(async (folder) => {
      const bundle = await bundleScript(new URL('parts/loop-worker.ts', import.meta.url), folder);
      const whole = bundledScenario('helps-then-hurts');
      const scenario = isShort ? thinned(whole) : whole;
      const watchedMs = isShort ? WATCHED_SHORT_MS : WATCHED_MS;
      const trial = (at: number, more: Pick<Trial, 'kills' | 'removed'>): Trial => ({
        ...{ scenario, bundle, watchedMs, ...more },
        random: seededRandom(context.seed * 1_000_003 + at),
      });
      // The longest first. A short look knows the end without the run that nobody disturbs.
      const [postgres, sqlite, undisturbed, control] = await atOnce<End | undefined>([
        async () => (isShort ? undefined : onPostgres(trial(0, { kills: wanted }))),
        () => play(trial(1, { kills: wanted })),
        async () => (isShort ? undefined : play(trial(2, { kills: 0 }))),
        () => play(trial(3, { kills: 3, removed: 'one commit' })).catch(() => undefined),
      ]);
      const isSame = ({ said, isTakenBack }: End) =>
        isTakenBack && said === (undisturbed?.said ?? said);
      for (const [name, end] of Object.entries({ sqlite, postgres })) {
        if (end === undefined) continue;
        kills += end.kills;
        violations += end.violations.length;
        if (!isSame(end)) diverged += 1;
        context.progress(
          `${name}: ${end.kills} killed, ${isSame(end) ? 'the same end' : end.said}`,
        );
        for (const line of end.violations) context.progress(line);
      }
      caught = control?.violations.length === 0 ? 0 : 1;
    });
    yield { metric: 'violations', value: violations };
    yield {
      metric: 'diverged',
      value: diverged,
      note: 'not taken back once, or ends unlike the run without kills',
    };
    yield { metric: 'kills', value: kills };
    yield {
      metric: 'control_caught',
      value: caught,
      note: 'steps whose rows are committed without their entries',
    };
  },
};
