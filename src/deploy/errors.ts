import { HoneError } from '../base/index.ts';

export type DeployErrorCode =
  /** The proposal has no deployment: nothing of it can be moved or taken back. */
  | 'no_deployment'
  /** A deployment or the configuration names a forge that this build does not have. */
  | 'unknown_forge'
  /** The forge needs a remote, and the target repository is one that has none. */
  | 'no_remote'
  /** Hooks are configured where no commands are run, as in a simulation. */
  | 'no_runner'
  /** The configuration names a rollout that this build does not have. */
  | 'unknown_rollout'
  /** No decision about this content, although it is approved: its commit would have no time. */
  | 'no_decision'
  /** The forge did not answer, or not in a form that is known: asked again. */
  | 'forge_failed'
  /** The forge's limit of requests is used up: asked again later. */
  | 'forge_limited'
  /** The forge does not allow it. */
  | 'forge_refused'
  /** Nothing opens the forge: no token, no key, no repository. */
  | 'no_access'
  /** The remote is not the repository that the configuration names. */
  | 'other_repository'
  /** The diff's bytes do not match the digest in the content. */
  | 'diff_altered';

export class DeployError extends HoneError<DeployErrorCode> {}
