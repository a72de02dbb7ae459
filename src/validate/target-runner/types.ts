/** Running commands of the accepted configuration on the target's files, behind the walls of a sandbox (VAL-4). */
import type { CommitId } from '../../git/index.ts';
import type { ModelRecord } from '../../model/index.ts';
import type { Ended, LimitsKept, SandboxProbe } from '../../sandbox/index.ts';

export interface TargetRunner {
  /** Whether a sandbox can be made here, and by what its limits are kept. */
  probe(): Promise<SandboxProbe>;
  /**
   * The target's files at a commit, with what `validate.prepare` made from its base, to run commands on. Throws
   * `NotRunnable` where nothing can be run.
   */
  open(where: TargetAt, signal: AbortSignal): Promise<OpenTarget>;
  /** Runs one of the machine's programs on a text, without the target's files; undefined where it or a sandbox is not there. */
  runTool(argv: readonly string[], input: string, signal: AbortSignal): Promise<Buffer | undefined>;
}

export interface TargetAt {
  readonly commit: CommitId;
  /** What a change was made from: dependencies are built from its files, never from the change's. */
  readonly base: CommitId;
}

/** Each run begins with the same files: nothing that a run writes is seen by another. */
export interface OpenTarget extends AsyncDisposable {
  run(command: TargetCommand, signal: AbortSignal): Promise<CommandResult>;
}

export interface TargetCommand {
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  readonly input?: string;
  /** A file below the target's folder that the command writes, to be given back. */
  readonly report?: string;
  /** It may ask the model of `validate.model`, where one is configured, and what that costs is counted for this validation. */
  readonly modelAccount?: string;
  /** Files below the target's folder: which of them it read is to be found out. */
  readonly watched?: readonly string[];
}

export interface CommandResult {
  readonly ended: Ended;
  readonly exitCode: number | null;
  /** Standard output; with a report the report, empty if there was none. */
  readonly output: Buffer;
  /** Standard error; with a report standard output too. */
  readonly messages: Buffer;
  readonly wallMs: number;
  readonly memoryBytes: number;
  /** By what each limit was kept. */
  readonly kept: LimitsKept;
  /** What it asked of a model, where it could. */
  readonly model?: ModelRecord;
  /** Which of the watched files it read; undefined where that cannot be known, as when it was killed. */
  readonly read?: ReadonlySet<string>;
}

/** Nothing can be run, and why: a whole sentence, and further lines that a person needs. */
export class NotRunnable extends Error {
  readonly reasons: readonly string[];

  constructor(...reasons: readonly [string, ...string[]]) {
    super(reasons[0]);
    this.reasons = reasons;
  }
}
