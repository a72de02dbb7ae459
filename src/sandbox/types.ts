/** What is run in a sandbox, within which limits, and how it ended. */

export interface SandboxLimits {
  /** From start to end; then everything in it is killed. */
  readonly wallMs: number;
  /** Of the processor, per process. */
  readonly cpuSeconds: number;
  /** Of all processes together. Files in memory count too. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Of one file that is written. */
  readonly fileBytes: number;
  /** Of each place that can be written to. */
  readonly scratchBytes: number;
  /** Of standard output and of standard error, each; more ends the run. */
  readonly outputBytes: number;
  readonly openFiles: number;
}

/** A file or folder of the machine, and where it is seen. */
export interface Bind {
  readonly from: string;
  readonly to: string;
}

export interface SandboxRun {
  /** No shell is involved. The program is looked up in the sandbox. */
  readonly argv: readonly [string, ...string[]];
  /** Seen, and never changed. The machine's programs and libraries are there without being named. */
  readonly readOnly: readonly Bind[];
  /** Places that can be written to, empty at first, gone afterwards. `/tmp` is always one. */
  readonly scratch: readonly string[];
  /**
   * Hidden: nothing of it is seen, and nothing can be put there. Where nothing is yet, below what is read-only nothing
   * can come to be, and in a place that can be written to an empty folder is put there first.
   */
  readonly masked: readonly string[];
  readonly cwd: string;
  /** All of it: nothing of Hone's own environment is passed on. */
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** An open file that gets standard output, for what is too large to be held: bounded by `fileBytes` alone. */
  readonly outputFile?: number;
  readonly limits: SandboxLimits;
  readonly signal?: AbortSignal;
}

/** How a limit is kept. `watched`: looked at every few milliseconds, so it may be passed for a moment. */
type Kept = 'cgroup' | 'rlimit' | 'watched' | 'tmpfs' | 'timer';

/** Which limits hold on this machine, and by what; each was tried. */
export type LimitsKept = Readonly<Record<keyof SandboxLimits, Kept>>;

export type Ended = 'exited' | 'killed' | 'time' | 'memory' | 'output' | 'aborted';

export interface SandboxResult {
  /** `killed`: by a signal that Hone did not send, such as the processor limit's. */
  readonly ended: Ended;
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly wallMs: number;
  /** The most memory that was seen in use. */
  readonly memoryBytes: number;
  /** For the evidence: how each limit was kept. */
  readonly kept: LimitsKept;
}

/** Whether a sandbox can be made here. */
export type SandboxProbe =
  | { readonly available: true; readonly version: string; readonly kept: LimitsKept }
  | {
      readonly available: false;
      /** A sentence that says what is missing and what to do. */
      readonly why: string;
    };
