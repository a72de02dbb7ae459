/** What several contracts are made of. */
import { z } from 'zod';

/** What a schema describes. Nobody changes it on its way from a use case to a door. */
export type Wire<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

type Frozen<T> = T extends readonly (infer Element)[]
  ? readonly Frozen<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

export const time = z.iso.datetime();
export const count = z.int().min(0);

/** Also from a query, where everything is text. */
export const countInput = z.coerce.number().int().min(0);
/** Yes or no, from a query. */
export const flagInput = z.enum(['true', 'false']).transform((word) => word === 'true');
/** At most so many. */
export const limitInput = z.coerce.number().int().min(1).max(1000).default(20);
/** Where a page of a list ends, for the next one's `before`; null on the last page. */
export const nextPage = z.string().nullable();
/** What a person says for the record; more is not kept. */
export const reasonInput = z.string().max(1000);
export const idInput = z.string().min(1).max(200);

export const actor = z.strictObject({ kind: z.string(), id: z.string(), verified: z.string() });

/** How hone.yaml relates to what was accepted. */
export const configurationState = z.enum([
  'accepted',
  'edited',
  'missing',
  'outdated',
  'unreadable',
  'superseded',
]);
