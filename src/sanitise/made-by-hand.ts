/**
 * Runs that somebody typed to stand for a key: `abcdef1234567890`, `deadbeefdeadbeef`. A machine that draws signs by
 * chance makes none of them, so where a key is told by its chance alone, these are not one.
 */

/** Of fewer signs they come up by chance. */
const STEPS_MIN = 2;
/** In chance hex one sign of twenty stands in a sequence, in other alphabets one of fifty. */
const SEQUENCE_SHARE = 0.5;
const LENGTH_MIN = 8;
/** Longer runs are looked at this far. */
const LENGTH_MAX = 256;

export function isMadeByHand(run: string): boolean {
  if (run.length < LENGTH_MIN) return false;
  const signs = run.slice(0, LENGTH_MAX).toLowerCase();
  return inSequence(signs) >= signs.length * SEQUENCE_SHARE || repeatsItself(signs);
}

/** How many signs stand in a sequence that goes up or down by one: `abc`, `aabbcc`, `890`, `fedc`. */
function inSequence(signs: string): number {
  let counted = 0;
  let [length, steps, direction] = [1, 0, 0];
  for (let at = 1; at <= signs.length; at++) {
    const step = at < signs.length ? stepAt(signs, at) : Number.NaN;
    if (step === 0 || (Math.abs(step) === 1 && direction !== -step)) {
      length += 1;
      if (step !== 0) [steps, direction] = [steps + 1, step];
      continue;
    }
    if (steps >= STEPS_MIN) counted += length;
    [length, steps, direction] = [1, 0, 0];
  }
  return counted;
}

/** Digits go round: 9 is followed by 0. */
function stepAt(signs: string, at: number): number {
  const [before, here] = [signs.charCodeAt(at - 1), signs.charCodeAt(at)];
  if (before === 57 && here === 48) return 1;
  return before === 48 && here === 57 ? -1 : here - before;
}

/** The same signs again and again, to the end: sixteen signs come up twice in a row in no key. */
function repeatsItself(signs: string): boolean {
  for (let period = 1; period <= signs.length / 2; period++) {
    let at = period;
    while (at < signs.length && signs.charCodeAt(at) === signs.charCodeAt(at - period)) at += 1;
    if (at === signs.length) return true;
  }
  return false;
}
