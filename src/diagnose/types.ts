/** The nouns of a diagnosis, the port of diagnosers, and what the room asks of others. */

import type {
  CauseLayer,
  CountedFailure,
  Event,
  FailureGroup,
  FailureKind,
  Failures,
  Pattern,
  RecentCall,
  SettingValue,
  Subject,
  Window,
} from '../facts/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import type { Line, Outcome } from '../stats/index.ts';
import type { WeighedCause } from './causes.ts';
import type { MergedPatterns } from './merged-patterns.ts';
import type { FileWords } from './references.ts';
import type { ShiftPorts } from './shifts/find-shifts.ts';

export type TimeUnit = 'ms' | 's' | 'min' | 'h';

/** One key on the way to a value, and what the map or list item behind it calls itself (`name:`). */
export interface Step {
  readonly key: string;
  readonly name: string | null;
}

/** A number, a text, true or false in a file of the target. Files, keys and texts are attacker-controlled. */
export interface Setting {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The keys that lead to it in the file; the index for a list. */
  readonly path: readonly string[];
  readonly value: SettingValue;
  /** Of a number: as it is written behind it (`10s`), or as its key says; null where neither does. */
  readonly unit: TimeUnit | null;
  /** Where its source stands in the file's text, in UTF-16 units, a byte order mark included. */
  readonly start: number;
  readonly end: number;
  /** The keys by which an agent reaches it: others than `path` where an alias leads to it. */
  readonly steps: readonly Step[];
  /** What the document calls itself (`name:` at its top). */
  readonly documentName: string | null;
  /** Agents and tools that its place is called like (`like-names.ts`). */
  readonly like?: readonly string[];
  /** Whose file it is: others like it have, or say, the names of other agents (`sibling-files.ts`). */
  readonly ofAgent?: string;
  /** Whether its file has the very name of a tool that telemetry knows. */
  readonly isInToolsFile?: boolean;
}

export interface SettingsReading {
  readonly settings: readonly Setting[];
  /** What could not be read, one plain sentence each. */
  readonly problems: readonly string[];
  readonly seen: FilesSeen;
  /** The files of prose among them: prompts, instructions, documentation. */
  readonly texts: readonly string[];
  /** The words of each file that was read. */
  readonly words: FileWords;
}

/** What the globs of `target.agentFiles` match in a commit. */
export interface FilesSeen {
  readonly globs: number;
  /** Globs that match nothing. */
  readonly emptyGlobs: readonly string[];
  /** Files that match, of every kind. */
  readonly files: number;
  /** Those with values that can be tuned: YAML, JSON, TOML, and texts or programs that hold some. */
  readonly settingsFiles: number;
  readonly filesRead: number;
}

export interface DiagnoseLimits {
  readonly minOccurrences: number;
  /** A failure is worth acting on if its share of the calls is above this with confidence. */
  readonly failureShare: number;
}

/** What identifies a pattern of an earlier cycle. */
export type KnownPattern = Pick<
  Pattern,
  'id' | 'kind' | 'event' | 'template' | 'agent' | 'tool' | 'errorCode'
>;

/** A fix of a pattern that stayed at the target. */
export interface EarlierFix {
  readonly proposalId: string;
  /** Where the failure was taken to begin. */
  readonly layer: CauseLayer;
  /** When it was decided on. */
  readonly atMs: number;
  /** The place and the amount that it set, where it moved a value. */
  readonly set?: { readonly place: string; readonly to: number } | undefined;
}

/** All groups of one failure at one place, added up. */
export interface Failure extends FailureGroup {
  readonly id: string;
  readonly kind: FailureKind;
}

/** What a diagnoser may look at beside the failure itself. */
export interface Evidence {
  readonly window: Window;
  /** Everything that fails in the window, the failure itself included. */
  readonly all: readonly Failure[];
  /** The values in the target's agent files. */
  readonly settings: readonly Setting[];
  /** The commit that the settings were read from. */
  readonly commit: string;
  /** Those of the record, the oldest first. */
  readonly commits: readonly TargetCommit[];
  /** What those of them changed that came right before some failure began. */
  readonly edits?: readonly TargetEdit[];
  /** The share of calls that may fail before anything is done. */
  readonly failureShare: number;
  /** The newest calls one by one, by tool, of tools whose failures only those can explain. */
  readonly calls?: ReadonlyMap<string, readonly RecentCall[]>;
  /** What happened in some sessions whose task failed, by session. */
  readonly sessions?: ReadonlyMap<string, readonly Event[]>;
  /** The target's files of prose. */
  readonly texts?: readonly string[];
  /** The words of the target's files, by which one mentions another. */
  readonly words?: FileWords;
  /** From how sure clues make a cause in files to how often such causes were right in this installation. */
  readonly learnt?: Line;
  readonly gates?: KnownGates;
}

/** What a phase of an agent's process asks for. */
export interface GateNeed {
  readonly phase: string;
  readonly evidence: string;
  readonly name?: string | undefined;
  /** Only a run of Hone's own counts. */
  readonly own: boolean;
}

/** The gates of agents at work, for telling what their refusals mean. */
export interface KnownGates {
  /** The source that refusals come from; nobody else writes to it. */
  readonly source: string;
  readonly needs: readonly GateNeed[];
  /** Instructions that every coding agent of the target is given, the first one first. */
  readonly texts: readonly string[];
}

interface EditPlace {
  readonly commit: string;
  /** The commit before it. */
  readonly parent: string;
  readonly atMs: number;
  readonly file: string;
}

/** What a commit changed in a file: one value, some lines of settings or code, or a text as a whole. */
export type TargetEdit =
  | (EditPlace & {
      readonly kind: 'value';
      readonly path: readonly string[];
      /** As it was written where its unit or its quotes changed (`45s`): its number alone would not say what it was. */
      readonly before: SettingValue;
      readonly after: SettingValue;
    })
  | (EditPlace & {
      readonly kind: 'lines';
      /** The first of them after the commit, or where they were. From 1. */
      readonly line: number;
      /** How many, where they are not all that changed there in one piece: values beside them changed as well. */
      readonly lines?: number;
      /** What the lines said and say. */
      readonly words: ReadonlySet<string>;
      /** Values that only one of the two has, in these lines or under a key of theirs: they name whose lines they are. */
      readonly settings: readonly Setting[];
    })
  | (EditPlace & { readonly kind: 'text'; readonly line: number });

/** A commit of the target branch. */
export interface TargetCommit {
  readonly id: string;
  readonly title: string;
  readonly atMs: number;
  readonly paths: readonly string[];
}

/** A sentence for or against a cause, and the events behind it, by their ids. */
export interface Reason {
  readonly text: string;
  /** Examples of the failure; empty if the evidence is counts, not single events. */
  readonly events: readonly string[];
}

/** One answer to "what is to blame?". */
export interface Cause {
  readonly subject: Subject;
  readonly layer: CauseLayer;
  /** 0 to 1: how strong the diagnoser's own evidence is. What is stated is weighed from it (`weigh.ts`). */
  readonly confidence: number;
  /** Evidence for it, the strongest first; never empty. */
  readonly reasons: readonly Reason[];
  /** Evidence against it; the confidence already accounts for it. */
  readonly against: readonly Reason[];
  /**
   * Of causes by one mechanism that was shown, how likely this one is, 0 to 1; they exclude each other. The clues say whether it is
   * that mechanism at all, and not which of them.
   */
  readonly share?: number;
  /** Load was measured to be what makes calls fail, call by call: counts by the hour need not show it again. */
  readonly isByLoad?: boolean;
}

/** More causes of one failure help nobody. */
export const CAUSES_MAX = 100;

/**
 * One way to explain failures. It is pure: the same failure and evidence give the same causes. It gives none where
 * its kind of evidence says nothing, and several where they are equally good. `diagnoser-contract.test-support.ts`
 * has the rules.
 */
export interface Diagnoser {
  /** One word with dashes, such as `setting-limit`. */
  readonly name: string;
  /** At most `CAUSES_MAX`, the strongest first. */
  explain(failure: Failure, evidence: Evidence): readonly Cause[];
}

/** How far a diagnosis goes: which failures recur, or also what causes them. */
export type Depth = 'counts' | 'causes';

export interface DiagnosePorts {
  readonly telemetry: ShiftPorts & {
    failures(window: Window): Promise<Failures>;
    failureCounts(window: Window, aboveShare: number): Promise<readonly CountedFailure[]>;
    recentCalls(
      window: Window,
      asked: readonly {
        readonly tool: string;
        readonly calls: number;
        readonly untilMs?: number | undefined;
      }[],
    ): Promise<ReadonlyMap<string, readonly RecentCall[]>>;
    sessionEvents(
      window: Window,
      sessions: readonly string[],
      limit: number,
    ): Promise<ReadonlyMap<string, { readonly events: readonly Event[] }>>;
  };
  /** Patterns of earlier cycles, so that a reworded template keeps its pattern's id. */
  known(): Promise<readonly KnownPattern[]>;
  /** Patterns that a person wants to hear nothing more of, by id, with the reason. */
  ignored(): Promise<ReadonlyMap<string, { readonly reason: string }>>;
  /** Patterns that a person says are one with another. */
  merged(): Promise<MergedPatterns>;
  /** By pattern, the fixes that stayed at the target. */
  fixed(): Promise<ReadonlyMap<string, readonly EarlierFix[]>>;
  readonly repository: Pick<TargetRepository, 'listFiles' | 'readFile' | 'commitInfo'>;
  /** How causes that were stated here turned out. */
  outcomes(): Promise<readonly Outcome[]>;
  /** The target branch and its head. */
  readonly branch: string;
  head(): Promise<CommitId>;
  /** The commits of the branch since then, the oldest first; only the newest where they are very many. */
  commitsSince(fromMs: number): Promise<readonly TargetCommit[]>;
  readonly agentFiles: readonly string[];
  /** Absent where no agents are governed. */
  readonly gates?: KnownGates;
  readonly limits: DiagnoseLimits;
}

/** Which failures recur: all that the depth `counts` tells. */
export interface Recurring {
  /** The ids of the patterns. */
  readonly ids: readonly string[];
  readonly passedOver: readonly PassedOver[];
}

export interface PassedOver {
  readonly title: string;
  readonly why: string;
}

export interface Diagnosis extends Recurring {
  /** The highest score first. */
  readonly patterns: readonly Pattern[];
  /** All causes that were thought of, by pattern: for whoever counts how often each kind of evidence is right. */
  readonly weighed: readonly {
    readonly id: string;
    readonly agent: string;
    readonly causes: readonly WeighedCause[];
  }[];
  /** Measures at another level than before: people are told, and nothing is proposed. */
  readonly told: readonly Pattern[];
  /** What kept it from seeing everything, one plain sentence each. */
  readonly notes: readonly string[];
  /** One plain clause, also when there is nothing to do. */
  readonly summary: string;
}
