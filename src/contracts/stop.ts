/** The kill switch. */
import { z } from 'zod';
import { reasonInput, type Wire } from './shapes.ts';

export const stopJson = z.strictObject({
  stopped: z.boolean(),
  reason: z.string(),
  changed: z.boolean(),
  /** Where the store could not be used: the file that stops everything, and why. */
  byFile: z.strictObject({ path: z.string(), because: z.string() }).nullable(),
});

/** Whoever stops everything in a hurry need not say why. */
export const stopInput = z.strictObject({ reason: reasonInput.default('no reason given') });

export type Stopped = Wire<typeof stopJson>;
