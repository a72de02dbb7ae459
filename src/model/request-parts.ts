/** Parts of requests that providers have in common. */
import { z } from 'zod';
import type { Json } from '../base/index.ts';

const OUTPUT_TOKENS_MAX = 128_000;
const DEPTH_MAX = 40;

export const outputTokens = () => z.int().min(1).max(OUTPUT_TOKENS_MAX);
export const share = () => z.number().min(0).max(2);
/** An answer is read whole before the sandbox gets it, so that it can be checked. */
export const notStreamed = () =>
  z.literal(false, { error: 'answers are not streamed here: leave "stream" out' }).optional();

/** A schema of arguments; one that leads elsewhere could make the provider fetch it. */
export const argumentSchema = () =>
  z
    .record(z.string(), z.json())
    .refine((schema) => isSelfContained(schema), 'a "$ref" may only lead to a place inside it');

export const argumentValues = () => z.record(z.string(), z.json());

function isSelfContained(value: unknown, depth = 0): boolean {
  if (depth > DEPTH_MAX) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, part]) => {
    const leads = key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef';
    if (leads && typeof part === 'string') return part.startsWith('#');
    return isSelfContained(part, depth + 1);
  });
}

/** What somebody else's JSON counts there. */
export const countAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const found = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined;
};

/** The largest of what these fields say; the most that can be, where none says anything. */
export function tokensAt(request: Json, ...keys: readonly string[]): number {
  const said = keys.map((key) => countAt(request, key)).filter((count) => count !== undefined);
  return said.length === 0 ? OUTPUT_TOKENS_MAX : Math.max(...said);
}
