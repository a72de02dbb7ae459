/**
 * An entry's bytes: the canonical JSON that is hashed into the tree. The keys are in RFC 8785's order
 * (actor, artifacts, at, data, subject, type, v); `subjectMatches` relies on it.
 */
import type { ZodError } from 'zod';
import { canonicalJson, isoTime, type Json } from '../base/index.ts';
import type { Entry, EntryDraft } from '../facts/index.ts';
import { entryPayloads, entrySchema } from '../facts/schemas.ts';
import { LedgerError } from './errors.ts';

export const BODY_BYTES_MAX = 64 * 1024;

/** What surrounds the payload. Time, version and type are ours. */
const envelopeSchema = entrySchema.pick({ actor: true, subject: true, artifacts: true });

/** Checks everything against its schema: what is in the ledger stays there, and must be readable. */
export function entryBody(draft: EntryDraft, nowMs: number): string {
  const { type, actor, subject, artifacts = [] } = draft;
  const data = entryPayloads[type].safeParse(draft.data);
  if (!data.success) throw badPayload(type, data.error);
  const envelope = envelopeSchema.safeParse({ actor, subject, artifacts });
  if (!envelope.success) throw badPayload(type, envelope.error);
  // The keys stand in RFC 8785's order; the parts that vary in shape are made canonical one by one.
  const body =
    `{"actor":${canonicalJson(actor)},"artifacts":${canonicalJson(artifacts)},` +
    `"at":"${isoTime(draft.atMs ?? nowMs)}","data":${canonicalJson(data.data as Json)},` +
    `"subject":${canonicalJson(subject)},"type":"${type}","v":1}`;
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

function badPayload(type: string, error: ZodError): LedgerError {
  const problems = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return new LedgerError('bad_payload', `${type}: ${problems.join('; ')}`);
}
