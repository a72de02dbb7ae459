/** Harm is taken back once, although the worker is killed at every step. */
import { describe, test } from 'vitest';
import { ENGINES, expectTakenBack, killedStory } from './killed-story.test-support.ts';

const play = killedStory('helps-then-hurts', { killed: 'after', expectEnd: expectTakenBack });

describe.each(ENGINES)('killed at every step on %s', (engine) => {
  test('up to the decision: one change waits for it', async () => {
    await play.upToDecision(engine);
  });
  test('after the decision: harm is taken back once', () => play.toEnd(engine));
});
