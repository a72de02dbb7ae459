/**
 * A library of many different patterns, for the near-neighbour search: the families' messages, each
 * with words of its own that no other has in the same combination, and renamed copies to look up.
 */
import { type Random, randomInt, seededRandom } from '../../src/base/index.ts';
import { DEVELOPED_FAMILIES } from './developed-families.ts';
import { fillMessage } from './failure-pairs.ts';
import { patternsOf } from './family.ts';
import { HELD_OUT_FAMILIES } from './held-out-families.ts';

export interface LibraryPattern {
  readonly id: string;
  readonly failure: string;
}

const STARTS =
  'ba be bi bo ca ce co cu da de di do fa fe fi fo ga ge go ha he ho ja jo ka ke ko la le lo ma me mo na ne no pa pe po ra re ro sa se so ta te to va ve vo'.split(
    ' ',
  );
const ENDS = 'ndle rtion ster lling mper rvice cket nning lter xing ding rder'.split(' ');

/** 50 × 50 × 12 words that look like English and are none of the lexicon's. */
function ownWord(random: Random): string {
  return `${STARTS[randomInt(random, STARTS.length)]}${STARTS[randomInt(random, STARTS.length)]}${ENDS[randomInt(random, ENDS.length)]}`;
}

export function makePatterns(
  seed: number,
  count: number,
  queries: number,
): { patterns: LibraryPattern[]; renamed: LibraryPattern[] } {
  const random = seededRandom(seed);
  const messages = [...DEVELOPED_FAMILIES, ...HELD_OUT_FAMILIES]
    .flatMap((family) => patternsOf(family).map((pattern) => pattern.message))
    .filter((message) => !message.startsWith('{'));
  const patterns: LibraryPattern[] = [];
  const renamed: LibraryPattern[] = [];
  for (let index = 0; index < count; index += 1) {
    const words = [ownWord(random), ownWord(random), ownWord(random)];
    const template = `${words[0]} ${words[1]} ${messages[index % messages.length]} while ${words[2]} ran`;
    const id = `p${index}`;
    patterns.push({ id, failure: fillMessage(template, random) });
    if (index % Math.max(1, Math.floor(count / queries)) === 0)
      renamed.push({ id, failure: fillMessage(template, random) });
  }
  return { patterns, renamed };
}
