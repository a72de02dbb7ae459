/** Reads labelled pairs, one JSON object per line; says which line is not one. */
import type { Failure } from '../../src/text/similarity/index.ts';

export interface LabelledPair {
  readonly a: Failure | string;
  readonly b: Failure | string;
  readonly same: boolean;
  /** Which part of the file, where it says so. */
  readonly set?: string;
}

export function parsePairs(text: string): LabelledPair[] {
  const pairs: LabelledPair[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const pair = JSON.parse(line) as Partial<LabelledPair>;
    if (!isFailure(pair.a) || !isFailure(pair.b) || typeof pair.same !== 'boolean')
      throw new Error(
        `pairs.jsonl line ${index + 1}: expected {"a","b","same"} with texts or failures`,
      );
    const set = typeof pair.set === 'string' ? { set: pair.set } : {};
    pairs.push({ a: pair.a, b: pair.b, same: pair.same, ...set });
  }
  return pairs;
}

function isFailure(value: unknown): value is Failure | string {
  if (typeof value === 'string') return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    'message' in value &&
    typeof value.message === 'string'
  );
}
