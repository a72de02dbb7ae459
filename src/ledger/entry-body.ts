/** An entry that was checked against its schema, as bytes; and bytes as an entry. */
import { type ZodError, z } from 'zod';
import type { Json } from '../base/index.ts';
import type { Entry, EntryDraft, EntryType } from '../facts/index.ts';
import { entryPayloads, entrySchema } from '../facts/schemas.ts';
import { bodyText } from './body-text.ts';
import { LedgerError } from './errors.ts';

/** What the writer is given, of each type. Time, version and type are ours. */
const draftSchemas = new Map<EntryType, ReturnType<typeof draftSchema>>();

function draftSchema(type: EntryType) {
  const { actor, artifacts, subject } = entrySchema.shape;
  return z.object({ actor, artifacts, data: entryPayloads[type], subject });
}

/** Checks everything against its schema: what is in the ledger stays there, and must be readable. */
export function entryBody(draft: EntryDraft, nowMs: number): string {
  const { type, actor, subject, artifacts = [], data } = draft;
  let schema = draftSchemas.get(type);
  if (schema === undefined) {
    schema = draftSchema(type);
    draftSchemas.set(type, schema);
  }
  const checked = schema.safeParse({ actor, artifacts, data, subject });
  if (!checked.success) throw badPayload(type, checked.error);
  const { data: given, ...rest } = checked.data;
  return bodyText({ type, atMs: draft.atMs ?? nowMs, data: given as Json, ...rest });
}

export function parseBody(body: string): Entry {
  return entrySchema.parse(JSON.parse(body));
}

function badPayload(type: string, error: ZodError): LedgerError {
  const problems = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return new LedgerError('bad_payload', `${type}: ${problems.join('; ')}`);
}
