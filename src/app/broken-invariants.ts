/** V1 to V10 from the record: reads the ledger and what its entries name, for the pure check in `health/`. */
import { readArtifact } from '../artifact/index.ts';
import { readPattern } from '../diagnose/index.ts';
import type { EntryPayload, Pattern, ProposalContent } from '../facts/index.ts';
import { proposalContentSchema } from '../facts/schemas.ts';
import { checkInvariants } from '../health/index.ts';
import { LedgerView } from '../ledger/index.ts';
import { readSources, Telemetry } from '../observe/index.ts';
import type { Store } from '../store/index.ts';

/** More than an installation writes in years. */
const ENTRIES_MAX = 1_000_000;

/** One line for each thing that is wrong. */
export async function brokenInvariants(
  store: Store,
  telemetryStore: Store,
  { rollbackMs }: { rollbackMs: number },
): Promise<string[]> {
  const telemetry = new Telemetry(telemetryStore);
  const view = new LedgerView(store);
  const entries = (await view.entries({ limit: ENTRIES_MAX })).map(({ entry }) => entry);
  const contents = new Map<string, ProposalContent>();
  const patterns = new Map<string, Pattern>();
  const events = new Set<string>();
  for (const entry of entries) {
    if (entry.type !== 'proposal.created' && entry.type !== 'proposal.amended') continue;
    const { contentDigest: digest } = entry.data as EntryPayload<'proposal.created'>;
    const { content } = await readArtifact(store, digest);
    const parsed = proposalContentSchema.safeParse(JSON.parse(Buffer.from(content).toString()));
    if (!parsed.success) continue;
    contents.set(digest, parsed.data);
    const pattern =
      parsed.data.patternId === null ? undefined : await readPattern(store, parsed.data.patternId);
    if (pattern !== undefined) patterns.set(pattern.id, pattern);
    for (const reference of parsed.data.evidence) {
      const id = reference.replace(/^event:/, '');
      if ((await telemetry.event(id)) !== undefined) events.add(reference);
    }
  }
  return checkInvariants({
    entries,
    content: (digest) => contents.get(digest),
    pattern: (id) => patterns.get(id),
    eventExists: (reference) => events.has(reference),
    overheadShare: await worstOverhead(telemetryStore),
    rollbackMs,
  }).map(({ invariant, subject, text }) => `${invariant} ${subject}: ${text}`);
}

/** Of the source that costs most; null where no source says how long anything took. */
async function worstOverhead(telemetry: Store): Promise<number | null> {
  const shares = (await readSources(telemetry)).flatMap(({ overheadShare: share }) =>
    share === null ? [] : [share],
  );
  return shares.length === 0 ? null : Math.max(...shares);
}
