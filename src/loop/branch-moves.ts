/** What a committed step did to the target branch, read from the entries that it committed. */
import type { EntryPayload } from '../facts/index.ts';
import type { Plan } from '../store/index.ts';

interface BranchMove {
  readonly proposal: string;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

const MOVES: readonly string[] = ['deploy.moved', 'deploy.moved_outside', 'deploy.reverted'];

export function branchMoves({ entries = [] }: Plan): BranchMove[] {
  return entries.flatMap(({ type, subject, data }) => {
    if (!MOVES.includes(type)) return [];
    const { branch, fromCommit: from, toCommit: to } = data as EntryPayload<'deploy.moved'>;
    // If there was nothing to take back, nothing moved.
    return from === to ? [] : [{ proposal: subject.slice('proposal:'.length), branch, from, to }];
  });
}
