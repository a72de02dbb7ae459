/**
 * What agents submitted, counted by agent, kind and day (UTC). The id is made of these and the number, so two that are
 * submitted at the same moment cannot both be the last that the limit allows: one is refused its turn, and counts again.
 */
import { type Artifact, artifactWrite } from '../artifact/index.ts';
import { type CleanText, isoTime, sha256Hex } from '../base/index.ts';
import { type Actor, comparedId, type EntryPayload, type SubmissionKind } from '../facts/index.ts';
import type { Plan, Row, Store, Write } from '../store/index.ts';

export const SUBMISSIONS = 'vet_submissions';

export interface Submission {
  readonly id: string;
  readonly agent: string;
  readonly contentDigest: string;
  readonly atMs: number;
}

export interface Submitting {
  readonly actor: Actor;
  readonly kind: SubmissionKind;
  /** What is kept: a diff, or a text that was cleaned. */
  readonly content: Artifact;
  readonly about: CleanText;
  /** The ledger's subject; the submission itself unless given. */
  readonly subject?: string;
  readonly nowMs: number;
  readonly perDay: number;
}

/** Another spelling is the same agent. One word, so that it fits an entry. */
const agentOf = ({ id }: Actor) => comparedId(id).replace(/\s/gu, '') || 'unknown';
const dayOf = (nowMs: number) => isoTime(nowMs).slice(0, 10);

export async function planSubmit(
  store: Store,
  { actor, kind, content, about, subject, nowMs, perDay }: Submitting,
): Promise<
  { readonly id: string; readonly left: number; readonly plan: Plan } | { refused: string }
> {
  const [agent, day] = [agentOf(actor), dayOf(nowMs)];
  const [row] = await store.all(
    `SELECT max(number) AS last FROM ${SUBMISSIONS} WHERE agent = ? AND kind = ? AND day = ?`,
    [agent, kind, day],
  );
  const number = Number(row?.['last'] ?? 0) + 1;
  if (number > perDay) {
    return {
      refused: `${actor.id} submitted ${number - 1} of this kind today; the limit is ${perDay} a day (vet.submissionsPerDay). Go on tomorrow (UTC).`,
    };
  }
  const id = `${kind}-${day}-${sha256Hex(agent).slice(0, 12)}-${number}`;
  const data = { submissionId: id, agent, kind, day, number, contentDigest: content.digest, about };
  return {
    id,
    left: perDay - number,
    plan: {
      expect: [{ table: SUBMISSIONS, where: { id }, exists: false, name: 'turn' }],
      writes: [artifactWrite(content, nowMs), submittedWrite(data, nowMs)],
      entries: [
        {
          type: 'vet.submitted',
          actor,
          subject: subject ?? `submission:${id}`,
          data,
          artifacts: [content.digest],
          atMs: nowMs,
        },
      ],
    },
  };
}

export function submittedWrite(
  { submissionId, agent, kind, day, number, contentDigest }: EntryPayload<'vet.submitted'>,
  atMs: number,
): Write {
  const row = { agent, kind, day, number, content_digest: contentDigest, at_ms: atMs };
  return { insert: SUBMISSIONS, row: { id: submissionId, ...row } };
}

/** The same bytes by the same agent on the same day: a call that was repeated because nobody heard the answer. */
export async function findSubmitted(
  store: Store,
  { actor, kind, content, nowMs }: Pick<Submitting, 'actor' | 'kind' | 'content' | 'nowMs'>,
): Promise<Submission | undefined> {
  const [row] = await store.all(
    `SELECT * FROM ${SUBMISSIONS} WHERE agent = ? AND kind = ? AND day = ? AND content_digest = ?`,
    [agentOf(actor), kind, dayOf(nowMs), content.digest],
  );
  return row === undefined ? undefined : submissionOf(row);
}

/** The newest first. */
export async function listSubmissions(
  store: Store,
  kind: SubmissionKind,
  limit: number,
): Promise<Submission[]> {
  const rows = await store.all(
    `SELECT * FROM ${SUBMISSIONS} WHERE kind = ? ORDER BY at_ms DESC, id DESC LIMIT ?`,
    [kind, limit],
  );
  return rows.map(submissionOf);
}

/** Those from then on, the oldest first. */
export async function submissionsFrom(
  store: Store,
  kind: SubmissionKind,
  { fromMs, limit }: { readonly fromMs: number; readonly limit: number },
): Promise<Submission[]> {
  const rows = await store.all(
    `SELECT * FROM ${SUBMISSIONS} WHERE kind = ? AND at_ms >= ? ORDER BY at_ms, id LIMIT ?`,
    [kind, fromMs, limit],
  );
  return rows.map(submissionOf);
}

const submissionOf = (row: Row): Submission => ({
  id: row['id'] as string,
  agent: row['agent'] as string,
  contentDigest: row['content_digest'] as string,
  atMs: Number(row['at_ms']),
});
