/** Sources: what each brought, and what is wrong with it. */
import { z } from 'zod';
import { configurationState, count, time, type Wire } from './shapes.ts';

export const sourceJson = z.strictObject({
  name: z.string(),
  /** Null for a source that is not configured any more. */
  kind: z.string().nullable(),
  /** Where it reads; null for one that is not configured any more, and for what is sent. */
  path: z.string().nullable(),
  exists: z.boolean(),
  files: count,
  notes: z.array(z.string()),
  /** Why it could not be read just now. */
  lastError: z.string().nullable(),
  events: count,
  /** Of the last 24 hours. */
  eventsPerHour: z.number().min(0),
  /** Lines kept aside since ever; reasons are those of the newest 10 000. */
  aside: count,
  /** Events whose names came beyond a source's bound and are counted as `(other)`. */
  folded: count,
  /** Events that were counted and not kept, because observing cost too much. */
  sampled: count,
  /** What observing cost lately, of what was observed; null where that is not known. */
  overheadShare: z.number().nullable(),
  lastEventAt: time.nullable(),
  lastReadAt: time.nullable(),
  reasons: z.array(
    z.strictObject({
      reason: z.string(),
      detail: z.string(),
      lines: count,
      /** The place of the newest of them; its text is never shown. */
      last: z.strictObject({
        file: z.string(),
        line: count.nullable(),
        byteOffset: count,
        seenAt: time,
      }),
    }),
  ),
});

export const sourcesListJson = z.strictObject({
  configuration: configurationState,
  sources: z.array(sourceJson),
});

export const sourcesCheckJson = z.strictObject({
  configuration: configurationState,
  sources: z.array(
    sourceJson.extend({
      /** What is wrong, and what to do; empty if nothing is. */
      problems: z.array(z.string()),
      /** Some of its files, as Hone recognises them. */
      found: z.array(z.strictObject({ file: z.string(), what: z.string() })),
    }),
  ),
});

const shownEventJson = z.strictObject({
  at: time,
  kind: z.string(),
  /** The event as Hone keeps it, sanitised. */
  event: z.record(z.string(), z.unknown()),
});

/** What `hone sources add` found and did. */
export const sourceAddedJson = z.strictObject({
  /** As it stands in `observe.sources`; null for a receiver, which needs no entry. */
  entry: z.record(z.string(), z.unknown()).nullable(),
  what: z.string(),
  /** Other kinds that would do as well. */
  others: z.array(z.string()),
  files: count,
  /** The newest three as Hone would keep them. */
  events: z.array(shownEventJson),
  eventsSeen: count,
  asideSeen: count,
  reasons: z.array(z.strictObject({ detail: z.string(), lines: count })),
  written: z.boolean(),
  configPath: z.string(),
  /** What to set in whoever sends telemetry; lines to copy. */
  exporter: z.array(z.string()),
  next: z.array(z.string()),
});

export type SourcesList = Wire<typeof sourcesListJson>;
export type SourcesCheck = Wire<typeof sourcesCheckJson>;
export type SourceAdded = Wire<typeof sourceAddedJson>;

export const sourceAddInput = z.strictObject({
  /** A file or folder of the machine that Hone runs on, or the address of a receiver. */
  place: z.string().min(1).max(4000),
  kind: z.string().max(100).optional(),
  name: z.string().max(100).optional(),
  dryRun: z.boolean().optional(),
});
export type SourceAddInput = Wire<typeof sourceAddInput>;
