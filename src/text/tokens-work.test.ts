/**
 * Linear time, shown by counting work instead of measuring time: V8's block coverage says how often
 * every block of the tokeniser and the miner ran.
 */
import { Session } from 'node:inspector';
import { describe, expect, it } from 'vitest';
import { Miner } from './miner/index.ts';
import { placesBeforeCode, valuePlaces } from './miner/value-places.ts';
import { MAX_CHARS, Tokeniser } from './tokens.ts';

/** How often blocks of this room's files ran while `work` did. */
function blocksRun(work: () => void): number {
  const session = new Session();
  session.connect();
  let total = 0;
  try {
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    work();
    session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      if (error) throw error;
      for (const { url, functions } of coverage.result) {
        if (!/src\/text\/(token|miner)/.test(url) || url.includes('.test.')) continue;
        for (const { ranges } of functions) for (const range of ranges) total += range.count;
      }
    });
    session.post('Profiler.stopPreciseCoverage');
  } finally {
    session.disconnect();
  }
  return total;
}

const ADVERSARIAL: readonly [string, (length: number) => string][] = [
  ['one word', (n) => 'a'.repeat(n)],
  ['hex with colons, never six groups', (n) => 'a:b:c:zz '.repeat(n / 9)],
  ['schemes', (n) => 'x://'.repeat(n / 4)],
  ['schemes without paths', (n) => 'x://y '.repeat(n / 6)],
  ['opening quotes after keys', (n) => 'a="b '.repeat(n / 5)],
  ['braces after keys', (n) => 'a=b{c'.repeat(n / 5)],
  ['minus signs and digits', (n) => '-1-a'.repeat(n / 4)],
  ['months and spaces', (n) => 'May      x '.repeat(n / 11)],
  ['joined without end', (n) => 'a.'.repeat(n / 2)],
  ['slashes', (n) => '/a:/'.repeat(n / 4)],
  ['a list', (n) => '1 '.repeat(n / 2)],
  ['marks', (n) => '(['.repeat(n / 2)],
  ['lines that end with a colon', (n) => 'a:\n b:\nc:\n'.repeat(n / 10)],
  ['apostrophes', (n) => "a'".repeat(n / 2)],
];

/** Far above what any input needs, far below a second pass for every character (16 384). */
const BLOCKS_PER_CHAR = 64;

describe('the tokeniser does work in proportion to length, up to its limit', () => {
  it.each(ADVERSARIAL)('%s', (_, make) => {
    const tokens = new Tokeniser();
    for (const length of [1_000, MAX_CHARS, 8 * MAX_CHARS]) {
      const message = make(length);
      const blocks = blocksRun(() => tokens.read(message));
      expect(blocks).toBeGreaterThan(0);
      expect(blocks).toBeLessThan(BLOCKS_PER_CHAR * Math.min(length, MAX_CHARS) + 1_000);
    }
  });
});

/** From every character four blocks may run for each of the 400 that are looked at; all of the text would be 10 000 and more. */
const BLOCKS_PER_LOOK = 1_600;

describe('places of values are found by work in proportion to length', () => {
  it.each(['"a ', '["', '{', 'a:', 'a=b', '\\', ', a: ', ': AB ', 'Ab(', "'a' "])('%j', (unit) => {
    const text = unit.repeat(10_000);
    const blocks = blocksRun(() => placesBeforeCode(text) ?? valuePlaces(text));
    expect(blocks).toBeGreaterThan(0);
    expect(blocks).toBeLessThan(BLOCKS_PER_LOOK * text.length);
  });
});

describe('the miner does bounded work per message', () => {
  it('on forms that never join', () => {
    const run = (count: number) => {
      const miner = new Miner();
      return blocksRun(() => {
        for (let i = 0; i < count; i++)
          miner.add(`${'xyz'.repeat((i % 7) + 1)}${'gh'.repeat(i / 7)} stopped`);
      });
    };
    const [some, more] = [run(400), run(1_600)];
    expect(more / 1_600).toBeLessThan((3 * some) / 400);
  });
});
