/** The ports that a deployment and its rollback need. */
import type { DeployPorts } from '../../deploy/index.ts';
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
    rollbackTimeoutMs: config.deploy.rollbackTimeout,
    installation: async () => (await recordedKeys(store))[0],
  };
}
