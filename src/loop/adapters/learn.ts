/** The ports that learning needs. */
import { hasFailedToDeploy, takenBackFor, wasOvertaken } from '../../deploy/index.ts';
import { readPattern } from '../../diagnose/index.ts';
import type { FixOutcome } from '../../facts/index.ts';
import { fixesOf, type Seen } from '../../learn/index.ts';
import { type Benefit, blameOf, readProbation } from '../../monitor/index.ts';
import { type Dossier, rollbackCall, rollbackOutcome } from '../../proposal/index.ts';
import type { Store } from '../../store/index.ts';

/** What was seen of a change that its state does not say; undefined where its state says it all. */
export async function seenOf(store: Store, dossier: Dossier): Promise<Seen | undefined> {
  const { state, id, digest } = dossier.proposal;
  if (state === 'reverted') return takenBack(store, dossier);
  if (state === 'aborted' && (await wasOvertaken(dossier, store))) return { outcome: 'overtaken' };
  if (state === 'aborted' && (await hasFailedToDeploy(dossier, store)))
    return { outcome: 'undeployed' };
  const isKept = rollbackOutcome(dossier.attestations, digest)?.verdict === 'waived';
  if (state !== 'implemented' || isKept) return undefined;
  const benefit = (await readProbation(store, id))?.benefit ?? null;
  if (benefit === null) return { outcome: 'inconclusive' };
  const failing =
    dossier.content.trial === undefined ? await failingShare(store, dossier) : undefined;
  const outcome = outcomeOf(benefit, failing);
  const known = (await fixesOf(store, [id])).get(id)?.outcome;
  const isKnown = outcome === 'held' && known === 'held';
  return { outcome, reason: benefitWords(benefit), isKnown };
}

/**
 * No proposal promises an effect in numbers, so what is asked for is a halving of the failures that it answers. It held
 * where so much was seen that a halving would have shown: the interval is as narrow as that. With less, nothing is known. A trial
 * that stayed showed what it was to show, a tenth of what was cut off, and closes no further step.
 */
function outcomeOf({ low, high }: Benefit, failing: number | undefined): FixOutcome {
  if (low > 0) return 'proven';
  const wouldShow = failing !== undefined && (high - low) / 2 <= failing / 2;
  return wouldShow ? 'held' : 'inconclusive';
}

/** Of the calls at its place, as the pattern was last found. */
async function failingShare(store: Store, { content }: Dossier): Promise<number | undefined> {
  if (content.patternId === null) return undefined;
  const pattern = await readPattern(store, content.patternId);
  if (pattern === undefined || pattern.calls === 0) return undefined;
  return pattern.occurrences / pattern.calls;
}

/** A person who takes back what Hone calls harmful agrees with it; one who did so before knew nothing of it. */
async function takenBack(store: Store, dossier: Dossier): Promise<Seen | undefined> {
  const { attestations, proposal } = dossier;
  const below = await takenBackFor(dossier, store);
  if (below !== undefined) {
    const reason = `It was on top of ${below}, which was taken back, and has nothing to answer for. It may be tried again without it`;
    return { outcome: 'cleared', reason };
  }
  const proposed = (await readProbation(store, proposal.id))?.rollback ?? null;
  const call = rollbackCall(attestations, proposal.digest);
  if (proposed !== null && call !== undefined && call.atMs >= proposed.sinceMs)
    return { outcome: 'failed', reason: proposed.why };
  const blame = await blameOf(dossier, store);
  if (blame === 'none') return { outcome: 'vain' };
  return blame === 'doubt' ? { outcome: 'doubtful' } : undefined;
}

function benefitWords({ after, benefit, low, high }: Benefit): string {
  const when = { day: 'a day', week: 'a week', two_weeks: 'two weeks' }[after];
  const share = (part: number) => `${(100 * part).toFixed(1)} %`;
  return `After ${when} ${share(benefit)} of the calls fail less than without it (95 %: ${share(low)} to ${share(high)})`;
}
