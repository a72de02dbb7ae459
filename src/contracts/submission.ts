/** What people and agents submit: changes and feedback. */
import { z } from 'zod';
import { CATEGORIES, PROPOSAL_STATES } from '../facts/index.ts';
import { count, idInput, limitInput, time, type Wire } from './shapes.ts';

export const proposeInput = z.strictObject({
  title: z.string().trim().min(1).max(120).describe('one line: what the change does'),
  rationale: z.string().trim().min(1).max(4000).describe('what goes wrong, and why this helps'),
  diff: z
    .string()
    .min(1)
    .max(1024 * 1024)
    .describe('a unified diff on the head of the target branch, as "git diff" writes it'),
  pattern: idInput.optional().describe('the id of the pattern that it answers; agents need one'),
  evidence: z.array(idInput).max(100).default([]).describe('ids of events, beside the pattern’s'),
  category: z.enum(CATEGORIES).default('bugfix'),
});
export type ProposeInput = Wire<typeof proposeInput>;

export const proposedJson = z.strictObject({
  id: z.string(),
  state: z.enum(PROPOSAL_STATES),
  digest: z.string(),
  /** What was done with it so far, in order. */
  did: z.array(z.string()),
});
export type Proposed = Wire<typeof proposedJson>;

export const feedbackInput = z.strictObject({
  text: z.string().trim().min(1).max(16_384).describe('what went wrong or could be better'),
  task: idInput.optional().describe('the task that it is about'),
});
export type FeedbackInput = Wire<typeof feedbackInput>;

export const feedbackReceivedJson = z.strictObject({
  id: z.string(),
  receivedAt: time,
  /** How many secrets and addresses were masked before it was kept. */
  masked: count,
  /** How many more this agent may hand in today. */
  left: count,
});
export type FeedbackReceived = Wire<typeof feedbackReceivedJson>;

export const feedbackListInput = z.strictObject({ limit: limitInput });
export type FeedbackListInput = Wire<typeof feedbackListInput>;

export const feedbackListJson = z.strictObject({
  feedback: z.array(
    z.strictObject({ id: z.string(), agent: z.string(), receivedAt: time, text: z.string() }),
  ),
});
export type FeedbackList = Wire<typeof feedbackListJson>;
