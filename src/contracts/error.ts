/** What every door answers when it cannot do what was asked. */
import { z } from 'zod';
import type { Wire } from './shapes.ts';

export const errorJson = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    hint: z.string().nullable(),
  }),
});

export type ErrorAnswer = Wire<typeof errorJson>;
