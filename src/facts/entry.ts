/** Ledger entries, as rooms write and read them. Their schemas are in `entry-schema.ts`. */
import type { z } from 'zod';
import type { Actor } from './actor.ts';
import type { entryPayloads, entrySchema } from './entry-schema.ts';

export type EntryType = keyof typeof entryPayloads;
export type EntryPayload<T extends EntryType> = z.input<(typeof entryPayloads)[T]>;

/** What a room hands to `store.commit`. */
export type EntryDraft = {
  [T in EntryType]: {
    readonly type: T;
    readonly actor: Actor;
    /** `<kind>:<id>`, such as `proposal:p_01…`. */
    readonly subject: string;
    readonly data: EntryPayload<T>;
    readonly artifacts?: readonly string[];
    /** Given where a row keeps the same time; else the ledger takes the time of the commit. */
    readonly atMs?: number;
  };
}[EntryType];

/** An entry as it is in the ledger. */
export type Entry = z.infer<typeof entrySchema>;

export function entryOwner(type: EntryType): string {
  return type.slice(0, type.indexOf('.'));
}
