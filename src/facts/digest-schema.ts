/** The names of bytes. */
import { z } from 'zod';
import type { Digest } from '../base/index.ts';

export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .transform((text) => text as Digest);
