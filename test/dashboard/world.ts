/**
 * A Hone with something to show: a simulated fleet whose last day ends now, a cycle that found its failure, and the
 * real server beside it, in real time.
 */
import { join } from 'node:path';
import { FleetRun } from '../../lab/fleet-run.ts';
import { expectDone, type LabInstallation, openLab } from '../../lab/installation.ts';
import { bundledScenario } from '../../lab/scenario-files.ts';
import { isoTime, systemClock } from '../../src/base/index.ts';
import { captureIo } from '../../src/cli/captured-io.ts';
import { makeContext } from '../../src/compose/context.ts';
import { processSurroundings } from '../../src/compose/surroundings.ts';

const HOUR_MS = 3_600_000;

export interface World extends AsyncDisposable {
  readonly url: string;
  readonly lab: LabInstallation;
  readonly operatorSecret: string;
  /** An address that opens the dashboard, once; by another line to it where one is given. */
  key(line?: string): Promise<string>;
  stopServer(): Promise<void>;
  /** On the same port as before. */
  startServer(): Promise<void>;
}

/** `afterHours`: how long the fleet ran on with the fix, which somebody allowed; else it still waits. */
export async function openWorld(
  options: {
    readonly scenario?: string;
    readonly afterHours?: number;
    /** Hone was set up, and nothing happened yet. */
    readonly empty?: boolean;
  } = {},
): Promise<World> {
  const hours = 26 + (options.afterHours ?? 0);
  const startMs = systemClock.nowMs() - hours * HOUR_MS;
  const bundled = bundledScenario(options.scenario ?? 'timeout-too-low');
  const scenario = { ...bundled, start: isoTime(startMs) };
  const lab = await openLab({ scenario, seed: 1, startMs, removeAtExit: true });
  const run = new FleetRun({ lab, scenario, seed: 1, onTick: () => {} });
  run.isUp = false;
  if (options.empty !== true) {
    await run.until(startMs + 26 * HOUR_MS);
    expectDone(await lab.hone('cycle'));
  }
  if (options.afterHours !== undefined) {
    const { proposals } = (
      await lab.hone('proposals', 'list', '--state', 'pending', '--json')
    ).json<{
      proposals: { id: string; digest: string }[];
    }>();
    const { id, digest } = proposals[0]!;
    expectDone(await lab.hone('approve', id, '--digest', digest.slice(7, 19)));
    run.forgetFiles();
    run.isUp = true;
    await run.until(startMs + hours * HOUR_MS);
  }
  await run[Symbol.asyncDispose]();
  const root = join(lab.folder, 'agents');
  const environment = {
    ...process.env,
    HOME: lab.folder,
    XDG_STATE_HOME: join(lab.folder, 'state'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    CLAUDECODE: undefined,
  };
  const surroundings = { ...processSurroundings(), environment, cwd: root, io: captureIo().io };
  const context = makeContext(false, 'test', surroundings);
  const opened = await context.open();
  let server = await context.startServer(opened, 0);
  const { url } = server;
  await server.prepareDashboard();
  return {
    url,
    lab,
    operatorSecret: lab.operatorSecret,
    key: async (line = url) => (await server.dashboardUrl()).replace(url, line),
    stopServer: () => server.stop(),
    startServer: async () => {
      server = await context.startServer(opened, Number(new URL(url).port));
      await server.prepareDashboard();
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await opened.close();
      await lab[Symbol.asyncDispose]();
    },
  };
}
