/**
 * An entry's bytes: the canonical JSON that is hashed into the tree. The keys are in RFC 8785's order
 * (actor, artifacts, at, data, subject, type, v); `subjectMatches` relies on it.
 */
import { type ZodError, z } from 'zod';
import { canonicalJson, isoTime, type Json } from '../base/index.ts';
import type { Entry, EntryDraft, EntryType } from '../facts/index.ts';
import { entryPayloads, entrySchema } from '../facts/schemas.ts';
import { LedgerError } from './errors.ts';

export const BODY_BYTES_MAX = 64 * 1024;
/** The end of the year 9999: later ones are written in a way of their own, which no reader takes. */
const TIME_MS_MAX = 253_402_300_799_999;
/** The last time that can be written down at all. */
const DATE_MS_MAX = 8_640_000_000_000_000;

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
  const atMs = draft.atMs ?? nowMs;
  if (!(atMs >= 0 && atMs <= TIME_MS_MAX)) throw badTime(atMs);
  const at = isoTime(atMs);
  const body = canonicalJson({
    actor: checked.data.actor,
    artifacts: checked.data.artifacts,
    at,
    data: checked.data.data as Json,
    subject: checked.data.subject,
    type,
    v: 1,
  });
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) {
    throw new LedgerError('too_large', `A ${draft.type} entry would take more than 64 KiB.`, {
      hint: 'Put the large part into an artifact and name its digest.',
    });
  }
  return body;
}

export function parseBody(body: string): Entry {
  return entrySchema.parse(JSON.parse(body));
}

function badTime(atMs: number): LedgerError {
  const time = Math.abs(atMs) <= DATE_MS_MAX ? isoTime(atMs) : `${atMs} ms`;
  return new LedgerError('bad_time', `The clock says ${time}, which cannot be right.`, {
    hint: 'Nothing was recorded. Set the clock of this machine (and of the database, if it is on another one), then try again.',
  });
}

function badPayload(type: string, error: ZodError): LedgerError {
  const problems = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return new LedgerError('bad_payload', `${type}: ${problems.join('; ')}`);
}
