/** The latest time recorded before a proposal's deployment: the deployment did not happen earlier. */
import type { Entry, EntryPayload } from '../facts/index.ts';
import { LedgerView, recordedTimes } from '../ledger/index.ts';
import { type Dossier, latest } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';

/** A busy installation records some hundred entries a day; a clock that is off for longer is still found. */
const ENTRIES_MAX = 300;

/** Times after now come from a wrong clock and are ignored. */
export async function recordedBeforeMs(
  dossier: Dossier,
  store: Store,
  nowMs: number,
): Promise<number | undefined> {
  const { proposal, attestations } = dossier;
  const deployment = latest(attestations, 'deployment', proposal.digest);
  const own = attestations.slice(0, deployment && attestations.indexOf(deployment));
  const times = [
    ...own.map(({ atMs }) => atMs),
    ...(await timesBefore(deployment?.id, { subject: `proposal:${proposal.id}`, store })),
  ].filter((atMs) => atMs <= nowMs);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** On PostgreSQL the entry may have no place yet: then its order is unknown. */
async function timesBefore(
  attestation: string | undefined,
  { subject, store }: { subject: string; store: Store },
): Promise<number[]> {
  const newest = { subject, newestFirst: true, limit: ENTRIES_MAX };
  const entries = await new LedgerView(store).read(newest);
  const own = entries.find(({ entry }) => attestationOf(entry) === attestation);
  if (attestation === undefined || own === undefined) return [];
  const before = await recordedTimes(store, { before: own.index, limit: ENTRIES_MAX });
  return before.map(({ atMs }) => atMs);
}

function attestationOf(entry: Entry | undefined): string | undefined {
  if (entry?.type !== 'proposal.attested') return undefined;
  return (entry.data as EntryPayload<'proposal.attested'>).attestationId;
}
