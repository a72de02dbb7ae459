/** The names of bytes. */
import { z } from 'zod';
import type { Digest } from '../base/index.ts';

/** Its type is narrowed without a transform, which no JSON Schema can show. */
export const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/) as unknown as z.ZodType<
  Digest,
  string
>;
