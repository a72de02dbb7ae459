/** The ports that a deployment and its rollback need. */
import { type ArrivePorts, DeployError, type DeployPorts } from '../../deploy/index.ts';
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

function awaitsArrival({ hooks, deployed, smoke }: Moment['config']['deploy']): boolean {
  const commands = [...hooks, ...deployed.command, ...smoke.command];
  return commands.length > 0 || deployed.url !== '';
}

export function arrivePorts(moment: Moment, signal: AbortSignal): ArrivePorts {
  const { store, repository, config, killSwitch, nowMs, deployRunner } = moment;
  if (deployRunner === undefined) {
    throw new DeployError('no_runner', 'No commands are run here, so no hooks either.', {
      hint: 'Hooks run under "hone up" and "hone cycle".',
    });
  }
  const { hooks, deployed, smoke } = config.deploy;
  return {
    store,
    repository,
    settings: { hooks, deployed, smoke },
    runner: deployRunner(signal),
    nowMs,
    stopped: async () => signal.aborted || !(await killSwitch.allowedSteps()).includes('deploy'),
  };
}
