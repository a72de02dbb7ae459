/** Questions to people about single calls of tools, and pinned definitions of tools. */
import { z } from 'zod';
import { ESCALATION_CAUSES, TOOL_RISKS } from '../facts/index.ts';
import { flagInput, limitInput, reasonInput, time, type Wire } from './shapes.ts';

const askJson = z.strictObject({
  id: z.string(),
  state: z.enum(['waiting', 'approved', 'rejected', 'used', 'expired']),
  tool: z.string(),
  agent: z.string(),
  task: z.string().nullable(),
  session: z.string().nullable(),
  /** Of server, tool and arguments: what an answer is about. */
  digest: z.string(),
  why: z.string(),
  askedAt: time,
  expiresAt: time,
  answeredBy: z.string().nullable(),
  /** How whoever answered was verified. */
  verified: z.string().nullable(),
});

/** A task of an agent about which a person is asked: approved, it goes on. */
const askedTaskJson = z.strictObject({
  id: z.string(),
  title: z.string(),
  phase: z.string(),
  cause: z.enum(ESCALATION_CAUSES),
  why: z.string(),
  /** Of the task as it stands and why it was asked about: what an answer is about. */
  digest: z.string(),
  progressedAt: time,
});

export const asksListJson = z.strictObject({
  asks: z.array(askJson),
  tasks: z.array(askedTaskJson),
  /** How long questions about calls waited, of the last 30 days. */
  answers: z.strictObject({
    answered: z.number().int(),
    /** Those that were over before anybody answered. */
    unanswered: z.number().int(),
    /** Half of all were answered within this; null where fewer than half were answered. */
    medianMs: z.number().nullable(),
    aimMs: z.number().int(),
  }),
});
export const askShowJson = askJson.extend({
  /** The arguments, sanitised and cut. */
  arguments: z.string(),
  /** The commands that answer it; none where it was answered or is over. */
  commands: z.array(z.string()),
});
export const answeredJson = z.strictObject({
  id: z.string(),
  state: z.enum(['approved', 'rejected']),
  digest: z.string(),
  tool: z.string(),
  by: z.string(),
  verified: z.string(),
});

export const asksListInput = z.strictObject({
  all: flagInput.default(false),
  limit: limitInput,
});

const pinJson = z.strictObject({
  tool: z.string(),
  digest: z.string(),
  pinnedAt: time,
  /** What its contract says; null where it has none, and then each call waits for a person or is refused. */
  risk: z.enum(TOOL_RISKS).nullable(),
  /** A later definition, which waits to be accepted. */
  offered: z.string().nullable(),
});
export const toolsListJson = z.strictObject({
  tools: z.array(pinJson),
  /** How many of them have no contract. */
  uncontracted: z.number().int(),
});
export const toolShowJson = pinJson.extend({
  definition: z.string(),
  offeredDefinition: z.string().nullable(),
});
export const toolAcceptedJson = z.strictObject({ tool: z.string(), digest: z.string() });
export const toolAcceptInput = z.strictObject({
  /** Of the definition that you saw. */
  digest: z.string().max(100),
  reason: reasonInput,
});

export type AskList = Wire<typeof asksListJson>;
export type ShownAsk = Wire<typeof askShowJson>;
export type Answered = Wire<typeof answeredJson>;
export type AsksListInput = Wire<typeof asksListInput>;
export type ToolList = Wire<typeof toolsListJson>;
export type ShownTool = Wire<typeof toolShowJson>;
export type ToolAccepted = Wire<typeof toolAcceptedJson>;
export type ToolAcceptInput = Wire<typeof toolAcceptInput>;
