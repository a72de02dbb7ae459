/** What a committed step did to the target branch, read from the entries that it committed. */
import type { EntryPayload } from '../facts/index.ts';
import type { Plan } from '../store/index.ts';

interface BranchMove {
  readonly proposal: string;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

export function branchMoves({ entries = [] }: Plan): BranchMove[] {
  return entries.flatMap(({ type, subject, data }) => {
    if (type !== 'deploy.moved' && type !== 'deploy.reverted') return [];
    const { branch, fromCommit: from, toCommit: to } = data as EntryPayload<'deploy.moved'>;
    // If there was nothing to take back, nothing moved.
    return from === to ? [] : [{ proposal: subject.slice('proposal:'.length), branch, from, to }];
  });
}
