/**
 * Whether the messages of a failure say a word of a setting's name: "all 6 seats taken" and `headless.seats`. Whoever wrote the
 * message and whoever wrote the file often call one thing the same. What a word is worth follows from how few settings have it, so
 * that no list of words is needed; those of the tool's and the agent's names say whose it is, and not what. Pure.
 */
import { posix } from 'node:path';
import type { Failure, Setting } from './types.ts';
import { wordsOf } from './wording.ts';

const LOOKED_AT_CHARS = 2000;
/** Shorter ones are in every text. */
const LETTERS_MIN = 3;
/** Words only add to what was measured. */
const NATS_MAX = 1.6;

/** In nats, 0 where no word is shared. */
export function saidNats(
  setting: Setting,
  failure: Pick<Failure, 'agent' | 'tool' | 'errorCode' | 'examples'>,
  settings: readonly Setting[],
): number {
  const said = saidWords(failure);
  const shared = nameWords(setting).filter((word) => said.has(word));
  if (shared.length === 0) return 0;
  const known = spread(settings);
  const fewest = Math.min(...shared.map((word) => known.get(word) ?? 1));
  return Math.min(NATS_MAX, Math.log((settings.length + 1) / (fewest + 1)));
}

const plain = (word: string) => word.replace(/(?<=\p{L}{3})s$/u, '');

function nameWords({ file, path }: Setting): string[] {
  const words = [posix.basename(file).replace(/\..*$/, ''), ...path].flatMap(wordsOf).map(plain);
  return [...new Set(words)].filter((word) => word.length >= LETTERS_MIN);
}

function saidWords({
  agent,
  tool,
  errorCode,
  examples,
}: Pick<Failure, 'agent' | 'tool' | 'errorCode' | 'examples'>): ReadonlySet<string> {
  const texts = [errorCode, ...examples.map(({ message }) => message)];
  const words = new Set(
    texts.flatMap((text) => wordsOf(text.slice(0, LOOKED_AT_CHARS))).map(plain),
  );
  for (const word of [agent, tool].flatMap(wordsOf)) words.delete(plain(word));
  return words;
}

const spreads = new WeakMap<readonly Setting[], ReadonlyMap<string, number>>();

/** How many settings have a word in their name. The same settings are asked about for every failure. */
function spread(settings: readonly Setting[]): ReadonlyMap<string, number> {
  const before = spreads.get(settings);
  if (before !== undefined) return before;
  const counts = new Map<string, number>();
  for (const setting of settings)
    for (const word of nameWords(setting)) counts.set(word, (counts.get(word) ?? 0) + 1);
  spreads.set(settings, counts);
  return counts;
}
