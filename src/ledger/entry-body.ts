/**
 * An entry's bytes: the canonical JSON that is hashed into the tree. The keys are in RFC 8785's order
 * (actor, artifacts, at, data, subject, type, v); `subjectMatches` relies on it.
 */
import assert from 'node:assert';
import { canonicalJson, isoTime, type Json } from '../base/index.ts';
import { type Entry, type EntryDraft, entryPayloads, entrySchema } from '../facts/index.ts';
import { LedgerError } from './errors.ts';

export const BODY_BYTES_MAX = 64 * 1024;

/** Checks the payload against its schema: what is in the ledger stays there. */
export function entryBody(draft: EntryDraft, nowMs: number): string {
  const data = entryPayloads[draft.type].safeParse(draft.data);
  if (!data.success) {
    const problems = data.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new LedgerError('bad_payload', `${draft.type}: ${problems.join('; ')}`);
  }
  const body = canonicalJson({
    v: 1,
    at: isoTime(draft.atMs ?? nowMs),
    type: draft.type,
    actor: draft.actor,
    subject: draft.subject,
    data: data.data as Json,
    artifacts: draft.artifacts ?? [],
  });
  assert(draft.subject.includes(':'), `a subject is <kind>:<id>, not ${draft.subject}`);
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

/** Whether the row's subject is the one in the body. No parsing: `verify` does it for every entry. */
export function subjectMatches(body: string, subject: string): boolean {
  const at = body.lastIndexOf(',"subject":');
  return at >= 0 && body.startsWith(`,"subject":${JSON.stringify(subject)},"type":"`, at);
}
