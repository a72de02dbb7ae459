/** The auditor's look at a finished run: the ledger verifies, and every invariant held. */
import { readArtifact } from '../src/artifact/index.ts';
import { readPattern } from '../src/diagnose/index.ts';
import type { EntryPayload, Pattern, ProposalContent } from '../src/facts/index.ts';
import { proposalContentSchema } from '../src/facts/schemas.ts';
import { checkInvariants } from '../src/health/index.ts';
import { LedgerView } from '../src/ledger/index.ts';
import { Telemetry } from '../src/observe/index.ts';
import type { Store } from '../src/store/index.ts';
import type { LabInstallation } from './installation.ts';

/** More than any run writes. */
const ENTRIES_MAX = 1_000_000;

/** One line for each thing that is wrong. */
export async function auditLedger(lab: LabInstallation): Promise<string[]> {
  const verified = await lab.hone('ledger', 'verify');
  const broken = verified.exit === 0 ? [] : [`ledger verify: ${verified.out}${verified.err}`];
  const context = lab.context();
  const opened = await context.open();
  try {
    await opened.placePending();
    await using loop = await context.openLoop(opened);
    const violations = await invariants(opened.store, new Telemetry(loop.ports.telemetry), {
      rollbackMs: opened.config.deploy.rollbackTimeout,
    });
    return [...broken, ...violations];
  } finally {
    await opened.close();
  }
}

async function invariants(
  store: Store,
  telemetry: Telemetry,
  { rollbackMs }: { rollbackMs: number },
): Promise<string[]> {
  const view = new LedgerView(store);
  const entries = (await view.entries({ limit: ENTRIES_MAX })).map(({ entry }) => entry);
  const contents = new Map<string, ProposalContent>();
  const patterns = new Map<string, Pattern>();
  const events = new Set<string>();
  for (const entry of entries) {
    if (entry.type !== 'proposal.created' && entry.type !== 'proposal.amended') continue;
    const { digest } = entry.data as EntryPayload<'proposal.created'>;
    const { content } = await readArtifact(store, digest);
    const parsed = proposalContentSchema.safeParse(JSON.parse(Buffer.from(content).toString()));
    if (!parsed.success) continue;
    contents.set(digest, parsed.data);
    const pattern =
      parsed.data.pattern === null ? undefined : await readPattern(store, parsed.data.pattern);
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
    overheadShare: null,
    rollbackMs,
  }).map(({ invariant, subject, text }) => `${invariant} ${subject}: ${text}`);
}
