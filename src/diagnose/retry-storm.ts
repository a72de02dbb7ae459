/**
 * Whether tries after failures keep a tool on its knees. Calls are counted in blocks; how the share of failures grows
 * with all tries is read off them, and for fewer tries the load that they would make is solved for. Fewer tries are
 * the cure only if that predicts far less: with failures that do not depend on load it predicts more, and with the
 * present number of tries it must predict about what was seen. Pure.
 */
import type { PlaceBin, TriesView } from '../facts/index.ts';
import { type LoadCurve, type LoadPoint, loadCurve, loadWithTries } from './load-curve.ts';

const HOUR_MS = 3_600_000;
const BLOCK_MS = 600_000;
const BLOCKS_MIN = 12;
const AGAIN_MIN = 50;
/** Of all tries; with fewer, tries are not what loads the tool. */
const AGAIN_SHARE = 0.25;
/** A lost call costs as much as four tries for nothing. */
const TRY_COST = 0.25;
const BETTER = 0.5;
/** Of the calls; where hardly any are lost, it is enough that tries for nothing go. */
const LOST_MAX = 0.02;
/** At most so many times fewer in one step. */
const STEP_MAX = 4;

export interface Storm {
  readonly retries: number;
  /** What the cost is lowest with. */
  readonly fewer: number;
  /** Of all calls of the tool, the share that were tries after a failure. */
  readonly againShare: number;
  /** Tries for each call, and the share of calls that are lost, now and as predicted with fewer. */
  readonly now: Prediction;
  readonly then: Prediction;
}

interface Prediction {
  readonly tries: number;
  readonly lost: number;
}

interface Block {
  readonly all: number;
  readonly bad: number;
  readonly first: number;
}

export function stormOf(
  { history, tries }: { readonly history: readonly PlaceBin[]; readonly tries?: TriesView | null },
  retries: number,
): Storm | undefined {
  if (retries < 2 || tries === undefined || tries === null) return undefined;
  const chains = chainsOf(tries, retries);
  const blocks = blocksOf(history, tries, chains.endedWell);
  const sum = (of: (block: Block) => number) => blocks.reduce((n, block) => n + of(block), 0);
  const [all, first] = [sum((one) => one.all), sum((one) => one.first)];
  const again = all - first;
  if (blocks.length < BLOCKS_MIN || again < AGAIN_MIN || again < AGAIN_SHARE * all)
    return undefined;
  const curve = loadCurve([
    ...blocks.map((one) => ({ load: one.all, bad: one.bad, all: one.all })),
    ...hoursBefore(history, tries),
  ]);
  const now = { tries: all / first, lost: chains.lost / first };
  const fewer = cheapest(blocks, curve, retries);
  // The same calls were served, or can be: whether it gets up by itself is seen when fewer are tried.
  const then = predict(blocks, fewer, { curve, from: 'below' });
  return cost(then) < BETTER * cost(now) && then.lost <= Math.max(BETTER * now.lost, LOST_MAX)
    ? { retries, fewer, againShare: again / all, now, then }
    : undefined;
}

/** Whether most calls of the tool are tries after failures: whatever the cure is, it is nothing that makes it busier. */
export function isMostlyTries(
  { history, tries }: { readonly history: readonly PlaceBin[]; readonly tries?: TriesView | null },
  retries: number,
): boolean {
  if (retries < 2 || tries === undefined || tries === null) return false;
  const calls = history.reduce(
    (sum, { atMs, toolCalls }) => sum + (atMs >= tries.fromMs ? toolCalls : 0),
    0,
  );
  const again = tries.bins.reduce((sum, one) => sum + one.again, 0);
  return again >= AGAIN_MIN && again * 2 > calls;
}

/** From the time before tries were counted, as loads of a block: when the tool was well, it shows there. */
function hoursBefore(history: readonly PlaceBin[], { fromMs }: TriesView): LoadPoint[] {
  return history
    .filter(({ atMs, toolCalls }) => atMs < fromMs && toolCalls > 0)
    .map(({ toolCalls, bad, othersFailed }) => ({
      load: (toolCalls * BLOCK_MS) / HOUR_MS,
      bad: Math.min(toolCalls, bad + othersFailed),
      all: toolCalls,
    }));
}

/** How many calls were given up after every try, and which share of the others came through in the end. */
function chainsOf({ chains }: TriesView, retries: number) {
  let [all, lost] = [0, 0];
  for (const { failed, count } of chains) {
    all += count;
    // Two lost calls right after each other look like one.
    lost += count * Math.floor(failed / (retries + 1));
  }
  return { lost, endedWell: all === 0 ? 0 : Math.max(0, 1 - lost / all) };
}

function blocksOf(history: readonly PlaceBin[], tries: TriesView, endedWell: number): Block[] {
  const blocks = new Map<number, { all: number; first: number; again: number }>();
  const at = (atMs: number) => {
    const key = Math.floor(atMs / BLOCK_MS);
    const known = blocks.get(key) ?? { all: 0, first: 0, again: 0 };
    blocks.set(key, known);
    return known;
  };
  // Bins of an hour are of the time before tries were counted.
  for (const { atMs, toolCalls } of history) if (atMs >= tries.fromMs) at(atMs).all += toolCalls;
  for (const { atMs, first, again } of tries.bins) {
    const block = at(atMs);
    block.first += first;
    block.again += again;
  }
  return [...blocks.values()]
    .filter(({ all }) => all > 0)
    .map(({ all, first, again }) => ({
      all,
      bad: Math.min(all, first + again),
      first: Math.max(1, all - again - endedWell * first),
    }));
}

type Solved = Parameters<typeof loadWithTries>[2];

function predict(blocks: readonly Block[], retries: number, solved: Solved): Prediction {
  let [load, lost, first] = [0, 0, 0];
  for (const block of blocks) {
    const one = loadWithTries(block.first, retries, solved);
    load += one.load;
    lost += one.lost;
    first += block.first;
  }
  return { tries: load / first, lost: lost / first };
}

const cost = ({ tries, lost }: Prediction) => lost + TRY_COST * (tries - 1);

/** Of those that cost nearly the least for a tool on its knees, the most tries: the smallest step. */
function cheapest(blocks: readonly Block[], curve: LoadCurve, retries: number): number {
  const least = Math.max(1, Math.floor(retries / STEP_MAX));
  const choices = Array.from({ length: retries - least }, (_, at) => {
    const fewer = least + at;
    return { fewer, cost: cost(predict(blocks, fewer, { curve, from: 'above' })) };
  });
  const best = Math.min(...choices.map((one) => one.cost));
  return choices.findLast((one) => one.cost <= best * 1.1 + 0.002)!.fewer;
}
