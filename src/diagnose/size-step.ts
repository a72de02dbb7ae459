/**
 * Whether calls fail by their size: answers are cut where they reach a limit, inputs are refused above one. Seen in the
 * sizes themselves: what is cut piles up at one size that no success exceeds; what is refused is larger than all that passes.
 * Pure.
 */
import type { RecentCall } from '../facts/index.ts';
import { normalQuantile } from '../stats/index.ts';
import type { Evidence, Failure } from './types.ts';

/** Fewer show no limit. */
const FAILED_MIN = 8;
const GOOD_MIN = 20;
/** Counters of tokens differ a little from each other. */
const NEAR = 0.01;
const PILE = 0.9;
const BEYOND = 0.02;
/** The share of calls that the new limit is meant to let through. */
const AIM = 0.995;

export interface SizeStep {
  readonly of: 'output' | 'input';
  /** The limit lies between these; of what is cut both are where it is cut. */
  readonly fromTokens: number;
  readonly toTokens: number;
  readonly failed: number;
  /** Within this size the aimed share of all calls would stay. */
  readonly neededTokens: number;
}

/** Of an agent's calls of a tool, where they are known one by one. */
export function sizeStepOf(
  { agent, tool, errorCode }: Pick<Failure, 'agent' | 'tool' | 'errorCode'>,
  { calls }: Pick<Evidence, 'calls'>,
): SizeStep | undefined {
  const own = calls?.get(tool)?.filter((call) => call.agent === agent) ?? [];
  return findSizeStep(own, errorCode);
}

function findSizeStep(calls: readonly RecentCall[], code: string): SizeStep | undefined {
  const sizes = (field: 'outputTokens' | 'inputTokens', isWanted: (call: RecentCall) => boolean) =>
    calls
      .filter(isWanted)
      .flatMap((call) => call[field] ?? [])
      .sort((a, b) => a - b);
  const isFailed = ({ failedWith }: RecentCall) => failedWith === code;
  const isGood = ({ failedWith }: RecentCall) => failedWith === null;
  return (
    outputStep(sizes('outputTokens', isFailed), sizes('outputTokens', isGood)) ??
    inputStep(sizes('inputTokens', isFailed), sizes('inputTokens', isGood))
  );
}

function outputStep(failed: readonly number[], good: readonly number[]): SizeStep | undefined {
  if (failed.length < FAILED_MIN || good.length < GOOD_MIN) return undefined;
  const at = quantile(failed, 0.5);
  const isNear = (size: number) => Math.abs(size - at) <= NEAR * at;
  if (!(at > 0) || failed.filter(isNear).length < PILE * failed.length) return undefined;
  if (good.filter((size) => size > at * (1 + NEAR)).length > BEYOND * good.length) return undefined;
  // Good answers that often end at the very same size are as long as they should be.
  if (good.filter(isNear).length > failed.length) return undefined;
  const [fromTokens, toTokens] = [at * (1 - NEAR), at * (1 + NEAR)];
  const neededTokens = beyondCut(good, failed.length) ?? 2 * at;
  return { of: 'output', fromTokens, toTokens, failed: failed.length, neededTokens };
}

function inputStep(failed: readonly number[], good: readonly number[]): SizeStep | undefined {
  if (failed.length < FAILED_MIN || good.length < GOOD_MIN) return undefined;
  const [fromTokens, toTokens] = [quantile(good, 0.995), quantile(failed, 0.01)];
  if (toTokens < fromTokens) return undefined;
  const all = [...good, ...failed].sort((a, b) => a - b);
  const neededTokens = quantile(all, AIM) * 1.05;
  return { of: 'input', fromTokens: good.at(-1)!, toTokens, failed: failed.length, neededTokens };
}

/** How long answers would be that are cut, by a log-normal curve through two quantiles of those that are not. */
function beyondCut(good: readonly number[], cut: number): number | undefined {
  const part = good.length / (good.length + cut);
  const [low, high] = [quantile(good, 0.5), quantile(good, 0.95)];
  if (!(low > 0) || !(high > low)) return undefined;
  const [zLow, zHigh] = [normalQuantile(0.5 * part), normalQuantile(0.95 * part)];
  const sigma = Math.log(high / low) / (zHigh - zLow);
  const size = low * Math.exp(sigma * (normalQuantile(AIM) - zLow));
  return Number.isFinite(size) ? size : undefined;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
