/** The checks of everything Hone depends on. */
import { z } from 'zod';
import type { Wire } from './shapes.ts';

export const doctorJson = z.strictObject({
  /** Nothing worse than a warning. */
  healthy: z.boolean(),
  findings: z.array(
    z.strictObject({
      check: z.string(),
      state: z.enum(['ok', 'warning', 'error']),
      text: z.string(),
      remedy: z.string().nullable(),
    }),
  ),
  /** Checks that need what is not there, such as the store. */
  skipped: z.array(z.string()),
});

export type Diagnosis = Wire<typeof doctorJson>;
