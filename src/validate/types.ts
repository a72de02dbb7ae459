/** The nouns of validation: its modes, what they look at, and what the room asks of others. */
import type { Clock, Digest, Json } from '../base/index.ts';
import type { ConfigOf } from '../config/index.ts';
import type { RecentCall, VerdictOf } from '../facts/index.ts';
import type { CommitId, FilePatch, TargetRepository } from '../git/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { validateSection } from './config-section.ts';
import type { Structure } from './structure.ts';
import type { TargetRunner } from './target-runner/index.ts';

export type ValidateSettings = ConfigOf<readonly [typeof validateSection]>['validate'];

export interface ReplayOutcome {
  readonly session: string;
  /** Null where the recording does not say: a call that was cut off has no known end, one never made no answer. */
  readonly ok: boolean | null;
  readonly error: string | null;
  /** Where the replay knows them. */
  readonly latencyMs?: number;
  readonly costUsd?: number;
}

/** Recorded sessions to replay. */
export interface DrawnSessions {
  /** The most telling first. `failed`: whether it failed when it was recorded, by the failure that the change is to mend. */
  readonly sessions: readonly { readonly id: string; readonly failed: boolean }[];
  /** How many times more of them failed than of all sessions; 1 where they are a fair sample. */
  readonly overdrawn: number;
  /** How many such sessions were recorded in an hour lately; 0 where that is not known. */
  readonly perHour: number;
}

/** A recorded session, as a replay's command is given it. Sanitised like everything that is kept. */
export interface ReplayCase {
  readonly id: string;
  readonly agent: string | null;
  readonly task: string | null;
  /** In the form of Hone's own JSONL (docs/reference/events.md), in the order in which they happened. */
  readonly events: readonly Json[];
  /** There were more, which are left out. */
  readonly cut: boolean;
}

/** Runs recorded sessions on the target as it is at a commit; answers once for each session. */
export interface Replay {
  /**
   * The command lines that it runs, from the accepted configuration: what they name judges changes. None
   * for one that runs no files of the target.
   */
  readonly commands: readonly (readonly string[])[];
  /** Patterns of the target's files that it reads; all of them, unless it says so. */
  readonly reads?: readonly string[];
  run(
    commit: CommitId,
    sessions: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ReplayOutcome[]>;
  /** What a person would check its answers by. */
  evidence?(): Json;
  /** Which of the change's files it read at this commit; undefined where that is not known. Without it, it runs no files of the target. */
  read?(commit: CommitId): ReadonlySet<string> | undefined;
  /** Whole sentences about what it could not know, for the verdict. */
  notes?(): readonly string[];
}

export interface ValidatePorts {
  readonly repository: Pick<
    TargetRepository,
    'applyPatch' | 'commit' | 'commitInfo' | 'listFiles' | 'readFile' | 'readLink' | 'writeFiles'
  >;
  /** The artifact's text; throws `ArtifactError` when there is none. */
  diffText(digest: Digest): Promise<string>;
  /** One that is there without a command, such as a simulation's; else `validate.replay` is run. */
  readonly replay: Replay | undefined;
  /** The events of sessions that `sessions` gave, one case for each. */
  cases(dossier: Dossier, sessions: readonly string[]): Promise<readonly ReplayCase[]>;
  /** The newest recorded calls of these tools, of every agent. */
  calls(dossier: Dossier, tools: readonly string[]): Promise<readonly RecentCall[]>;
  /** Runs commands on the target's files; undefined where that is not to be done, as in a simulation. */
  readonly runner: TargetRunner | undefined;
  /** Globs of the files that define the agents: the subject of a replay, whatever its commands name. */
  readonly agentFiles: readonly string[];
  sessions(dossier: Dossier): Promise<DrawnSessions>;
  /** Those of the list, unless a test gives others. */
  readonly modes?: readonly ValidationMode[];
  /** For the replay's timeout. */
  readonly clock: Clock;
  readonly nowMs: number;
  readonly settings: ValidateSettings;
}

/** The file at a path on one side of the change. */
export interface FileSide {
  /** Undefined when the bytes are no UTF-8. */
  readonly text: string | undefined;
  /** What the file says, where its type has a structure. */
  readonly structure: Structure | undefined;
}

export interface TouchedFile {
  readonly path: string;
  readonly patch: FilePatch;
  /** Undefined where there is no such file on that side. */
  readonly before: FileSide | undefined;
  readonly after: FileSide | undefined;
}

/** What a mode is asked about. */
export interface CandidateChange {
  readonly dossier: Dossier;
  readonly base: CommitId;
  /** The base with the diff: a commit that no ref names. */
  readonly candidate: CommitId;
  readonly files: readonly TouchedFile[];
}

/** What is said about a mode with its verdict. */
interface ModeWords {
  /** A word of the record: it stays there forever. */
  readonly name: string;
  /** What it looks at, such as `files` or `recorded_sessions`. */
  readonly evidenceKinds: readonly string[];
  /** What its verdict takes for granted, in whole sentences. */
  readonly assumes: readonly string[];
  /** Whether the change is run: then it is not asked about one that failed another mode. */
  readonly runsChange: boolean;
}

/**
 * One way of finding out whether a change does what it claims, and nothing else. What it cannot tell is
 * inconclusive, with the reason. The signal ends it: what it answers then is not used, and it is asked again.
 */
export interface ValidationMode extends ModeWords {
  /** Whether it can be asked about this change, by what is configured; always, without it. One that cannot leaves no verdict. */
  applies?(change: CandidateChange, ports: ValidatePorts): boolean;
  judge(
    change: CandidateChange,
    ports: ValidatePorts,
    signal: AbortSignal,
  ): Promise<ModeVerdict | ModePending>;
  /** The figures in what it found, for a comparison with what it found before; none, where it measures nothing. */
  measures?(found: Json): readonly Measure[];
}

/** One figure of a report. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly better: 'higher' | 'lower';
}

export interface ModeVerdict {
  readonly verdict: VerdictOf<'validation'>;
  /** Plain sentences, at least one, without control characters. */
  readonly reasons: readonly string[];
  /** Null where nothing was measured; true only where it got significantly better. */
  readonly improvesTarget: boolean | null;
  /** Of an inconclusive verdict that could not judge: a word for what kept it from it. */
  readonly unjudged?: string;
  /** Of an inconclusive verdict: when more data would settle it. It is recorded, and all modes are asked again then. */
  readonly againAtMs?: number;
  /** What a person would check the verdict by: part of the report. */
  readonly found: Json;
}

/** It waits for the world: nothing is recorded, and all modes are asked again when it is due. */
export interface ModePending {
  /** A sentence: what it waits for. */
  readonly pending: string;
  readonly dueAtMs: number;
}

/** A verdict and its mode. */
export type Judged = ModeVerdict & { readonly mode: ModeWords };

/** What a check found, before it is a mode's verdict. */
export interface CheckResult {
  readonly outcome: VerdictOf<'validation'>;
  /** Plain sentences, at least one, without control characters. */
  readonly reasons: readonly string[];
}
