/** The nouns of the room, and what it needs of others. */
import type { Digest, Json } from '../base/index.ts';
import type { TaskContext, ToolRisk } from '../facts/index.ts';
import type { Switched } from '../policy/at-start.ts';

/** What is asked of the gateway: one call of one tool. Everything in it but `server` is the agent's or the server's. */
export interface Call {
  /** As the person who configured the gateway or the hook named it, never as the server calls itself. */
  readonly server: string;
  readonly tool: string;
  readonly arguments: Json;
  /** Other data that goes with the call to its server. */
  readonly beside?: Json | undefined;
  /**
   * What is known of the tool's definition: `changed` since it was pinned; `unlisted`: its server does not list it;
   * `unpinned`: the caller sees no definitions.
   */
  readonly definition: 'pinned' | 'changed' | 'unlisted' | 'unpinned';
  /** The variable by which other code was loaded into the process that judges; undefined where none was. */
  readonly foreign?: string | undefined;
  /** Why the arguments do not fit the tool's input schema; undefined where they do, or where there is none. */
  readonly misfit?: string | undefined;
}

/** Limits on one argument. Patterns have `*` for anything. */
export interface ArgumentLimit {
  readonly maxLength?: number | undefined;
  readonly oneOf?: readonly string[] | undefined;
  /** Paths that it has to match, as patterns of paths. */
  readonly within?: readonly string[] | undefined;
  /** Texts that it must not match. White space is compared as one space. */
  readonly never?: readonly string[] | undefined;
}

export const SENDING = ['always', 'maybe', 'never'] as const;
/** Whether what a tool is given leaves the machine. */
export type Sending = (typeof SENDING)[number];

export interface Contract {
  /** `server/tool`, with `*` for anything. */
  readonly tool: string;
  readonly risk: ToolRisk;
  /** The gate's mode unless given. */
  readonly mode?: 'observe' | 'enforce' | undefined;
  readonly sends: Sending;
  readonly maxArguments: number;
  readonly maxOutput: number;
  readonly arguments: Readonly<Record<string, ArgumentLimit>>;
  /** Arguments whose values are in no log and in no question to a person. */
  readonly redact: readonly string[];
}

/** Calls that are harmless one by one: after the first, the second has this level. */
export interface Combination {
  readonly name: string;
  /** `secret`: something secret was read; else a pattern of tools. */
  readonly after: string;
  /** `sends`: a tool that sends data out; else a pattern of tools. */
  readonly next: string;
  readonly level: 'ask' | 'block';
}

export interface GatewaySettings {
  readonly contracts: readonly Contract[];
  readonly combinations: readonly Combination[];
  readonly guardedPaths: readonly string[];
  readonly uncontracted: 'ask' | 'block';
  readonly requireTask: boolean;
  readonly answersNeed: 'token' | 'local';
  /** How long a question waits, and how long its answer counts. */
  /** Whether the client of the agent may ask its user; what they say counts as `local`. */
  readonly askInClient: boolean;
  readonly askExpires: number;
  /** How long it is remembered what a session did. */
  readonly remember: number;
}

/** 0 passes, 1 passes and is recorded, 2 waits for a person, 3 never passes. */
export type Level = 0 | 1 | 2 | 3;

const REASON_CODES = [
  'bad_name',
  'blocked',
  'high_risk',
  'no_contract',
  'no_task',
  'wrong_phase',
  'not_in_persona',
  'definition_changed',
  'not_listed',
  'foreign_code',
  'bad_arguments',
  'arguments_too_large',
  'argument_limit',
  'destructive',
  'combination',
  'secret_sent',
  'secret_read',
  'logged',
  'rejected',
  'undecided',
] as const;
type ReasonCode = (typeof REASON_CODES)[number];

export interface Reason {
  readonly code: ReasonCode;
  readonly level: Level;
  /** A sentence. It may name the tool, a path or a limit; never a value of an argument. */
  readonly text: string;
}

export interface Decision {
  readonly level: Level;
  readonly risk: ToolRisk;
  /** Every one that lifted it, the weightiest first; empty at level 0. */
  readonly reasons: readonly Reason[];
  /** What the session will have done once this call passed. */
  readonly marks: readonly string[];
}

/** What is known of the session, beside the call. */
export interface History {
  readonly marks: ReadonlySet<string>;
  /** The arguments hold something that the sanitiser knows as a secret. */
  readonly argumentsHoldSecret: boolean;
}

/** Who calls: a session of a client, or the task that the gateway was started for. */
export interface Caller {
  readonly agent: string;
  /** Undefined: it may be any session. */
  readonly session: string | undefined;
  readonly task: string | undefined;
}

/** What the tasks' room tells; none where there is no such task. */
export interface TaskContexts {
  ofTask(id: string): Promise<TaskContext | undefined>;
  ofSession(id: string): Promise<TaskContext | undefined>;
}

/** What holds for a caller at the moment of a judgement. */
export interface Standing {
  /** The gate's mode. */
  readonly switched: Switched;
  readonly context: TaskContext | undefined;
}

export const ASK_STATES = ['waiting', 'approved', 'rejected', 'used', 'expired'] as const;
export type AskState = (typeof ASK_STATES)[number];

/** A question to a person: may this one call be made, with these arguments? */
export interface Ask {
  readonly id: string;
  readonly subject: string;
  readonly session: string | null;
  readonly taskId: string | null;
  readonly agent: string;
  readonly tool: string;
  /** Of server, tool and arguments: what an answer is about. */
  readonly callDigest: Digest;
  readonly why: string;
  /** The arguments as they may be shown. */
  readonly shown: string;
  readonly state: AskState;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  readonly answeredBy: string | null;
  readonly verified: string | null;
  readonly answeredAtMs: number | null;
}

export interface Pin {
  /** `server/tool`. */
  readonly name: string;
  readonly definitionDigest: Digest;
  readonly pinnedAtMs: number;
  /** A definition that came later and waits to be accepted. */
  readonly offeredDigest: Digest | null;
}

/** The verdict on one call. */
export interface Verdict {
  readonly passes: boolean;
  readonly level: Level;
  readonly reasons: readonly Reason[];
  readonly observed: boolean;
  /** The question that waits for a person. */
  readonly ask?:
    | Pick<Ask, 'id' | 'callDigest' | 'expiresAtMs' | 'tool' | 'why' | 'shown'>
    | undefined;
  readonly maxOutput: number;
  readonly context: TaskContext | undefined;
}
