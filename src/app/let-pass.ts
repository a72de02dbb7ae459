/** What gates that do not enforce let a proposal pass, from the ledger: the mark stays for good. */
import type { EntryPayload } from '../facts/index.ts';
import { LedgerView } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';

const ENTRIES_MAX = 10_000;

export type Marked = EntryPayload<'policy.let_pass'> & { readonly at: string };

export async function readLetPass(store: Store, proposalId: string): Promise<Marked[]> {
  const entries = await new LedgerView(store).entries({
    subject: `proposal:${proposalId}`,
    type: 'policy.let_pass',
    limit: ENTRIES_MAX,
  });
  return entries.map(({ entry }) => {
    const { gate, what, why } = entry.data as EntryPayload<'policy.let_pass'>;
    return { gate, what, why, at: entry.at };
  });
}
