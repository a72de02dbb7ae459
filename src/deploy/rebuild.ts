/** The deployments from the ledger alone: what each entry did to the rows (LEDGER-4). */
import type { Entry, EntryPayload } from '../facts/index.ts';
import type { Write } from '../store/index.ts';
import { DEPLOYMENTS, preparedWrite, revertWrite, stateWrite } from './deployment-store.ts';

export const PROJECTED_TABLES = [DEPLOYMENTS] as const;

export function projectEntry(entry: Entry): Write[] {
  const atMs = Date.parse(entry.at);
  const proposalId = entry.subject.slice('proposal:'.length);
  switch (entry.type) {
    case 'deploy.prepared': {
      const { base: baseCommit, ...names } = entry.data as EntryPayload<'deploy.prepared'>;
      return [preparedWrite({ proposalId, baseCommit, ...names }, atMs)];
    }
    case 'deploy.moved':
      return [stateWrite(proposalId, 'moved', atMs)];
    case 'deploy.revert_planned':
      return [revertWrite(proposalId, entry.data as EntryPayload<'deploy.revert_planned'>, atMs)];
    case 'deploy.reverted':
      return [stateWrite(proposalId, 'reverted', atMs)];
    default:
      return [];
  }
}
