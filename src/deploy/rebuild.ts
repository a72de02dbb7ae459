/** The deployments from the ledger alone: what each entry did to the rows (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { StoredRow } from '../ledger/index.ts';
import type { Store, Write } from '../store/index.ts';
import {
  DEPLOYMENTS,
  movedOutsideWrites,
  preparedWrite,
  revertWrite,
  stateWrite,
} from './deployment-store.ts';

export const PROJECTED_TABLES = [DEPLOYMENTS] as const;

/** One deployment's rows as they stand, whole, to be compared with what the ledger makes of its entries. */
export async function readRows(store: Store, proposalId: string): Promise<StoredRow[]> {
  const rows = await store.all(`SELECT * FROM ${DEPLOYMENTS} WHERE proposal_id = ?`, [proposalId]);
  return rows.map((row) => ({ table: DEPLOYMENTS, row }));
}

export function projectEntry(entry: Entry): Write[] {
  const atMs = Date.parse(entry.at);
  const proposalId = entry.subject.slice('proposal:'.length);
  switch (entry.type) {
    case 'deploy.prepared': {
      const { patchCommit: commit, ...names } = entry.data as EntryPayload<'deploy.prepared'>;
      return [preparedWrite({ proposalId, commit, ...names }, atMs)];
    }
    case 'deploy.moved_outside': {
      const {
        fromCommit: baseCommit,
        toCommit: commit,
        ...names
      } = entry.data as EntryPayload<'deploy.moved_outside'>;
      return movedOutsideWrites({ proposalId, baseCommit, commit, ...names }, atMs);
    }
    case 'deploy.moved':
      return [stateWrite(proposalId, 'moved', atMs)];
    case 'deploy.revert_planned': {
      const { ontoCommit: onto, revertCommit: commit } =
        entry.data as EntryPayload<'deploy.revert_planned'>;
      return [revertWrite(proposalId, { onto, commit }, atMs)];
    }
    case 'deploy.reverted':
      return [stateWrite(proposalId, 'reverted', atMs)];
    default:
      return [];
  }
}
