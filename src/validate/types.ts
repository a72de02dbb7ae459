/** The nouns of validation: its parts, what they look at, and what the room asks of others. */
import type { Clock, Digest } from '../base/index.ts';
import type { ConfigOf } from '../config/index.ts';
import type { CommitId, FilePatch, TargetRepository } from '../git/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { validateSection } from './config-section.ts';
import type { Structure } from './structure.ts';

export type ValidateSettings = ConfigOf<readonly [typeof validateSection]>['validate'];

export interface ReplayOutcome {
  readonly session: string;
  readonly ok: boolean;
  readonly error: string | null;
}

/** Runs recorded sessions on the target as it is at a commit; answers once for each session. */
export interface Replay {
  /**
   * The command lines that it runs, from the accepted configuration: what they name judges changes. None
   * for one that runs no files of the target.
   */
  readonly commands: readonly (readonly string[])[];
  run(
    commit: CommitId,
    sessions: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ReplayOutcome[]>;
}

export interface ValidatePorts {
  readonly repository: Pick<
    TargetRepository,
    'applyPatch' | 'commit' | 'commitInfo' | 'listFiles' | 'readFile' | 'readLink'
  >;
  /** The artifact's text; throws `ArtifactError` when there is none. */
  diffText(digest: Digest): Promise<string>;
  /** Undefined when the target has none. */
  readonly replay: Replay | undefined;
  /** Globs of the files that define the agents: the subject of a replay, whatever its commands name. */
  readonly agentFiles: readonly string[];
  /** Recorded sessions to replay, the most telling first. */
  sessions(dossier: Dossier): Promise<readonly string[]>;
  /** For the replay's timeout. */
  readonly clock: Clock;
  readonly nowMs: number;
  readonly settings: ValidateSettings;
}

/** What stands at a path on one side of the change. */
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

/** In the order in which they run: the cheap and safe ones first. */
export const REQUIRED_MODES = ['diff', 'policy', 'syntax', 'replay'] as const;
export type PartName = (typeof REQUIRED_MODES)[number];

export type PartResult = {
  readonly part: PartName;
  /** `not_run` only after another part failed. */
  readonly outcome: 'passed' | 'failed' | 'inconclusive' | 'not_run';
  /** Plain sentences, at least one, without control characters. */
  readonly reasons: readonly string[];
};
