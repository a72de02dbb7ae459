/** The nouns of the room. */
import type { Actor, EntryDraft, EscalationCause } from '../facts/index.ts';
import type { Write } from '../store/index.ts';

export const TASK_STATES = ['open', 'done'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** Who may use which tools; pinned when the task begins. */
export interface TaskPersona {
  readonly name: string;
  readonly personaDigest: string;
  readonly tools: readonly string[];
}

export interface Task {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly process: string;
  readonly definitionDigest: string;
  readonly state: TaskState;
  /** Where it stands; the last one when it is done. */
  readonly phase: string;
  /** How often it went back. */
  readonly round: number;
  /** By phase: evidence of an earlier round does not count. */
  readonly freshFrom: Readonly<Record<string, number>>;
  readonly baseCommit: string | null;
  /** What the agents work on. Own evidence of another commit does not count. */
  readonly commit: string | null;
  readonly persona: TaskPersona | null;
  /** Who worked on it last. */
  readonly worker: string;
  /** How often each rule was broken since the last progress. */
  readonly violations: Readonly<Record<string, number>>;
  /** A person is asked, and why; null otherwise. */
  readonly escalated: EscalationCause | null;
  readonly escalatedWhy: string | null;
  readonly progressedAtMs: number;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** A prompt or an instruction file that is not what was attested for the task. */
export interface PromptDrift {
  /** `AGENTS.md`, or `prompt:<phase>`. */
  readonly what: string;
  readonly expectedDigest: string;
  readonly foundDigest: string | null;
}

/** Who does something to a task: the actor goes into the ledger, the worker holds the lease. */
export interface Doing {
  readonly actor: Actor;
  readonly worker: string;
}

/** What another room adds to the same commit, such as evidence that is handed in with a request. */
export interface PlanParts {
  readonly writes: readonly Write[];
  readonly entries: readonly EntryDraft[];
}
