/**
 * Letting a proposal out of quarantine: a person looked at what vetting held and says that it may go on.
 * It is vetted once more, with what they released let pass; the report before and the one after are both
 * kept. Nobody can release what a rule of the constitution holds, such as a secret in the diff.
 */
import { z } from 'zod';
import { makeArtifact, readArtifact } from '../artifact/index.ts';
import { canonicalJson, isoTime } from '../base/index.ts';
import { type Dossier, latest, readDossier } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { type ByHand, type ByHandOptions, commitByHand } from './by-hand.ts';

/** The parts of vetting's report that are read. */
const reportSchema = z.object({
  report: z.literal('vetting'),
  checks: z.array(
    z.object({
      name: z.string(),
      rule: z.int().nullable(),
      outcome: z.string(),
      reasons: z.array(z.string()),
    }),
  ),
});

export interface Held {
  readonly name: string;
  /** The rule of the constitution that it enforces. */
  readonly rule: number | null;
  readonly why: string;
}

/** What vetting held against it, as its newest report says. */
export async function heldBy(
  store: Store,
  { proposal, attestations }: Dossier,
): Promise<readonly Held[]> {
  const vetting = latest(attestations, 'vetting', proposal.digest);
  for (const digest of vetting?.artifacts ?? []) {
    const { content } = await readArtifact(store, digest);
    const report = reportSchema.safeParse(JSON.parse(Buffer.from(content).toString()));
    if (!report.success) continue;
    return report.data.checks
      .filter(({ outcome }) => outcome === 'held')
      .map(({ name, rule, reasons }) => ({ name, rule, why: reasons[0] ?? '' }));
  }
  return [];
}

export async function releaseByHand(
  id: string,
  reason: string,
  options: ByHandOptions,
): Promise<ByHand> {
  const { actor, ports } = options;
  const dossier = await readDossier(ports.store, id);
  const { state, digest } = dossier.proposal;
  if (actor.kind !== 'human') {
    return { done: false, why: 'Only a person may release a proposal, never an agent.' };
  }
  if (state !== 'quarantined') return { done: false, why: `It is ${state}: nothing holds it.` };
  const held = await heldBy(ports.store, dossier);
  const firm = held.filter(({ rule }) => rule !== null);
  if (firm.length > 0 || held.length === 0) return { done: false, why: firmText(firm) };
  const report = {
    report: 'release',
    digest,
    releasedBy: actor.id,
    reason: recordedText(reason),
    held: held.map(({ name, why }) => ({ name, why })),
    at: isoTime(await ports.store.nowMs()),
  };
  const files = [makeArtifact(canonicalJson(report), 'application/json')];
  return commitByHand(
    dossier,
    {
      did: `released from quarantine by ${actor.id}: ${report.reason}`,
      attestations: [{ kind: 'vetting', verdict: 'released', actor, files }],
      to: 'draft',
    },
    options,
  );
}

function firmText(firm: readonly Held[]): string {
  if (firm.length === 0) {
    return 'The record does not say what holds it, so it cannot be released. "hone reject" closes it.';
  }
  const what = firm.map(({ name, rule, why }) => `${name} (rule ${rule}): ${why}`).join(' ');
  return (
    `The constitution holds it, and nobody can release it: ${what} ` +
    'Make the change without it, as a new proposal; "hone reject" closes this one.'
  );
}
