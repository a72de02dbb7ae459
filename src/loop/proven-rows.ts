/**
 * Before a branch is moved, the rows behind the gate are proven: the proposal's entries are read from the
 * ledger and verified, folded by the rooms that own them, and compared with the rows to the byte. Whoever can
 * write the database file could otherwise approve a change with one UPDATE, which `hone ledger rebuild` would
 * name and nobody would ask. The commit that acts expects the same rows and the same newest entry.
 */
import * as deploy from '../deploy/index.ts';
import { foldRows, proveSubject, sameRows, unchangedRows } from '../ledger/index.ts';
import * as proposal from '../proposal/index.ts';
import type { Expectation } from '../store/index.ts';
import type { LoopPorts } from './types.ts';

export type RowsProof =
  | { readonly proven: true; readonly expect: readonly Expectation[] }
  /** `waiting`: entries have no place yet, and it passes by itself. `differs`: a person has to look. */
  | { readonly proven: false; readonly why: 'waiting' | 'differs'; readonly message: string };

export async function proveRows(
  dossier: proposal.Dossier,
  { store, placePending }: Pick<LoopPorts, 'store' | 'placePending'>,
): Promise<RowsProof> {
  const { id } = dossier.proposal;
  await placePending();
  const proof = await proveSubject(store, `proposal:${id}`, 'proposal.created');
  if (!proof.proven && proof.why === 'unplaced') {
    return { proven: false, why: 'waiting', message: 'Its newest entries wait for their place.' };
  }
  if (!proof.proven) return differs(proof.message);
  const versions: proposal.Versions = new Map();
  const made = foldRows(
    proof.entries.flatMap(({ entry }) => [
      ...proposal.projectEntry(entry, versions),
      ...deploy.projectEntry(entry),
    ]),
  );
  const stored = [...(await proposal.readRows(store, id)), ...(await deploy.readRows(store, id))];
  if (!sameRows(made, stored)) {
    const tables = [...new Set([...made, ...stored].map(({ table }) => table))].filter(
      (table) => !sameRows(made.filter(of(table)), stored.filter(of(table))),
    );
    return differs(`${tables.join(' and ')} have other rows of it than the ledger.`);
  }
  // What was judged is what was read before; it counts only while it is of this version.
  if (versions.get(id) !== dossier.proposal.version) {
    return { proven: false, why: 'waiting', message: 'It was changed meanwhile.' };
  }
  return { proven: true, expect: [...unchangedRows(stored), proof.unchanged] };
}

const of =
  (name: string) =>
  ({ table }: { readonly table: string }) =>
    table === name;

const differs = (message: string): RowsProof => ({ proven: false, why: 'differs', message });
