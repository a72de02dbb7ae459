/** What the room asks of the rest of Hone, and what it answers besides steps. */
import type { CommitId, RefName, TargetRepository } from '../git/index.ts';
import type { ProposalStep } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';

export interface DeployPorts {
  readonly store: Store;
  readonly repository: TargetRepository;
  /** Whose name Hone's commits carry. */
  readonly author: { readonly name: string; readonly email: string };
  /** The target branch, such as `refs/heads/main`. A deployment keeps to the one it was prepared for. */
  readonly branch: RefName;
  /** The unified diff of this digest. */
  diffText(digest: string): Promise<string>;
  readonly nowMs: number;
  /** What keeps the branch from being moved forward, as a step; asked right before. Taking back never asks. */
  mayMove?(branch: RefName): Promise<ProposalStep | undefined>;
  /** Asked again right before the branch is moved forward. Taking back never asks. */
  stopped?(): Promise<boolean>;
  /** What names this installation in the target; undefined where nothing does. Taking back never asks. */
  installation?(): Promise<string | undefined>;
  /** A rollback that took longer says so. */
  readonly rollbackTimeoutMs?: number;
}

/** The target branch is no longer where the decision was made: other bytes, so another decision. */
export interface BaseMoved {
  readonly moved: {
    readonly head: CommitId;
    /** Whether the patch applies to the new head, exactly. */
    readonly applies: boolean;
  };
  readonly did: string;
}

export type Preparation = ProposalStep | BaseMoved;

export interface Application extends ProposalStep {
  /** Where the branch is instead: somebody else moved it after the backup, and the change is not on it. */
  readonly overtakenBy?: CommitId;
}

/** Who called for a rollback, in words, and when: both are in the revert's commit. */
export interface RevertCall {
  readonly reason: string;
  /** The numbers behind it, a line each. */
  readonly numbers?: readonly string[];
  readonly calledAtMs: number;
}

/**
 * `prepared` a backup and a commit are there, `moved` the branch has it, `reverting` the commit that takes
 * it back is made and named, `reverted` the branch has that one.
 */
export const DEPLOYMENT_STATES = ['prepared', 'moved', 'reverting', 'reverted'] as const;
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number];

export interface Deployment {
  readonly proposalId: string;
  readonly state: DeploymentState;
  readonly branch: RefName;
  readonly patchBranch: RefName;
  readonly baseCommit: CommitId;
  readonly commit: CommitId;
  readonly backupRef: RefName;
  /** Where the revert was made to fit, and the commit that it is. */
  readonly revert: { readonly onto: CommitId; readonly commit: CommitId } | undefined;
  readonly changedAtMs: number;
}
