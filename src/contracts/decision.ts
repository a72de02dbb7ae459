/** What people do to proposals. */
import { z } from 'zod';
import { PROPOSAL_STATES } from '../facts/index.ts';
import { reasonInput, type Wire } from './shapes.ts';

/** `hone approve`, `hone reject`, `hone rollback`, `hone settle`, `hone proposals release`. */
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
/** `reject`, `rollback` and `release`. */
export const becauseInput = z.strictObject({ reason: reasonInput });
export const settleInput = z.strictObject({
  /** What became of it: it stays, or you took it back. */
  settlement: z.enum(['kept', 'reverted']),
  reason: reasonInput,
});

export type Decided = Wire<typeof decidedJson>;
export type ApproveInput = Wire<typeof approveInput>;
export type BecauseInput = Wire<typeof becauseInput>;
export type SettleInput = Wire<typeof settleInput>;
