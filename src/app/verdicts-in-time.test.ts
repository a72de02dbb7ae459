import { expect, test } from 'vitest';
import { ManualClock } from '../base/index.ts';
import type { Verdict } from '../gateway/index.ts';
import { VerdictsInTime } from './verdicts-in-time.ts';

const PASSES: Verdict = {
  passes: true,
  level: 0,
  reasons: [],
  observed: false,
  maxOutput: 1,
  context: undefined,
};
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

test('a verdict in time is given as it is, and one that fails is a refusal', async () => {
  using verdicts = new VerdictsInTime(new ManualClock());
  expect(await verdicts.wait(Promise.resolve(PASSES))).toBe(PASSES);
  expect(await verdicts.wait(Promise.reject(new Error('broken')))).toMatchObject({
    passes: false,
    level: 3,
    reasons: [{ code: 'undecided' }],
  });
});

test('each that hangs is refused when its own time is over, also behind those that did not', async () => {
  const clock = new ManualClock();
  using verdicts = new VerdictsInTime(clock);
  const said: string[] = [];
  const hang = (name: string) =>
    void verdicts
      .wait(new Promise(() => {}))
      .then(({ passes }) => said.push(`${name} ${passes ? 'passes' : 'refused'}`));
  await verdicts.wait(Promise.resolve(PASSES));
  clock.advance(4_000);
  hang('first');
  clock.advance(3_000);
  hang('second');
  // The time of the one that was in time: nobody is refused for it.
  clock.advance(3_000);
  await settled();
  expect(said).toEqual([]);
  clock.advance(4_000);
  await settled();
  expect(said).toEqual(['first refused']);
  clock.advance(3_000);
  await settled();
  expect(said).toEqual(['first refused', 'second refused']);
  hang('third');
  clock.advance(10_000);
  await settled();
  expect(said.at(-1)).toBe('third refused');
});

test('what waits when the connection ends is refused at once', async () => {
  const verdicts = new VerdictsInTime(new ManualClock());
  const waiting = verdicts.wait(new Promise(() => {}));
  verdicts[Symbol.dispose]();
  expect((await waiting).passes).toBe(false);
});
