/** What the decoder remembers from line to line: plain JSON, bounded. */
import type { Failed, Waiting } from '../transcripts/calls.ts';
import { type Conversation, SILENT } from '../transcripts/conversation.ts';

export type CodexState = {
  /** Null before the session's first line. */
  readonly session: string | null;
  readonly startMs: number | null;
  readonly version: string | null;
  readonly agent: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly turn: string | null;
  /** Null until a line said where it works. */
  readonly isTaken: boolean | null;
  readonly isFork: boolean;
  /** What it is told comes from another agent, not from a person. */
  readonly isSub: boolean;
  /** While lines are copies of another session's: when the last one was written. */
  readonly copiedMs: number | null;
  readonly waiting: readonly Waiting[];
  readonly seen: readonly number[];
  readonly failed: Failed | null;
  readonly talk: Conversation;
  /** When the model was last given something. */
  readonly inputMs: number | null;
  /** Tokens of the whole session, by which a count that is written again is recognised. */
  readonly total: number | null;
  readonly replies: number;
};

export const START: CodexState = {
  session: null,
  startMs: null,
  version: null,
  agent: null,
  provider: null,
  model: null,
  turn: null,
  isTaken: null,
  isFork: false,
  isSub: false,
  copiedMs: null,
  waiting: [],
  seen: [],
  failed: null,
  talk: SILENT,
  inputMs: null,
  total: null,
  replies: 0,
};
