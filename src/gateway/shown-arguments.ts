/** Arguments as a person sees them in a question: sanitised, cut, without those that the contract redacts. */
import type { CleanText, Json } from '../base/index.ts';

const SHOWN_MAX = 1000;

export async function shownArguments(given: Json, redact: readonly string[]): Promise<CleanText> {
  const { recordedText } = await import('../sanitise/index.ts');
  return recordedText(JSON.stringify(without(given, new Set(redact)), null, 1), {
    lengthMax: SHOWN_MAX,
  });
}

/** At every depth: an argument of that name is one wherever it stands. */
function without(value: Json, redact: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((one) => without(one, redact));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).map(([key, child]) => [
    key,
    redact.has(key) ? '(redacted)' : without(child as Json, redact),
  ]);
  return Object.fromEntries(kept) as Json;
}
