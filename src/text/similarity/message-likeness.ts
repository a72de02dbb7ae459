/**
 * The messages, laid beside each other. Beyond the share of words that correspond, five differences
 * count: a telling word in another's place, telling words on both sides or on one, an ordinary word in
 * another's place, a `not` or a success that the other side lacks, and values that are tied in otherwise
 * (`from <*> via <*>`, `from <*> to <*>`).
 */
import { type Alignment, align } from './align.ts';
import { alike, type Evidence } from './evidence.ts';
import { meaningOf } from './lexicon.ts';
import type { Reading } from './read.ts';
import { type Token, type TokenKind, WEIGHTS } from './tokens.ts';

/** What remains of the score for each difference of the kind. */
const REMAINS = {
  tellingSwap: 0.5,
  tellingBoth: 0.62,
  tellingOne: 0.94,
  tellingName: 0.8,
  polarity: 0.6,
  knownSwap: 0.8,
  wordSwap: 0.9,
  knownOne: 0.97,
  /** Two of them, one in another's place, make it another message. */
  link: 0.84,
} as const;

/** Below this a message is all names, and the names are what it is told apart by. */
const SAID_MIN = 0.6;
const SAYING: ReadonlySet<TokenKind> = new Set(['telling', 'known', 'word', 'code']);

export function messageLikeness(a: Reading, b: Reading): Evidence {
  if (a.tokens.length === 0 && b.tokens.length === 0) {
    // Two failures that say nothing are alike only in what else is known of them.
    const likeness = a.className === b.className && a.tool === b.tool ? 1 : 0.5;
    return alike('message', likeness, 'no message on either side');
  }
  if (a.tokens.length === 0 || b.tokens.length === 0)
    return alike('message', 0.3, 'a message on one side only');
  if (Math.min(saidBy(a), saidBy(b)) < SAID_MIN)
    return alike('message', 0.4 + 0.6 * sharedNames(a, b), 'hardly a word: compared by its names');
  return judge(a, b, align(a.tokens, b.tokens));
}

/** How much a failure says in words; its class counts as one. */
function saidBy(reading: Reading): number {
  let said = reading.classWords.length > 0 ? 1 : 0;
  for (const { kind } of reading.tokens) if (SAYING.has(kind)) said += WEIGHTS[kind];
  return said;
}

function sharedNames(a: Reading, b: Reading): number {
  const namesA = new Set(a.tokens.map((token) => token.raw));
  const namesB = new Set(b.tokens.map((token) => token.raw));
  const shared = namesA.intersection(namesB).size;
  return shared / (namesA.size + namesB.size - shared);
}

function judge(a: Reading, b: Reading, alignment: Alignment): Evidence {
  const knownA = meaningsOf(a);
  const knownB = meaningsOf(b);
  const swaps = alignment.swaps.filter(
    ([one, other]) =>
      !(knownB.has(one.text) && knownA.has(other.text)) &&
      !saidElsewhere(one, other, knownA, knownB),
  );
  const tellingSwaps = swaps.filter(([one, other]) => isTelling(one) && isTelling(other));
  const otherSwaps = swaps.filter(([one, other]) => !isTelling(one) || !isTelling(other));
  const missing = [
    tellingOnly(alignment.onlyA, knownB),
    tellingOnly(alignment.onlyB, knownA),
  ] as const;
  const remains =
    remainsOfSwaps(tellingSwaps, otherSwaps) *
    (tellingSwaps.length > 0 ? 1 : remainsOfMissing(missing[0].length, missing[1].length)) *
    remainsOfExtra(alignment, otherSwaps.length) *
    REMAINS.link ** linkDifferences(a.links, b.links) *
    (missing.flat().some((id) => id === 'negation' || id === 'success') ? REMAINS.polarity : 1);
  const shown = (tellingSwaps.length > 0 ? tellingSwaps : otherSwaps).slice(0, 3);
  const absent = missing.flat().slice(0, 3);
  return {
    component: 'message',
    likeness: alignment.similarity,
    remains,
    note:
      absent.length === 0
        ? 'the same words'
        : `${absent.map((id) => `"${id}"`).join(', ')} on one side only`,
    differs: shown.map(([one, other]) => [one.raw, other.raw] as const),
  };
}

type Swaps = Alignment['swaps'];

function remainsOfSwaps(telling: Swaps, others: Swaps): number {
  let remains = REMAINS.tellingSwap ** Math.min(2, telling.length);
  for (const [one, other] of others.slice(0, 3)) remains *= swapRemains(one, other);
  return remains;
}

function swapRemains(one: Token, other: Token): number {
  if (isName(one) || isName(other)) return REMAINS.tellingName;
  return one.kind === 'word' && other.kind === 'word' ? REMAINS.wordSwap : REMAINS.knownSwap;
}

/** A telling word against a name counts only when the other side does not say it anywhere. */
function saidElsewhere(
  one: Token,
  other: Token,
  knownA: ReadonlySet<string>,
  knownB: ReadonlySet<string>,
): boolean {
  return (
    (isTelling(one) && isName(other) && knownB.has(one.text)) ||
    (isTelling(other) && isName(one) && knownA.has(other.text))
  );
}

function isName(token: Token): boolean {
  return !SAYING.has(token.kind);
}

function remainsOfMissing(a: number, b: number): number {
  return a > 0 && b > 0 ? REMAINS.tellingBoth : REMAINS.tellingOne ** Math.min(3, a + b);
}

/** Ordinary words that one side has more. */
function remainsOfExtra(alignment: Alignment, swapped: number): number {
  const extra = [...alignment.onlyA, ...alignment.onlyB].filter(
    ({ kind }) => kind === 'known',
  ).length;
  return REMAINS.knownOne ** Math.max(0, Math.min(3, extra - 2 * swapped));
}

/** Links that one side has and the other has not. */
function linkDifferences(a: readonly string[], b: readonly string[]): number {
  const left = [...b];
  let differ = 0;
  for (const link of a) {
    const at = left.indexOf(link);
    if (at < 0) differ += 1;
    else left.splice(at, 1);
  }
  return Math.min(2, differ + left.length);
}

function isTelling(token: Token): boolean {
  return token.kind === 'telling';
}

/** All meanings that a failure mentions anywhere; one said in the class need not be in the message. */
function meaningsOf(reading: Reading): Set<string> {
  const known = new Set(reading.tokens.map((token) => token.text));
  for (const word of reading.classWords) known.add(meaningOf(word)?.id ?? word);
  for (const value of reading.attributeValues)
    for (const id of value.slice(value.indexOf('=') + 1).split('+')) known.add(id);
  return known;
}

function tellingOnly(tokens: readonly Token[], known: ReadonlySet<string>): string[] {
  const texts = tokens
    .filter((token) => isTelling(token) && !known.has(token.text))
    .map((token) => token.text);
  return [...new Set(texts)];
}
