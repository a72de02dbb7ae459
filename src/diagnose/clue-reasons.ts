/** What the clues of a cause say in words: for it or against it, as was counted. */
import { CLUE_WEIGHTS } from './clue-weights.ts';
import { CLUE_FAMILIES, type Clues } from './clues.ts';
import type { Cause, Reason } from './types.ts';
import { clueNats } from './weigh.ts';

/** Clues that make a cause less than twice as likely, or half as likely, are not worth a sentence. */
const TOLD = Math.log(2);

/** The other clues are in the diagnoser's own reasons. */
const WORDS: Readonly<Record<string, string>> = {
  'tail gap':
    'Hardly any call that succeeds takes nearly as long as the limit: what is cut off is of another kind, and a longer limit may not catch it.',
  'tail thin': 'Few calls that succeed take nearly as long as the limit.',
  'tail reaches':
    'Calls that succeed take up to the limit: a longer one would let more of them end.',
  'tail of a task':
    'Hardly any call but those of one task is cut off: what hangs would do so whatever is asked.',
  'tail of an agent':
    'Other agents at the same tool are not cut off: what hangs would do so whoever asks.',
  'tail many': 'So many calls are cut off that they are hardly calls that hang: those are few.',
  'patience limit get it':
    'Other agents at the same tool wait longer, and get what is cut off here.',
  'patience outside get it':
    'Other agents at the same tool wait longer, and get what is cut off here.',
  'patience limit hang too':
    'Other agents at the same tool wait longer, and hang as often until their own limit.',
  'patience outside hang too':
    'Other agents at the same tool wait longer, and hang as often until their own limit.',
  'when files over': 'It is over, and the place is as it was.',
  'when files since outside': 'It began while the place stayed as it was.',
  'when files in bursts': 'It comes in bursts while the place stays as it is.',
  'when files uneven': 'It comes and goes more than by chance while the place stays as it is.',
  'when files even': 'It is there all the time, as the place is.',
  'when outside even': 'It is there all the time, and trouble outside comes and goes.',
  'when outside in bursts': 'It comes in bursts.',
  'when outside since change': 'It began right after a change of the target.',
  'others files alike': 'Other agents at the same tool fail as often.',
  'others files well': 'Other agents at the same tool hardly ever fail.',
  'others outside alike': 'Other agents at the same tool fail as often.',
  'others outside well': 'Other agents at the same tool hardly ever fail.',
};

export function withClueReasons<T extends Cause & { readonly clues: Clues }>(cause: T): T {
  const told = { for: [] as Reason[], against: [] as Reason[] };
  for (const family of CLUE_FAMILIES) {
    const clue = cause.clues[family];
    const text = WORDS[`${family} ${clue}`];
    if (clue === undefined || text === undefined) continue;
    const nats = clueNats(family, clue, CLUE_WEIGHTS);
    if (nats >= TOLD) told.for.push({ text, events: [] });
    if (nats <= -TOLD) told.against.push({ text, events: [] });
  }
  return {
    ...cause,
    reasons: [...cause.reasons, ...told.for],
    against: [...cause.against, ...told.against],
  };
}
