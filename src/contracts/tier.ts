/** Tiers that may decide without a person, and the baseline they begin from. */
import { z } from 'zod';
import { count, reasonInput, time, type Wire } from './shapes.ts';

const share = z.number().min(0).max(1);

export const baselineJson = z.strictObject({
  verdict: z.enum(['stable', 'unstable', 'too_short']),
  daysNeeded: count,
  daysSeen: count,
  calls: count,
  failureRate: share.nullable(),
  /** Of single days. */
  lowestDay: share.nullable(),
  highestDay: share.nullable(),
  /** Of calls that ended well, on average. */
  latencyMs: z.number().nullable(),
  why: z.string(),
});

export const tierListJson = z.strictObject({
  tiers: z.array(
    z.strictObject({ tier: z.enum(['auto', 'notify']), decides: z.enum(['hone', 'person']) }),
  ),
  /** The change that was taken back for its harm: nothing is automatic until an operator resets it. */
  pausedBy: z.string().nullable(),
  /** Rollbacks before this no longer pause; null where no tier was ever switched on. */
  since: time.nullable(),
  /** Changes of the last 24 hours that no person decided, and how many may be. */
  used: count,
  limit: count,
  /** Null where the telemetry cannot be read. */
  baseline: baselineJson.nullable(),
});

export const tierSetInput = z.strictObject({
  reason: reasonInput,
  /** Also where the baseline is not stable. */
  evenUnstable: z.boolean().default(false),
});
export const tierSetJson = tierListJson.extend({
  /** False where the notices could not be sent yet. */
  told: z.boolean(),
});

export type TierList = Wire<typeof tierListJson>;
export type TierSet = Wire<typeof tierSetJson>;
export type TierSetInput = Wire<typeof tierSetInput>;
