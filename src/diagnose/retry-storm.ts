/**
 * Whether tries after failures keep a tool on its knees. Calls are counted in blocks; how the share of failures grows
 * with all tries is read off them, and for fewer tries of this agent the load that they would make is solved for, while
 * others go on as they do. Fewer tries are the cure only if that predicts far less for the agent's own calls: with
 * failures that do not depend on load it predicts more. And with the present number of tries it must predict about what
 * was seen, else the setting is not what makes the tries, or load is not what makes them fail. Load meets first tries and
 * further ones alike: where what failed fails again while other calls of the same minutes succeed, what is asked decides it, and
 * the tries only look like a load. So they do where none of them succeeds in minutes in which others do. Pure.
 */
import type { PlaceBin, TriesView } from '../facts/index.ts';
import { type LoadCurve, loadCurve, loadWithTries, triesAt } from './load-curve.ts';
import { type Block, type CountedTries, countTries } from './tries-blocks.ts';
import { retriesSeen } from './tries-setting.ts';

const BLOCKS_MIN = 12;
const AGAIN_MIN = 50;
/** Of all tries; with fewer, or where fewer would go, tries are not what loads the tool. */
const AGAIN_SHARE = 0.25;
/** A lost call costs as much as four tries for nothing. */
const TRY_COST = 0.25;
const BETTER = 0.5;
/** Of the calls; where hardly any are lost, it is enough that tries for nothing go. */
const LOST_MAX = 0.02;
/** At most so many times fewer in one step. */
const STEP_MAX = 4;
/** Of all calls that were seen: by how many the predicted ones may differ. Chance alone makes a tenth. */
const MISSED_MAX = 1 / 3;

export interface Storm {
  readonly retries: number;
  /** What the cost is lowest with. */
  readonly fewer: number;
  /** Of all calls of the tool, the share that were tries after a failure. */
  readonly againShare: number;
  /** Of this agent: tries for each call, and the share of calls that are lost, now and as predicted with fewer. */
  readonly now: Prediction;
  readonly then: Prediction;
}

interface Prediction {
  readonly tries: number;
  readonly lost: number;
}

/** Of the further tries that fail, the share that would if they met what other calls meet: in a storm nearly all. */
const ALIKE_MIN = 0.5;
/**
 * Of the further tries that should succeed, the share that does. They crowd into the worst minutes of a block: in storms of random worlds
 * it was .14 and more, and none where the same calls fail whenever they are tried.
 */
const SAVED_MIN = 0.05;
/** Where none was seen, so many may have been missed by chance (rule of three, 95 %): with few tries nothing is said. */
const UNSEEN_MAX = 3;

interface Tried {
  readonly history: readonly PlaceBin[];
  readonly tries?: TriesView | null;
}

/** The history has hours before the window and minutes in it. */
export function stormOf(
  { history, tries }: Tried,
  { retries, windowFromMs }: { readonly retries: number; readonly windowFromMs: number },
): Storm | undefined {
  if (retries < 2 || tries === undefined || tries === null) return undefined;
  // Rows of failed tries that end sooner show that another number is at work.
  if ((retriesSeen(tries) ?? retries) < retries) return undefined;
  const counted = countTries({ history, tries, windowFromMs }, retries);
  const { blocks, before, own } = counted;
  const now = { tries: own.tries, lost: own.lost };
  const sum = (of: (block: Block) => number) => blocks.reduce((n, block) => n + of(block), 0);
  const [all, first] = [sum((one) => one.all), sum((one) => one.first)];
  const again = all - first;
  if (blocks.length < BLOCKS_MIN || again < AGAIN_MIN || again < AGAIN_SHARE * all)
    return undefined;
  if (!areAsOthers(blocks)) return undefined;
  const curve = loadCurve([
    ...blocks.map((one) => ({ load: one.all, bad: one.bad, all: one.all })),
    ...before,
  ]);
  if (missed(counted, retries, curve) > MISSED_MAX * all) return undefined;
  const fewer = cheapest(counted, curve, retries);
  const [most, less] = [retries, fewer].map((one) => kneesLoad(counted, one, curve));
  if (most! - less! < AGAIN_SHARE * most!) return undefined;
  // The same calls were served, or can be: whether it gets up by itself is seen when fewer are tried.
  const then = predict(counted, fewer, { curve, from: 'below' });
  return cost(then) < BETTER * cost(now) && then.lost <= Math.max(BETTER * now.lost, LOST_MAX)
    ? { retries, fewer, againShare: again / all, now, then }
    : undefined;
}

/** Whether most calls of the tool are tries after failures: whatever the cure is, it is nothing that makes it busier. */
export function isMostlyTries({ history, tries }: Tried, retries: number): boolean {
  if (retries < 2 || tries === undefined || tries === null) return false;
  const calls = history.reduce(
    (sum, { atMs, toolCalls }) => sum + (atMs >= tries.fromMs ? toolCalls : 0),
    0,
  );
  const again = tries.bins.reduce((sum, one) => sum + one.again, 0);
  return again >= AGAIN_MIN && again * 2 > calls;
}

/**
 * Whether tries after a failure fare about as other first tries of their block: they fail about as often, and some succeed where first
 * tries do. The first try of a row failed by definition, so it is left out; one that is alone in its block says nothing, and where most
 * are, what looks like load is the tries themselves. What succeeds is compared with first tries of this agent, which alone wait as
 * long for an answer: on its knees a tool may still serve whoever is patient.
 */
function areAsOthers(blocks: readonly Block[]): boolean {
  let [tried, failed, expected, expectedOwn] = [0, 0, 0, 0];
  for (const { first, firstBad, again, againBad, ownFirst, ownFirstBad } of blocks) {
    if (first < 2 || firstBad < 1) continue;
    const share = Math.min(1, (firstBad - 1) / (first - 1));
    const ownShare = ownFirst < 2 ? share : (ownFirstBad - 1) / (ownFirst - 1);
    tried += again;
    failed += againBad;
    expected += again * share;
    expectedOwn += again * Math.min(1, Math.max(0, ownShare));
  }
  const isSaved = tried - failed + UNSEEN_MAX >= SAVED_MIN * (tried - expectedOwn);
  return failed >= AGAIN_MIN && expected >= ALIKE_MIN * failed && isSaved;
}

type Solved = Parameters<typeof loadWithTries>[1];

/** Only this agent's calls are tried as often as asked. */
function solve({ first }: Block, retries: number, solved: Solved & { counted: CountedTries }) {
  const { counted } = solved;
  const own = counted.own.share * first;
  const others = { first: first - own, retries: counted.othersRetries };
  return { own, ...loadWithTries([{ first: own, retries }, others], solved) };
}

function predict(counted: CountedTries, retries: number, solved: Solved): Prediction {
  let [tries, lost, first] = [0, 0, 0];
  for (const block of counted.blocks) {
    const { own, share } = solve(block, retries, { counted, ...solved });
    tries += own * triesAt(share, retries);
    lost += own * share ** (retries + 1);
    first += own;
  }
  return { tries: tries / first, lost: lost / first };
}

/**
 * Calls that were seen beyond what the tries predict, whether the tool was up or on its knees; or were not seen. Near the edge between
 * both a few calls decide whether it stays on its knees: a load above is explained as well where the tries at its own share of failures
 * make it.
 */
function missed(counted: CountedTries, retries: number, curve: LoadCurve): number {
  return counted.blocks.reduce((sum, block) => {
    const up = solve(block, retries, { counted, curve, from: 'below' }).load;
    const down = solve(block, retries, { counted, curve, from: 'above' }).load;
    const made = madeAt(block, retries, { counted, share: Math.min(curve(block.all), 0.999) });
    return (
      sum + Math.max(0, up - block.all, Math.min(block.all - down, Math.abs(block.all - made)))
    );
  }, 0);
}

/** The calls that first tries become where each try fails with this share. */
function madeAt(
  { first }: Block,
  retries: number,
  { counted: { own, othersRetries }, share }: { counted: CountedTries; share: number },
): number {
  const ownFirst = own.share * first;
  return ownFirst * triesAt(share, retries) + (first - ownFirst) * triesAt(share, othersRetries);
}

/** Of a tool on its knees: others may keep it there, however rarely this agent tries. */
function kneesLoad(counted: CountedTries, retries: number, curve: LoadCurve): number {
  const solved = { curve, from: 'above' } as const;
  return counted.blocks.reduce(
    (sum, block) => sum + solve(block, retries, { counted, ...solved }).load,
    0,
  );
}

const cost = ({ tries, lost }: Prediction) => lost + TRY_COST * (tries - 1);

/** Of those that cost nearly the least for a tool on its knees, the most tries: the smallest step. */
function cheapest(counted: CountedTries, curve: LoadCurve, retries: number): number {
  const least = Math.max(1, Math.floor(retries / STEP_MAX));
  const choices = Array.from({ length: retries - least }, (_, at) => {
    const fewer = least + at;
    return { fewer, cost: cost(predict(counted, fewer, { curve, from: 'above' })) };
  });
  const best = Math.min(...choices.map((one) => one.cost));
  return choices.findLast((one) => one.cost <= best * 1.1 + 0.002)!.fewer;
}
