/** What the loop is given, and what it says about its work. */
import type { Clock, Json, Log, NewId } from '../base/index.ts';
import type { DeployRunner, ForgeWorld } from '../deploy/index.ts';
import type { StepKind } from '../facts/index.ts';
import type { TargetRepository } from '../git/index.ts';
import type { SignatureAnswer, SignatureClaim } from '../identity/index.ts';
import type { SourceCommands, SourceFiles } from '../observe/index.ts';
import type { KillSwitch, Rights } from '../policy/index.ts';
import type { Store } from '../store/index.ts';
import type { Replay, TargetRunner } from '../validate/index.ts';
import type { HoneConfig } from './sections.ts';

export interface LoopPorts {
  readonly store: Store;
  /** Where events and rollups are: its own file on SQLite, the same database on PostgreSQL. */
  readonly telemetry: Store;
  readonly repository: TargetRepository;
  readonly files: SourceFiles;
  /** The target repository's folder, its links resolved; absent where it has none. */
  readonly targetFolder?: string;
  /** Runs the commands that sources name; absent where none is run. */
  readonly commands?: SourceCommands;
  /** Runs deploy hooks and checks, all of them ended by the signal; absent where none is run. */
  readonly deployRunner?: (signal: AbortSignal) => DeployRunner;
  /** What forges need beside git; absent where nothing outside is asked, as in a simulation. */
  readonly forgeWorld?: ForgeWorld;
  /** How the target's recorded sessions are replayed; absent if the target cannot. */
  readonly replay: Replay | undefined;
  /** Runs commands on the target's files, in a sandbox; absent where none is run. */
  readonly runner?: TargetRunner;
  readonly killSwitch: KillSwitch;
  /** Who may decide; asked here about those who decide at the forge. */
  readonly rights: Rights;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly config: HoneConfig;
  /** The target repository, as this installation names it; part of every decision. */
  readonly repositoryId: string;
  /** Whether an allowed signer, as accepted, signed this text for a decision. */
  verifySignature(claim: SignatureClaim): Promise<SignatureAnswer>;
  /** Places waiting entries: nothing is deployed on entries that have no place yet. */
  placePending(): Promise<void>;
  /** Unique to this process; shown as the holder of its leases. */
  readonly holder: string;
  /** Told before each step, for live progress. */
  readonly onStep?: (text: string) => void;
}

/** Who or what begins a cycle: a person, the clock, a failure that recurs, a limit that is passed, Hone's own state. */
export type Trigger = 'human' | 'periodic' | 'pattern' | 'threshold' | 'meta';

export type WorkKind = 'cycle' | 'proposal';

/** One unit of work: a row with a due time. `subject` is the cycle's or the proposal's id. */
export interface Work {
  readonly id: string;
  readonly kind: WorkKind;
  readonly subject: string;
  /** Grows with every change; a step expects the version it began with. */
  readonly version: number;
  /** The kind of its next step, as known when the row was written; whoever claims it finds out. */
  readonly step: StepKind;
  /** Null: nothing is due until somebody changes it. */
  readonly dueAtMs: number | null;
  /** When it may be claimed: its due time, or the end of the claim on it. */
  readonly readyAtMs: number | null;
  /** Grows with every claim. */
  readonly token: number;
  readonly holder: string | null;
  /** Times the present step failed in a row. */
  readonly attempts: number;
  readonly activeMs: number;
  readonly error: string | null;
  readonly data: Json;
  readonly changedAtMs: number;
}

/** What one step did. */
export interface Taken {
  readonly work: string;
  readonly kind: WorkKind;
  readonly subject: string;
  readonly step: StepKind;
  /** One plain sentence. */
  readonly did: string;
  /** Whether the unit made progress; false if it only looked. */
  readonly moved: boolean;
  /** `taken` committed; `refused` found that something had changed; `failed` threw; others say why not. */
  readonly outcome: 'taken' | 'refused' | 'failed' | 'stopped' | 'held';
}

/** What a cycle reports about one failure, about a measure that shifted (only told), or what the weekly scan suggests to look at. */
export interface Finding {
  readonly title: string;
  readonly did: 'proposed' | 'declined' | 'told' | 'suggested' | 'passed_over';
  readonly why: string;
  readonly pattern: string | null;
  readonly proposal: string | null;
}

export interface CycleReport {
  readonly cycle: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly collected: { readonly events: number; readonly aside: number };
  /** The time of the newest event of all sources; null if there never was one. */
  readonly newestEventMs: number | null;
  readonly notes: readonly string[];
  readonly findings: readonly Finding[];
}
