/** The ports that learning needs. */
import { wasOvertaken } from '../../deploy/index.ts';
import type { FixOutcome } from '../../facts/index.ts';
import type { Seen } from '../../learn/index.ts';
import { type Benefit, blameOf, readProbation } from '../../monitor/index.ts';
import { type Dossier, rollbackOutcome } from '../../proposal/index.ts';
import type { Store } from '../../store/index.ts';

/** What was seen of a change that its state does not say; undefined where its state says it all. */
export async function seenOf(store: Store, dossier: Dossier): Promise<Seen | undefined> {
  const { state, id, digest } = dossier.proposal;
  if (state === 'reverted') return takenBack(store, dossier);
  if (state === 'aborted' && (await wasOvertaken(dossier, store))) return { outcome: 'overtaken' };
  const isKept = rollbackOutcome(dossier.attestations, digest)?.verdict === 'waived';
  if (state !== 'implemented' || isKept) return undefined;
  const benefit = (await readProbation(store, id))?.benefit ?? null;
  if (benefit === null) return { outcome: 'held' };
  const outcome: FixOutcome = benefit.low > 0 ? 'proven' : 'held';
  return { outcome, reason: benefitWords(benefit) };
}

/** A person who takes back what Hone called harmful agrees with it. */
async function takenBack(store: Store, dossier: Dossier): Promise<Seen | undefined> {
  const proposed = (await readProbation(store, dossier.proposal.id))?.rollback ?? null;
  if (proposed !== null) return { outcome: 'failed', reason: proposed.why };
  return (await blameOf(dossier, store)) === 'doubt' ? { outcome: 'doubtful' } : undefined;
}

function benefitWords({ after, benefit, low, high }: Benefit): string {
  const when = { day: 'a day', week: 'a week', two_weeks: 'two weeks' }[after];
  const share = (part: number) => `${(100 * part).toFixed(1)} %`;
  return `After ${when} ${share(benefit)} of the calls fail less than without it (95 %: ${share(low)} to ${share(high)})`;
}
