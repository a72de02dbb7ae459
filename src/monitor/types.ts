/** What the room asks of the rest of Hone, and its nouns. */
import type { z } from 'zod';
import type {
  CallHours,
  RateBin,
  RateMetric,
  RecentCall,
  SessionHours,
  Window,
} from '../facts/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import type { monitorSection } from './config-section.ts';
import type { Expectation } from './expectation.ts';
import type { Served } from './of-provider.ts';
import type { PeoplesCommit } from './peoples-commits.ts';
import type { Footing, Place } from './rings.ts';

export type MonitorSettings = z.output<(typeof monitorSection)['schema']>;

export interface MonitorPorts {
  readonly store: Store;
  /** Counts by the minute; minutes in which nothing happened may be left out. */
  rates(
    metric: RateMetric,
    window: Window,
    scope: {
      readonly agent?: string;
      readonly tool?: string;
      /** Leaves out what nobody known sent. */
      readonly known?: boolean;
    },
  ): Promise<readonly RateBin[]>;
  /** The agent whose failure the change is about, if one is known. */
  agentOf(dossier: Dossier): Promise<string | undefined>;
  /** The failure that the change answers: its place, and since when it is known; undefined where there is none. */
  answers(dossier: Dossier): Promise<
    | {
        readonly agent: string;
        readonly tool: string | undefined;
        readonly sinceMs: number;
        /** When it began, where that is in the record; a failure as old as the record has no beginning. */
        readonly beganMs?: number | undefined;
      }
    | undefined
  >;
  /** The tool whose failure the change is about, if one is known. */
  toolOf(dossier: Dossier): Promise<string | undefined>;
  /** Who calls a tool, the most calls first. */
  callersOf(tool: string, window: Window): Promise<readonly string[]>;
  /** When the branch moved, or the earliest that it can have; undefined when nobody knows. */
  movedAtMs(dossier: Dossier): Promise<number | undefined>;
  /** When the agents got the change, where that was waited for; the watch starts then. */
  arrivedAtMs?(dossier: Dossier): Promise<number | undefined>;
  /** The latest time, not after now, in the records before the deployment's own; undefined when there are none. */
  recordedBeforeMs(dossier: Dossier): Promise<number | undefined>;
  /** Calls by agent and tool, by the minute, of known senders alone: strangers must not be able to excuse a change. */
  callsByTool(window: Window): Promise<readonly ToolCalls[]>;
  /** Calls of every agent and tool by the hour, whole hours. */
  callHours(window: Window): Promise<readonly CallHours[]>;
  /** Sessions of every agent by the hour, whole hours. */
  sessionHours(window: Window): Promise<readonly SessionHours[]>;
  /** The newest calls of some tools one by one, of each about as many as are asked for, a few thousand at most. */
  recentCalls(
    window: Window,
    asked: readonly { readonly tool: string; readonly calls: number }[],
  ): Promise<ReadonlyMap<string, readonly RecentCall[]>>;
  /** Which providers serve which tools. */
  servedTools(): Promise<readonly Served[]>;
  /** Tools that are called after this one in its tasks. */
  toolsAfter(place: Place, window: Window): Promise<readonly string[]>;
  /** What people committed to the target branch since then, and not Hone; absent where nobody knows. */
  peoplesCommits?(fromMs: number): Promise<readonly PeoplesCommit[]>;
  /** The state of another change that was watched. */
  fateOf(proposalId: string): Promise<Fate>;
  readonly nowMs: number;
  readonly settings: MonitorSettings;
}

/** An agent's calls of one tool. */
export interface ToolCalls {
  readonly agent: string;
  readonly tool: string;
  readonly bins: readonly RateBin[];
}

/** The same before the deployment, hour by hour; the last hour ends with the deployment. */
export interface ToolHours {
  readonly agent: string;
  readonly tool: string;
  readonly hours: readonly Count[];
}

export interface Fate {
  readonly isWatched: boolean;
  /** Deployed, and not taken back. */
  readonly isAtTarget: boolean;
  /** Since when it is to be taken back, or was. */
  readonly calledBackAtMs: number | null;
}

/** `bad` of `all`. */
export interface Count {
  readonly bad: number;
  readonly all: number;
  /** Of sessions, counted by the minute: how many of them began (`RateBin`). */
  readonly begun?: number | undefined;
}

/** One metric of the whole fleet (`agent` null), of one agent, or of one agent's calls of one tool. */
export interface SeriesName {
  readonly metric: RateMetric;
  readonly agent: string | null;
  /** Of an agent that shares a tool with the changed one: its calls of that tool. */
  readonly tool?: string | undefined;
}

/** What was counted before the deployment, hour by hour; the last hour ends with the deployment. */
export interface SeriesBaseline extends SeriesName {
  readonly hours: readonly Count[];
  /** The same without what nobody known sent, where that differs. */
  readonly known?: readonly Count[] | undefined;
}

/** What was counted since, in minutes, ascending. */
export interface SeriesObserved extends SeriesName {
  readonly bins: readonly RateBin[];
}

export interface Baseline {
  /** The deployment, rounded down to the minute. */
  readonly startedAtMs: number;
  readonly series: readonly SeriesBaseline[];
  /** Calls by agent and tool, of known senders alone; a baseline of an earlier version has none. */
  readonly tools?: readonly ToolHours[] | undefined;
  /** What the change is expected to do; absent where its generator does not say. */
  readonly expected?: Expectation | undefined;
  /** What the change is at, as it was known then. */
  readonly footing?: Footing | undefined;
}

/** A row of the room: when it watches what, and the artifact it compares with. */
export interface Watch {
  readonly proposalId: string;
  readonly startedAtMs: number;
  readonly fastUntilMs: number;
  readonly untilMs: number;
  readonly baselineDigest: string;
}

/** The result of one series. */
export interface Reading extends SeriesName {
  readonly baseline: Count;
  readonly observed: Count;
  /** Whether there was anything to compare with. */
  readonly comparable: boolean;
  readonly finding: Finding | undefined;
}

/** A series that got worse, at the first moment that showed it. */
export interface Finding {
  /** The window that shows it most: from its beginning to when it was found. */
  readonly fromMs: number;
  readonly foundAtMs: number;
  /** Where in that window it most likely began. */
  readonly firstBadAtMs: number;
  readonly observed: Count;
  /** What the baseline leads to expect of as many events at these times of day. */
  readonly expectedBad: number;
  /** 0.5 is half as many again, and the most that is allowed. */
  readonly increase: number;
  readonly allowed: number;
  /** Against the baseline, and what it had to reach. */
  readonly evidence: number;
  readonly evidenceNeeded: number;
  /** Valid however often one looked. */
  readonly pValue: number;
}

export type Found = Reading & { readonly finding: Finding };

export interface Judgement {
  readonly readings: readonly Reading[];
  /** The one that was found first. */
  readonly worst: Found | undefined;
}
