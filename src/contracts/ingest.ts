/** Reading files into an installation, and writing its events out again. */
import { z } from 'zod';
import { count, time, type Wire } from './shapes.ts';

export const ingestJson = z.strictObject({
  /** What was read, each under the name of its source. */
  sources: z.array(
    z.strictObject({ name: z.string(), kind: z.string(), what: z.string(), files: count }),
  ),
  events: count,
  aside: count,
  bytes: count,
  /** Stopped before everything was read; the same command continues there. */
  interrupted: z.boolean(),
  notRecognised: z.array(
    z.strictObject({ looksLike: z.string(), files: count, example: z.string() }),
  ),
  unreadable: count,
  notes: z.array(z.string()),
});

export const collectJson = z.strictObject({
  output: z.string(),
  events: count,
  from: time,
  to: time,
  /** What was read from the sources before. */
  collected: z.strictObject({ events: count, aside: count }),
  /** Files of earlier runs that were older than what is kept. */
  removed: z.array(z.string()),
  /** Such files that somebody changed since; they stay. */
  changed: z.array(z.string()),
});

export type Ingested = Wire<typeof ingestJson>;
export type CollectedEvents = Wire<typeof collectJson>;

export const ingestFilesInput = z.strictObject({
  /** A file or folder of the machine that Hone runs on. */
  place: z.string().min(2).max(4000),
  format: z.string().max(100).optional(),
  since: z.string().max(100).optional(),
  as: z.string().max(100).optional(),
});

export interface IngestInput {
  /** A file, a folder, or `-` for standard input. */
  readonly place: string;
  readonly format?: string | undefined;
  readonly since?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly as?: string | undefined;
}

export interface CollectInput {
  readonly since: string;
  readonly output: string;
  readonly keep: string;
}
