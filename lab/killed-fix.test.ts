/** A fix is found, deployed once and kept, although the worker is killed at every step. */
import { describe, test } from 'vitest';
import { ENGINES, expectKept, killedStory } from './killed-story.test-support.ts';

const play = killedStory('timeout-too-low', { killed: 'before', expectEnd: expectKept });

describe.each(ENGINES)('killed at every step on %s', (engine) => {
  test('up to the decision: one change waits for it', async () => {
    await play.upToDecision(engine);
  });
  test('after the decision: a fix is deployed once and kept', () => play.toEnd(engine));
});
