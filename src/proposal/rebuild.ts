/**
 * The kernel's tables from the ledger alone: what each entry did to the rows. Dropping the tables and
 * folding the ledger gives the same bytes (LEDGER-4), because rows keep nothing the ledger does not.
 */
import { canonicalJson } from '../base/index.ts';
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { StoredRow } from '../ledger/index.ts';
import type { Store, Write } from '../store/index.ts';
import { ATTESTATIONS, PROPOSALS } from './plans.ts';

/** How many changes each proposal has seen, while folding. */
export type Versions = Map<string, number>;

export const PROJECTED_TABLES = [PROPOSALS, ATTESTATIONS] as const;

export function projectEntry(entry: Entry, versions: Versions): Write[] {
  if (!entry.type.startsWith('proposal.')) return [];
  const id = entry.subject.slice('proposal:'.length);
  const atMs = Date.parse(entry.at);
  const version = versions.get(id) ?? 0;
  versions.set(id, version + 1);
  const moved = { version: version + 1, changed_at_ms: atMs };
  switch (entry.type) {
    case 'proposal.created': {
      const { contentDigest: digest, title } = entry.data as EntryPayload<'proposal.created'>;
      return [
        {
          insert: PROPOSALS,
          row: { id, ...moved, state: 'draft', digest, title, created_at_ms: atMs },
        },
      ];
    }
    case 'proposal.amended': {
      const { contentDigest: digest, title } = entry.data as EntryPayload<'proposal.amended'>;
      return [
        { update: PROPOSALS, where: { id }, set: { ...moved, state: 'draft', digest, title } },
      ];
    }
    case 'proposal.advanced': {
      const { to } = entry.data as EntryPayload<'proposal.advanced'>;
      return [{ update: PROPOSALS, where: { id }, set: { ...moved, state: to } }];
    }
    case 'proposal.attested': {
      const row = attestationRow(entry, id, version, atMs);
      return [
        { insert: ATTESTATIONS, row },
        { update: PROPOSALS, where: { id }, set: moved },
      ];
    }
    default:
      return [];
  }
}

/** All rows of one proposal, to be compared with those that its ledger entries give. */
export async function readRows(store: Store, id: string): Promise<StoredRow[]> {
  const [proposals, attestations] = await Promise.all([
    store.all(`SELECT * FROM ${PROPOSALS} WHERE id = ?`, [id]),
    store.all(`SELECT * FROM ${ATTESTATIONS} WHERE proposal_id = ?`, [id]),
  ]);
  return [
    ...proposals.map((row) => ({ table: PROPOSALS, row })),
    ...attestations.map((row) => ({ table: ATTESTATIONS, row })),
  ];
}

function attestationRow(entry: Entry, proposalId: string, position: number, atMs: number) {
  const data = entry.data as EntryPayload<'proposal.attested'>;
  const { attestationId, contentDigest, kind, verdict, ...scope } = data;
  return {
    id: attestationId,
    proposal_id: proposalId,
    position,
    kind,
    content_digest: contentDigest,
    verdict,
    scope: canonicalJson(scope),
    artifacts: canonicalJson(entry.artifacts),
    actor: canonicalJson(entry.actor),
    at_ms: atMs,
  };
}
