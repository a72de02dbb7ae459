/**
 * Before a branch is moved, the rows behind the gate are proven: the proposal's entries are read from the
 * ledger and verified, folded by the rooms that own them, and compared with the rows to the byte. Whoever can
 * write the database file could otherwise approve a change with one UPDATE, which only `hone ledger rebuild`
 * would reveal. The commit that acts expects the same rows and the same newest entry.
 */
import * as deploy from '../deploy/index.ts';
import type { Entry } from '../facts/index.ts';
import {
  foldRows,
  LedgerView,
  newestState,
  proveSubject,
  type StoredRow,
  sameRows,
  unchangedRows,
  verifyInclusion,
} from '../ledger/index.ts';
import * as policy from '../policy/index.ts';
import * as proposal from '../proposal/index.ts';
import type { Expectation, Row, Store, Write } from '../store/index.ts';
import type { LoopPorts } from './types.ts';

export type RowsProof =
  | {
      readonly proven: true;
      readonly expect: readonly Expectation[];
      /** The proposal's own, in order. */
      readonly entries: readonly Entry[];
    }
  /** `waiting`: entries have no place yet, which resolves itself. `differs`: a person has to look. */
  | { readonly proven: false; readonly why: 'waiting' | 'differs'; readonly message: string };

export async function proveRows(
  dossier: proposal.Dossier,
  { store, placePending }: Pick<LoopPorts, 'store' | 'placePending'>,
): Promise<RowsProof> {
  const { id } = dossier.proposal;
  await placePending();
  const proof = await proveSubject(store, `proposal:${id}`, 'proposal.created');
  if (!proof.proven && proof.why === 'unplaced') {
    return {
      proven: false,
      why: 'waiting',
      message: 'Its newest entries have no place in the ledger yet.',
    };
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
    return differs(`${tables.join(' and ')} do not match the ledger.`);
  }
  // The judgement was made on what was read before; it counts only for this version.
  if (versions.get(id) !== dossier.proposal.version) {
    return { proven: false, why: 'waiting', message: 'It was changed in the meantime.' };
  }
  const rules = await proveRules(store);
  if (!rules.proven) return rules;
  const expect = [...unchangedRows(stored), proof.unchanged, ...rules.expect];
  return { proven: true, expect, entries: proof.entries.map(({ entry }) => entry) };
}

type NotProven = Extract<RowsProof, { readonly proven: false }>;
type RulesProof = { readonly proven: true; readonly expect: readonly Expectation[] } | NotProven;

/** What else the gate depends on: the stop, and how strictly the decision's maker is judged. */
async function proveRules(store: Store): Promise<RulesProof> {
  const expect: Expectation[] = [];
  for (const { subject, table, where } of policy.GATE_ROWS) {
    const stored = await policy.readRow(store, table, where);
    const newest = await newestState(store, subject);
    if (newest !== undefined && newest.index === null)
      return {
        proven: false,
        why: 'waiting',
        message: 'A newer rule has no place in the ledger yet.',
      };
    const isPlaced = newest === undefined || (await isInLedger(store, newest.index!));
    const made = newest === undefined ? [] : rowsOf(policy.projectBody(newest.body));
    if (!isPlaced || !sameRows(made, stored))
      return differs(`${table} has a row about ${subject} that does not match the ledger.`);
    expect.push(
      ...unchangedRows(stored),
      ...(stored.length > 0 ? [] : [{ table, where, exists: false, name: 'record' }]),
    );
  }
  return { proven: true, expect };
}

async function isInLedger(store: Store, index: number): Promise<boolean> {
  const view = new LedgerView(store);
  const { size, root } = await view.head();
  const proof = await view.proveInclusion(index, size);
  return verifyInclusion({ index, size, root, leafHash: await view.leafHash(index), proof }).ok;
}

function rowsOf(writes: readonly Write[]): StoredRow[] {
  return writes.flatMap((write) =>
    // Projections write whole values, never increments.
    'upsert' in write ? [{ table: write.upsert, row: { ...write.key, ...write.row } as Row }] : [],
  );
}

const of =
  (name: string) =>
  ({ table }: { readonly table: string }) =>
    table === name;

const differs = (message: string): NotProven => ({ proven: false, why: 'differs', message });
