/** What the room asks of the rest of Hone. */
import type { Clock, NewId } from '../base/index.ts';
import type { CommitId, RefName, RemoteOptions, TargetRepository } from '../git/index.ts';
import type { KnownAgent } from '../identity/index.ts';
import type { ProposalStep } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import type { AccessSettings, AccessWorld } from './forges/github/access.ts';
import type { Fetch } from './forges/github/api.ts';
import type { ForgePerson, ReviewAnswer } from './forges/github/review-decision.ts';

export interface DeployPorts {
  readonly store: Store;
  readonly repository: TargetRepository;
  /** Whose name Hone's commits carry. */
  readonly author: { readonly name: string; readonly email: string };
  /** The configured forge, by its name. A deployment keeps to the one it was prepared for. */
  readonly forge: string;
  /** The target branch, such as `refs/heads/main`. A deployment keeps to the one it was prepared for. */
  readonly branch: RefName;
  /** `place`: the repository that the decision is about, where that is another than the target. */
  openForge(name: string, place?: string): Forge;
  /** The unified diff of this digest. */
  diffText(digest: string): Promise<string>;
  readonly nowMs: number;
  /** For the proposal that a change becomes when somebody else moved the branch first. */
  readonly newId: NewId;
  /** What keeps the branch from being moved forward, as a step; asked right before. Taking back never asks. */
  mayMove?(deployment: Deployment): Promise<ProposalStep | undefined>;
  /** Why the decision no longer counts, for a change that the forge merged at a time nobody here knows. */
  undecided?(): Promise<string | undefined>;
  /** Asked again right before the branch is moved forward. Taking back never asks. */
  stopped?(): Promise<boolean>;
  /** What names this installation in the target; undefined where nothing does. Taking back never asks. */
  installation?(): Promise<string | undefined>;
  /** Whether hooks or checks are to follow a move. */
  readonly awaitsArrival?: boolean;
  /**
   * Calls for the rollback of later changes, the newest first, because `below` cannot be undone under them; called for
   * already is called for once. Without it a person is asked to act.
   */
  takeBackFirst?(ids: readonly string[], below: string): Promise<Omit<ProposalStep, 'did'>>;
  /** A rollback that took longer says so. */
  readonly rollbackTimeoutMs?: number;
}

/** What makes running agents load a commit, and what tells that they did: the section's keys. */
export interface ArrivalSettings {
  readonly hooks: readonly {
    readonly paths: readonly string[];
    readonly run: readonly string[];
    readonly timeout: number;
  }[];
  readonly deployed: {
    readonly command: readonly string[];
    readonly url: string;
    /** Whether the version in the agents' telemetry tells. */
    readonly telemetry: boolean;
    readonly timeout: number;
  };
  readonly smoke: { readonly command: readonly string[]; readonly timeout: number };
  readonly verify: { readonly command: readonly string[]; readonly timeout: number };
}

/** Runs what the accepted configuration names: outside the target, with an environment of its own. */
export interface DeployRunner {
  run(
    words: readonly string[],
    options: {
      readonly variables: Readonly<Record<string, string>>;
      readonly timeoutMs: number;
      /** Its standard input; empty unless given. */
      readonly input?: string;
    },
  ): Promise<CommandRun>;
  get(url: string, options: { readonly timeoutMs: number }): Promise<Got>;
}

/** Never thrown: how a command ends is its answer. */
export interface CommandRun {
  readonly how: 'done' | 'failed' | 'timeout' | 'not_started';
  readonly code: number | null;
  /** What it printed, both outputs, as far as it is kept. */
  readonly output: string;
}

export type Got = { readonly text: string } | { readonly why: string };

export interface ArrivePorts {
  readonly store: Store;
  readonly repository: TargetRepository;
  readonly settings: ArrivalSettings;
  readonly runner: DeployRunner;
  readonly nowMs: number;
  /** The versions that events since then name. */
  versions(sinceMs: number): Promise<readonly string[]>;
  /** Hooks after a rollback never ask. */
  stopped?(): Promise<boolean>;
}

/** A branch from one commit to another that builds on it. */
interface Move {
  readonly branch: RefName;
  readonly from: CommitId;
  readonly to: CommitId;
}

/** `why` is a sentence: somebody was faster, or the forge has not done it yet. */
type Moved = { readonly moved: true } | { readonly moved: false; readonly why: string };

/**
 * Where a change goes. A forge moves refs and knows what is in the way of that; what is moved, when, and
 * whether it may be, is the room's decision. Each call may come again after a crash, and answers from the actual state.
 */
export interface Forge {
  /** Commits are made here, and every commit that the forge names can be read here. */
  readonly repository: TargetRepository;
  /** The repository whose branches it moves, for the decision; absent where that is the target repository itself. */
  address?(): Promise<string>;
  /** Where a ref is at the forge now; undefined when there is none. */
  resolve(ref: RefName): Promise<CommitId | undefined>;
  /** Where it was when the forge was last asked. Asks nobody: for what happens every few seconds. */
  seen(ref: RefName): Promise<CommitId | undefined>;
  /** Why the branch cannot be moved forward, in a sentence that says what to do; only a person changes it. */
  hindrance(branch: RefName): Promise<string | undefined>;
  /**
   * Moves the branch forward, completely or not at all: from exactly `from`, to a commit that descends from it. A
   * forge that needs longer says so in `why`, and is asked again until the branch is elsewhere.
   */
  move(move: Move): Promise<Moved>;
  /** Undoes a move that was found wrong right after it: `to` is where the branch was. False: it moved on. */
  takeBack(move: Move): Promise<boolean>;
  /** Moves a ref that Hone alone uses (backup, patch branch, marker); undefined: there is none yet. */
  keep(ref: RefName, move: { from: CommitId | undefined; to: CommitId }): Promise<boolean>;
  /** One sentence: what somebody has to do after a rollback. */
  afterRollback(branch: RefName): Promise<string | undefined>;
  /**
   * The commit of the branch by which the forge itself put a change there, such as a squash; undefined where it did not.
   * Absent where only Hone's own commits arrive. Its bytes are not trusted: whoever asks compares them.
   */
  landed?(change: Landing): Promise<CommitId | undefined>;
  /** How people see and decide a change there; absent where they cannot. */
  readonly reviews?: ForgeReviews;
}

interface Landing {
  readonly branch: RefName;
  readonly patchBranch: RefName;
  readonly commit: CommitId;
}

/** A change put before people at the forge. Each call may come again, and finds what an earlier one made. */
export interface ForgeReviews {
  /** The patch branch, its pull request and Hone's check run, made or brought up to date. */
  publish(draft: PullDraft): Promise<Published>;
  /** What `publish` made, if all of it is there. */
  published(draft: PullDraft): Promise<Published | undefined>;
  /** What people said about exactly this; undefined where nothing was published. */
  judge(asked: AskedReview, options?: JudgeOptions): Promise<ReviewAnswer | undefined>;
  /** Closes what is open, with nothing merged. */
  close(change: Pick<Landing, 'branch' | 'patchBranch'>): Promise<void>;
}

export interface JudgeOptions {
  /** What they say now about one that is merged, instead of only that it is. */
  readonly evenMerged?: boolean;
}

export interface AskedReview extends Landing {
  readonly evidenceDigest: string;
}

/** What a pull request is made of. */
export interface PullDraft extends AskedReview {
  readonly proposalId: string;
  readonly contentDigest: string;
  readonly title: string;
  readonly rationale: string;
  /** A line for each mode of validation. */
  readonly proof: readonly string[];
  /** Whether all of it passed. */
  readonly isProven: boolean;
  /** Recorded failures; not for a public place. */
  readonly examples: readonly string[];
  /** Who may decide here by a review. */
  readonly howToDecide: string;
}

export interface Published {
  readonly pull: string;
  readonly url: string;
  /** Whether a review can count: only an app makes check runs. */
  readonly isChecked: boolean;
}

/** What forges with an interface of their own need beside git. One for a process. */
export interface ForgeWorld extends AccessWorld {
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** The keys below `deploy.github`, and who may decide there. */
export interface GitHubSettings extends AccessSettings {
  readonly repository: string;
  readonly api: string;
  readonly people: readonly ForgePerson[];
  readonly agents: readonly KnownAgent[];
}

export interface ForgePorts {
  readonly repository: TargetRepository;
  /** The remote that the configuration or the decision names, and what opens it. */
  readonly remote?: RemoteOptions;
  readonly github?: GitHubSettings;
  readonly world?: ForgeWorld;
}

export interface ForgeKind {
  /** One word: `deploy.forge` in the configuration, and part of every decision. */
  readonly name: string;
  /** What it does, as a clause for the configuration's reference. */
  readonly about: string;
  /** Whether people decide there about a commit that has to exist before the decision. */
  readonly isReviewed?: boolean;
  /** Where a change goes and what Hone cannot know about that, said before the decision. */
  words(branch: RefName, settings: { readonly remote: string }): string;
  open(ports: ForgePorts): Forge;
}

/** How a change gets from the branch to the agents' traffic. */
export interface Rollout {
  /** One word: `deploy.rollout` in the configuration. */
  readonly name: string;
  /** What it does, as a clause for the configuration's reference. */
  readonly about: string;
  /** `whole`: a deployment is all or nothing. `share`: a part of the traffic can get it first. */
  readonly reaches: 'whole' | 'share';
  /** What that means for the decision, said before it. */
  readonly words: string;
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
  readonly forge: string;
  readonly branch: RefName;
  readonly patchBranch: RefName;
  readonly baseCommit: CommitId;
  readonly commit: CommitId;
  readonly backupRef: RefName;
  /** Where it went, by its address; undefined where that is the target itself, or nobody kept it. */
  readonly repository: string | undefined;
  /** Where the revert was made to fit, and the commit that it is. */
  readonly revert: { readonly onto: CommitId; readonly commit: CommitId } | undefined;
  readonly changedAtMs: number;
}
