/** What the policy pack found in a patch. */
import { z } from 'zod';
import { count, type Wire } from './shapes.ts';

export const policyCheckJson = z.strictObject({
  /** Files that it touches. */
  files: count,
  findings: z.array(
    z.strictObject({
      rule: z.string(),
      /** `error` refuses the patch; `warning` is for a person to decide. */
      level: z.enum(['error', 'warning']),
      path: z.string().nullable(),
      /** In the file as it would be, from 1. */
      line: count.nullable(),
      message: z.string(),
    }),
  ),
});

export const policyCheckInput = z.strictObject({
  /** A unified diff on the commit that is checked out. */
  diff: z
    .string()
    .max(1024 * 1024)
    .optional(),
  /** `base..head`. */
  range: z.string().max(500).optional(),
});

export type PolicyCheck = Wire<typeof policyCheckJson>;
