/**
 * Calls of a tool in blocks of ten minutes: all of them, and which of them were first tries; and which part of the first
 * tries is one agent's own. Blocks are long enough to smooth minutes and short enough to see a load that lasts. Pure.
 */
import type { PlaceBin, TriesView } from '../facts/index.ts';
import { type LoadPoint, triesAt } from './load-curve.ts';

const HOUR_MS = 3_600_000;
const BLOCK_MS = 600_000;
/** Nobody tries more often; only a limit for the search. */
const OTHERS_RETRIES_MAX = 20;

export interface Block {
  readonly all: number;
  readonly bad: number;
  readonly first: number;
  /** First tries that failed; and tries after a failure, and those of them that failed. */
  readonly firstBad: number;
  readonly again: number;
  readonly againBad: number;
  /** This agent's own first tries, and those of them that failed: others may wait longer for an answer. */
  readonly ownFirst: number;
  readonly ownFirstBad: number;
}

export interface CountedTries {
  /** From when on tries were counted, whole blocks, everybody's calls. */
  readonly blocks: readonly Block[];
  /** From the time before that, as loads of a block: when the tool was well, it shows there. */
  readonly before: readonly LoadPoint[];
  /** The agent's own part of the first tries, and what became of it. */
  readonly own: { readonly share: number; readonly tries: number; readonly lost: number };
  /** The number of tries that explains how often everybody else called. */
  readonly othersRetries: number;
}

export interface TriedPlace {
  readonly history: readonly PlaceBin[];
  readonly tries: TriesView;
  /** The history has hours before this window and minutes in it. */
  readonly windowFromMs: number;
}

export function countTries(place: TriedPlace, retries: number): CountedTries {
  const { history, tries } = place;
  const chains = chainsOf(tries, retries);
  const counted = blocksOf(place, chains);
  const [all, first] = [
    counted.reduce((n, one) => n + one.all, 0),
    counted.reduce((n, one) => n + one.first, 0),
  ];
  const calls = history.reduce((n, one) => n + (one.atMs >= tries.fromMs ? one.all : 0), 0);
  const ownFirst = Math.max(1, calls - chains.again - chains.endedWell * chains.all);
  const share = calls >= all ? 1 : Math.min(1, ownFirst / Math.max(1, first));
  return {
    // The first one may have begun before tries were counted, and would look like a small load.
    blocks: counted.filter(({ fromMs }) => fromMs >= tries.fromMs),
    before: loadsBefore(place),
    own: { share, tries: calls / ownFirst, lost: chains.lost / ownFirst },
    othersRetries: share === 1 ? 0 : retriesOf(counted, 1 - share, all - calls),
  };
}

/** How many calls were given up after every try, and which share of the others came through in the end. */
function chainsOf({ chains }: TriesView, retries: number) {
  let [all, again, lost] = [0, 0, 0];
  for (const { failed, count } of chains) {
    all += count;
    again += count * (failed - 1);
    // Two lost calls right after each other look like one.
    lost += count * Math.floor(failed / (retries + 1));
  }
  return { all, again, lost, endedWell: all === 0 ? 0 : Math.max(0, 1 - lost / all) };
}

function blocksOf(
  { history, tries }: TriedPlace,
  chains: { readonly again: number; readonly endedWell: number },
): (Block & { readonly fromMs: number })[] {
  const { endedWell } = chains;
  const blocks = new Map<number, Record<'all' | 'first' | 'again' | 'own' | 'othersBad', number>>();
  const at = (atMs: number) => {
    const fromMs = startOf(atMs);
    const known = blocks.get(fromMs) ?? { all: 0, first: 0, again: 0, own: 0, othersBad: 0 };
    blocks.set(fromMs, known);
    return known;
  };
  for (const { atMs, toolCalls, all, othersFailed } of history) {
    if (atMs < tries.fromMs) continue;
    const block = at(atMs);
    block.all += toolCalls;
    block.own += all;
    block.othersBad += othersFailed;
  }
  for (const { atMs, first, again } of tries.bins) {
    const block = at(atMs);
    block.first += first;
    block.again += again;
  }
  const everybodys = tries.bins.reduce((n, { again }) => n + again, 0);
  const ownPart = Math.min(1, chains.again / Math.max(1, everybodys));
  return [...blocks]
    .filter(([, { all }]) => all > 0)
    .map(([fromMs, { all, first, again, own, othersBad }]) => {
      // One failure may be told with several codes, and rows of tries are counted over all of them.
      const ownFirstBad = Math.max(0, first + again - othersBad - ownPart * again);
      const ownAgain = ownPart * again + endedWell * ownFirstBad;
      return {
        fromMs,
        all,
        bad: Math.min(all, first + again),
        first: Math.max(1, all - again - endedWell * first),
        firstBad: first,
        again: again + endedWell * first,
        againBad: again,
        ownFirst: Math.max(ownFirstBad, own - ownAgain),
        ownFirstBad,
      };
    });
}

/** Hours before the window; minutes of the window that are older than the counted tries, joined to whole blocks. */
function loadsBefore({ history, tries, windowFromMs }: TriedPlace): LoadPoint[] {
  const minutesFromMs = Math.floor(windowFromMs / HOUR_MS) * HOUR_MS;
  const toMs = startOf(tries.fromMs);
  const hours: LoadPoint[] = [];
  const blocks = new Map<number, { load: number; bad: number; all: number }>();
  for (const { atMs, toolCalls, bad, othersFailed } of history) {
    const failed = Math.min(toolCalls, bad + othersFailed);
    if (toolCalls === 0) continue;
    if (atMs < minutesFromMs) {
      if (atMs < tries.fromMs)
        hours.push({ load: (toolCalls * BLOCK_MS) / HOUR_MS, bad: failed, all: toolCalls });
    } else if (atMs < toMs) {
      const key = startOf(atMs);
      const block = blocks.get(key) ?? { load: 0, bad: 0, all: 0 };
      block.load += toolCalls;
      block.all += toolCalls;
      block.bad += failed;
      blocks.set(key, block);
    }
  }
  return [...hours, ...blocks.values()];
}

/** How often others must try for their part of the first tries to become so many calls. */
function retriesOf(blocks: readonly Block[], share: number, calls: number): number {
  const missed = (retries: number) =>
    Math.abs(
      calls -
        blocks.reduce((sum, { first, bad, all }) => {
          const failing = Math.min(bad / all, 0.999);
          return sum + share * first * triesAt(failing, retries);
        }, 0),
    );
  const choices = Array.from({ length: OTHERS_RETRIES_MAX + 1 }, (_, retries) => retries);
  return choices.reduce((best, one) => (missed(one) < missed(best) ? one : best), 0);
}

const startOf = (atMs: number) => Math.floor(atMs / BLOCK_MS) * BLOCK_MS;
