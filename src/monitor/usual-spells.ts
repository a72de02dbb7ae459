/**
 * Whether what got worse came and went before the deployment, too: places that one long call holds at a time are refused to
 * everybody for minutes, many times a day. Such a spell is many failures and one event. A pure function of counts by minute.
 */
import type { RateBin } from '../facts/index.ts';
import { binomialSf } from '../stats/index.ts';
import { sum } from './season.ts';
import type { Found } from './types.ts';

/** Twice may be a coincidence (`moves-together.ts`). */
const SPELLS_MIN = 3;
/** A spell is beyond noise by itself; a day has a few hundred stretches as long as the shortest of them. */
const CHANCE = 0.001;

/** Stretches as long as the harm in which as large a share failed, between which it was nearer to what is usual. */
export function isUsualSpell(
  { finding: { fromMs, foundAtMs, observed } }: Pick<Found, 'finding'>,
  before: readonly RateBin[],
): boolean {
  const lengthMs = foundAtMs - fromMs;
  const total = sum(before);
  if (total.all === 0) return false;
  const [ill, usual] = [observed.bad / observed.all, total.bad / total.all];
  let [first, bad, all, spells] = [0, 0, 0, 0];
  let isIn = false;
  for (const bin of before) {
    bad += bin.bad;
    all += bin.all;
    for (; before[first]!.atMs <= bin.atMs - lengthMs; first++) {
      bad -= before[first]!.bad;
      all -= before[first]!.all;
    }
    if (bad < ((ill + usual) / 2) * all) isIn = false;
    if (isIn || bad < ill * all || binomialSf(bad - 1, all, usual) >= CHANCE) continue;
    isIn = true;
    spells += 1;
  }
  return spells >= SPELLS_MIN;
}
