/** The kill switch. */
import { z } from 'zod';
import type { Wire } from './shapes.ts';

export const stopJson = z.strictObject({
  stopped: z.boolean(),
  reason: z.string(),
  changed: z.boolean(),
  /** Where the store could not be used: the file that stops everything, and why. */
  byFile: z.strictObject({ path: z.string(), because: z.string() }).nullable(),
});

export type Stopped = Wire<typeof stopJson>;
