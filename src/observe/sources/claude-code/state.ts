/** What the decoder remembers from line to line: plain JSON, bounded. */
import type { Failed, Waiting } from '../transcripts/calls.ts';
import { type Conversation, SILENT } from '../transcripts/conversation.ts';

/** A file holds one session, and with older releases its sub-agents. */
const CHAINS_MAX = 12;
const SIDES_MAX = 16;

/** A response of the model of which more lines may come: it is written block by block. */
export type Reply = {
  readonly id: number;
  readonly span: string;
  readonly fromMs: number | null;
  readonly atMs: number;
  readonly endMs: number;
  readonly model: string | null;
  readonly provider: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
};

/** One conversation: the session's own, or a sub-agent's. */
export type Chain = {
  readonly key: number;
  /** Null until a line said where it works. */
  readonly isTaken: boolean | null;
  /** Its agent's type, where a line said so. */
  readonly agent: string | null;
  /** When the model was last given something. */
  readonly inputMs: number | null;
  readonly reply: Reply | null;
  readonly failed: Failed | null;
  readonly talk: Conversation;
};

/** A sub-agent's lines in the main file of older releases, which do not name it: found by following the lines. */
export type Side = {
  readonly leaf: number;
  readonly agent: string;
  /** The call that started it. */
  readonly span: string;
};

/** A call that starts a sub-agent, and the number of its prompt: the sub-agent's first line repeats it. */
export type Spawn = {
  readonly prompt: number;
  readonly agent: string;
  readonly span: string;
};

export type ClaudeState = {
  /** Whether a line of the file's own session was seen. */
  readonly hadOwn: boolean;
  readonly waiting: readonly Waiting[];
  readonly seen: readonly number[];
  readonly chains: readonly Chain[];
  readonly sides: readonly Side[];
  readonly spawns: readonly Spawn[];
};

export const START: ClaudeState = {
  hadOwn: false,
  waiting: [],
  seen: [],
  chains: [],
  sides: [],
  spawns: [],
};

export function newChain(key: number): Chain {
  return {
    key,
    isTaken: null,
    agent: null,
    inputMs: null,
    reply: null,
    failed: null,
    talk: SILENT,
  };
}

/** The one used last is kept longest. */
export function withChain(chains: readonly Chain[], chain: Chain): readonly Chain[] {
  return [...chains.filter(({ key }) => key !== chain.key).slice(1 - CHAINS_MAX), chain];
}

export function withSide(sides: readonly Side[], side: Side, before?: Side): readonly Side[] {
  return [...sides.filter((one) => one !== before).slice(1 - SIDES_MAX), side];
}

export function withSpawn(spawns: readonly Spawn[], spawn: Spawn): readonly Spawn[] {
  return [...spawns.slice(1 - SIDES_MAX), spawn];
}
