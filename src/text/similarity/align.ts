/**
 * Lays two messages beside each other: which tokens correspond, and which words stand where another
 * word stands in the other. Dynamic programming over at most 96 by 96 tokens; where the parts of a
 * message were reordered, words are paired regardless of their place.
 */
import { type Token, WEIGHTS } from './tokens.ts';

export interface Alignment {
  /** 0 to 1: weight of what corresponds, of all weight. */
  readonly similarity: number;
  /** Words with a meaning that are in each other's place. */
  readonly swaps: readonly (readonly [Token, Token])[];
  readonly onlyA: readonly Token[];
  readonly onlyB: readonly Token[];
}

const HOLES = new Set(['name', 'number', 'place']);

export function align(a: readonly Token[], b: readonly Token[]): Alignment {
  const ordered = alignInOrder(a, b);
  const loose = pairAnywhere(a, b);
  return ordered.matched >= 0.97 * loose.matched ? finish(ordered, a, b) : finish(loose, a, b);
}

interface Pairing {
  readonly matched: number;
  /** For each token of a, the index of its partner in b or -1. */
  readonly partner: readonly number[];
}

function alignInOrder(a: readonly Token[], b: readonly Token[]): Pairing {
  const width = b.length + 1;
  const best = new Float64Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const pair = pairValue(a[i]!, b[j]!) + best[(i + 1) * width + j + 1]!;
      best[i * width + j] = Math.max(pair, best[(i + 1) * width + j]!, best[i * width + j + 1]!);
    }
  }
  const partner = new Array<number>(a.length).fill(-1);
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const here = best[i * width + j]!;
    const value = pairValue(a[i]!, b[j]!);
    if (value > 0 && here === value + best[(i + 1) * width + j + 1]!) {
      partner[i] = j;
      i += 1;
      j += 1;
    } else if (here === best[(i + 1) * width + j]!) i += 1;
    else j += 1;
  }
  return { matched: best[0] ?? 0, partner };
}

/** Equal tokens first, then those that may correspond, in order of their place. */
function pairAnywhere(a: readonly Token[], b: readonly Token[]): Pairing {
  const partner = new Array<number>(a.length).fill(-1);
  const taken = new Array<boolean>(b.length).fill(false);
  const places = new Map<string, number[]>();
  for (const [index, token] of b.entries()) {
    const key = `${token.kind} ${token.text}`;
    places.set(key, [...(places.get(key) ?? []), index]);
  }
  let matched = 0;
  const pair = (i: number, j: number) => {
    partner[i] = j;
    taken[j] = true;
    matched += pairValue(a[i]!, b[j]!);
  };
  for (const [i, token] of a.entries()) {
    const j = places.get(`${token.kind} ${token.text}`)?.shift();
    if (j !== undefined) pair(i, j);
  }
  let from = 0;
  for (const [i, token] of a.entries()) {
    if (partner[i] !== -1) continue;
    for (let j = from; j < b.length; j += 1) {
      if (taken[j] || pairValue(token, b[j]!) <= 0) continue;
      pair(i, j);
      from = j + 1;
      break;
    }
  }
  return { matched, partner };
}

/** How well two tokens correspond (0 to 1) times their mean weight. */
function pairValue(a: Token, b: Token): number {
  const likeness = tokenLikeness(a, b);
  return likeness === 0 ? 0 : (likeness * (WEIGHTS[a.kind] + WEIGHTS[b.kind])) / 2;
}

const NAME_LIKE = new Set(['name', 'number', 'place', 'soft']);

function tokenLikeness(a: Token, b: Token): number {
  if (a.kind === b.kind && a.text === b.text) return 1;
  const holeA = HOLES.has(a.kind);
  const holeB = HOLES.has(b.kind);
  if (holeA && holeB) return 0.9;
  if (NAME_LIKE.has(a.kind) && NAME_LIKE.has(b.kind)) return 0.75;
  if (a.kind === 'type' && b.kind === 'type') return 0.55;
  if (isWord(a) && isWord(b)) {
    if (a.text === b.text) return 1;
    return shareStem(a.text, b.text) ? 0.9 : a.kind === 'soft' || b.kind === 'soft' ? 0.4 : 0;
  }
  if ((holeA && b.kind === 'word') || (holeB && a.kind === 'word')) return 0.5;
  if ((holeA && b.kind === 'type') || (holeB && a.kind === 'type')) return 0.5;
  return 0;
}

function isWord(token: Token): boolean {
  return token.kind === 'word' || token.kind === 'soft';
}

function shareStem(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return length >= 5 && a.slice(0, Math.max(5, length - 3)) === b.slice(0, Math.max(5, length - 3));
}

function finish(pairing: Pairing, a: readonly Token[], b: readonly Token[]): Alignment {
  const partnersOfB = new Set(pairing.partner);
  const onlyA = a.filter((_, index) => pairing.partner[index] === -1);
  const onlyB = b.filter((_, index) => !partnersOfB.has(index));
  const weightA = weightOf(a);
  const weightB = weightOf(b);
  // A wrapper around one of the two adds words; so the shorter counts more than the longer.
  const whole = 0.5 * Math.min(weightA, weightB) + 0.5 * Math.max(weightA, weightB);
  return {
    similarity: whole === 0 ? 1 : Math.min(1, pairing.matched / whole),
    swaps: swapsBetween(pairing, a, b),
    onlyA,
    onlyB,
  };
}

function weightOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + WEIGHTS[token.kind], 0);
}

/** Unpaired words between the same neighbours: `[disk] quota` and `[memory] quota`. */
function swapsBetween(
  pairing: Pairing,
  a: readonly Token[],
  b: readonly Token[],
): (readonly [Token, Token])[] {
  const partnersOfB = new Set(pairing.partner);
  const swaps: (readonly [Token, Token])[] = [];
  let gapA: Token[] = [];
  let nextB = 0;
  const closeGap = (endB: number) => {
    const gapB: Token[] = [];
    for (let j = nextB; j < endB; j += 1) if (!partnersOfB.has(j)) gapB.push(b[j]!);
    swaps.push(...swapsInGap(gapA, gapB));
    gapA = [];
  };
  for (const [index, token] of a.entries()) {
    const partner = pairing.partner[index]!;
    if (partner === -1) {
      gapA.push(token);
    } else if (partner >= nextB) {
      closeGap(partner);
      nextB = partner + 1;
    }
  }
  closeGap(b.length);
  return swaps;
}

/** Words against words; a telling word that is left over stands against a name. */
function swapsInGap(gapA: readonly Token[], gapB: readonly Token[]): (readonly [Token, Token])[] {
  const meantA = gapA.filter(isMeant);
  const meantB = gapB.filter(isMeant);
  const swaps: (readonly [Token, Token])[] = [];
  const count = Math.min(meantA.length, meantB.length);
  for (let index = 0; index < count; index += 1) swaps.push([meantA[index]!, meantB[index]!]);
  const nameA = gapA.find((token) => NAME_LIKE.has(token.kind));
  const nameB = gapB.find((token) => NAME_LIKE.has(token.kind));
  const restA = meantA.slice(count).find((token) => token.kind === 'telling');
  const restB = meantB.slice(count).find((token) => token.kind === 'telling');
  if (restA !== undefined && nameB !== undefined) swaps.push([restA, nameB]);
  if (restB !== undefined && nameA !== undefined) swaps.push([nameA, restB]);
  return swaps;
}

function isMeant(token: Token): boolean {
  return (
    token.kind === 'telling' ||
    token.kind === 'known' ||
    token.kind === 'word' ||
    token.kind === 'code'
  );
}
