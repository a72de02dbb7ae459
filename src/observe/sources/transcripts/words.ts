/** A message as a set of small numbers, for comparing it with another without keeping its words. */

/** People repeat and correct in their first sentences. */
const CHARS_MAX = 4000;
const TOKENS_MAX = 96;
/** Scripts that put no spaces between words: neighbouring signs take the place of words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{N}\p{M}_'’-]+/gu;

/** Its words in lower case, in order. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.slice(0, CHARS_MAX).toLowerCase().matchAll(RUN)) {
    if (words.length >= TOKENS_MAX) break;
    if (!UNSPACED.test(run)) words.push(run.replaceAll('’', "'"));
    else if (run.length === 1) words.push(run);
    else for (let at = 0; at + 1 < run.length; at++) words.push(run.slice(at, at + 2));
  }
  return words.slice(0, TOKENS_MAX);
}

/**
 * What waits in a state for the next message. 16 bits of a hash: enough to compare two messages, of which one word in a
 * hundred is taken for another; not enough to tell which word of a dictionary it was, let alone a password.
 */
export function tokensOf(words: readonly string[]): number[] {
  return [...new Set(words.map(small))];
}

function small(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++)
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 16)) & 0xffff;
}

/** How much of the earlier message comes again, from 0 to 1. */
export function coverage(earlier: readonly number[], later: readonly number[]): number {
  if (earlier.length === 0) return 0;
  const found = new Set(later);
  return earlier.filter((token) => found.has(token)).length / earlier.length;
}
