/** The ports that a deployment and its rollback need. */
import { type ArrivePorts, DeployError, type DeployPorts, isChecked } from '../../deploy/index.ts';
import { recordedKeys } from '../../ledger/index.ts';
import type { Moment } from '../moment.ts';
import { authorOf, branchOf, forgeNamed, textOf } from './target.ts';

/** `signal`: whether the step was told to stop, asked right before the branch is moved. */
export function deployPorts(moment: Moment, signal: AbortSignal): DeployPorts {
  const { store, repository, config, killSwitch, newId, nowMs } = moment;
  return {
    store,
    repository,
    author: authorOf(moment),
    forge: config.deploy.forge,
    openForge: (name, place) => forgeNamed(moment, name, place),
    branch: branchOf(moment),
    diffText: (digest) => textOf(store, digest),
    nowMs,
    newId,
    stopped: async () => signal.aborted || !(await killSwitch.allowedSteps()).includes('deploy'),
    awaitsArrival: awaitsArrival(config.deploy),
    rollbackTimeoutMs: config.deploy.rollbackTimeout,
    installation: async () => (await recordedKeys(store))[0],
  };
}

function awaitsArrival(settings: Moment['config']['deploy']): boolean {
  const { hooks, verify, smoke } = settings;
  const commands = [verify, smoke].some(({ command }) => command.length > 0);
  return hooks.length > 0 || commands || isChecked(settings);
}

export function arrivePorts(moment: Moment, signal: AbortSignal): ArrivePorts {
  const { store, repository, config, killSwitch, nowMs, deployRunner } = moment;
  if (deployRunner === undefined) {
    throw new DeployError('no_runner', 'No commands are run here, so no hooks either.', {
      hint: 'Hooks run under "hone up" and "hone cycle".',
    });
  }
  const { hooks, deployed, verify, smoke } = config.deploy;
  return {
    store,
    repository,
    settings: { hooks, deployed, verify, smoke },
    runner: deployRunner(signal),
    versions: (sinceMs) => versionsSince(sinceMs, moment, signal),
    nowMs,
    stopped: async () => signal.aborted || !(await killSwitch.allowedSteps()).includes('deploy'),
  };
}

/** A look reads new events first, but never so long that others wait. */
const EVENTS_PER_LOOK = 20_000;

async function versionsSince(sinceMs: number, moment: Moment, signal: AbortSignal) {
  await moment.collect(signal, EVENTS_PER_LOOK);
  signal.throwIfAborted();
  const window = { fromMs: sinceMs, toMs: moment.nowMs };
  const rows = await moment.telemetry.breakdown(window, 'version');
  return rows.map(({ name }) => name).filter((name) => name !== '');
}
