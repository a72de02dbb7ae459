/** What the policy pack found in a patch. */
import { z } from 'zod';
import { count, type Wire } from './shapes.ts';

export const policyCheckJson = z.strictObject({
  /** Files that it touches. */
  files: count,
  findings: z.array(
    z.strictObject({
      rule: z.string(),
      path: z.string().nullable(),
      /** In the file as it would be, from 1. */
      line: count.nullable(),
      message: z.string(),
    }),
  ),
});

export type PolicyCheck = Wire<typeof policyCheckJson>;
