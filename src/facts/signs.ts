/** What a change can do to the calls that it is about, as its generator says: the watch judges it by that. */
import type { z } from 'zod';
import type { signsSchema } from './signs-schema.ts';

export const DIRECTIONS = ['less', 'same', 'more'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export type Signs = z.infer<typeof signsSchema>;
