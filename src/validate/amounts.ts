/**
 * Amounts under keys that hold a word of permissions by chance: `allowance: PT2S`, `admin_wait: 5`, `grants_per_minute: 20`. What
 * is permitted is a name, a switch, a rank or an address. A time or a size is none of these, and neither is what a compound key
 * names last, which is what it counts. Where a key names a permission (`sudo: 5m`, `elevated_for: 5m`), a time may be how long that lasts:
 * there only a last word for waiting tells.
 */
import { quantityOf } from '../document/index.ts';
import type { ValueChange } from './structure-changes.ts';

type Change = Pick<ValueChange, 'from' | 'to'>;

/** Shares and bare multipliers (`5%`, `10k`) may be of anything, of money too. */
const UNSAID = new Set(['%', 'k', 'K', 'M', 'G', 'T']);

/** A time or a size by its own unit, before and after. */
export function isSized({ from, to }: Change): boolean {
  return [from, to].every((value) => {
    const unit = typeof value === 'string' ? (quantityOf(value)?.unit ?? null) : null;
    return unit !== null && !UNSAID.has(unit);
  });
}

/** Not `ttl`: what lives so long may be the permission. */
const TIMES = new Set('backoff deadline delay interval patience timeout timeouts wait'.split(' '));
/** What is done again and again. How often is no permission where the key itself says `allowed`. */
const ACTS = new Set(
  'attempts calls concurrency pages parallelism qps repeats results retries rpm steps tpm tries turns'.split(
    ' ',
  ),
);
const PERIODS = new Set('d day h hour m min minute month s sec second week'.split(' '));

/** By the last word of a key: of `limit`, `max`, `level` and `budget` nobody knows what they are of. */
export function saysTime(words: readonly string[]): boolean {
  const [before, last] = words.slice(-2);
  return words.length > 1 && (TIMES.has(last!) || (before === 'per' && PERIODS.has(last!)));
}

export function saysActs(words: readonly string[]): boolean {
  return words.length > 1 && ACTS.has(words.at(-1)!);
}

/** The word means an amount: of time or calls below a tool, of money perhaps elsewhere. */
export function saysAllowance(words: readonly string[]): boolean {
  return /^allowances?$/.test(words.at(-1) ?? '');
}
