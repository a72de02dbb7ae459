/** What people do to proposals. */
import { z } from 'zod';
import { PROPOSAL_STATES } from '../facts/index.ts';
import { reasonInput, type Wire } from './shapes.ts';

/** `hone approve`, `hone reject`, `hone rollback`, `hone settle`, and what `hone proposals` does to one. */
export const decidedJson = z.strictObject({
  id: z.string(),
  state: z.enum(PROPOSAL_STATES),
  digest: z.string(),
  did: z.array(z.string()),
  /** What was asked for came about, or is on its way. */
  done: z.boolean(),
  /** If an approval did not count and a decision is requested again: the command that approves the current version. */
  decideAgain: z.string().nullable(),
});

export const approveInput = z.strictObject({
  /** What you saw: enough of the digest's first characters. */
  digest: z.string().max(100),
  reason: reasonInput.default(''),
});
export const rejectInput = z.strictObject({
  /** What you saw, if it must still be that: enough of the digest's first characters. */
  digest: z.string().max(100).optional(),
  reason: reasonInput,
});
/** `rollback`, `release`, `request-changes`, `escalate`, `pause`, `resume` and `abort`. */
export const becauseInput = z.strictObject({ reason: reasonInput });
/** `hone proposals modify`: other bytes for the same change. */
/** A unified diff on the proposal's base commit. */
const editedDiff = z
  .string()
  .min(1)
  .max(1024 * 1024);

export const checkEditInput = z.strictObject({ diff: editedDiff });

export const modifyInput = z.strictObject({
  diff: editedDiff,
  /** What you saw: enough of the digest's first characters. */
  digest: z.string().max(100),
  /** In place of the present one. */
  title: z.string().min(1).max(120).optional(),
  reason: reasonInput,
});
export const settleInput = z.strictObject({
  /** What became of it: it stays, or you took it back. */
  settlement: z.enum(['kept', 'reverted']),
  reason: reasonInput,
});

export type Decided = Wire<typeof decidedJson>;
export type ApproveInput = Wire<typeof approveInput>;
export type RejectInput = Wire<typeof rejectInput>;
export type BecauseInput = Wire<typeof becauseInput>;
export type CheckEditInput = Wire<typeof checkEditInput>;
export type ModifyInput = Wire<typeof modifyInput>;
export type SettleInput = Wire<typeof settleInput>;
