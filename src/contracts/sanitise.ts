/** What the sanitiser replaced in a text. */
import { z } from 'zod';
import { count, type Wire } from './shapes.ts';

export const sanitizeJson = z.strictObject({
  lines: count,
  replaced: count,
  /** Most first. */
  kinds: z.array(
    z.strictObject({
      kind: z.string(),
      count,
      /** The first of its lines, from 1. Never what stood there. */
      lines: z.array(count),
    }),
  ),
  /** Pieces that the sanitiser could not finish, or that are one word of enormous length: left out whole. */
  leftOut: count,
  version: count,
});

export const sanitizeInput = z.strictObject({ text: z.string().max(1024 * 1024) });
export const sanitizedJson = sanitizeJson.extend({ text: z.string() });

export type SanitisedText = Wire<typeof sanitizedJson>;
export type SanitiseReport = Wire<typeof sanitizeJson>;
