/**
 * Reads of many rows by key in few statements. Lists have a few fixed lengths and are padded
 * with their last key, so that the same few statements are prepared and used again.
 */
import type { Value } from '../store/index.ts';

const LENGTHS = [1, 4, 16, 64] as const;
const LENGTH_MAX = 64;

/** `?, ?, …` and its values, filled up; for `IN (…)`. At most `LENGTH_MAX` values in one list. */
export function inLists<T extends Value>(values: readonly T[]): { marks: string; values: T[] }[] {
  return chunks(values).map((chunk) => ({
    marks: Array(chunk.length).fill('?').join(', '),
    values: chunk,
  }));
}

function chunks<T>(all: readonly T[]): T[][] {
  const result: T[][] = [];
  for (let at = 0; at < all.length; at += LENGTH_MAX) {
    const chunk = all.slice(at, at + LENGTH_MAX);
    const length = LENGTHS.find((one) => one >= chunk.length) ?? LENGTH_MAX;
    while (chunk.length < length) chunk.push(chunk[chunk.length - 1]!);
    result.push(chunk);
  }
  return result;
}
