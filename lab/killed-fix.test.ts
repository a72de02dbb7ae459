/** A fix is found, deployed once and kept, although the worker is killed at every step. */
import { describe, test } from 'vitest';
import { expectKept, killedStory, STRETCHES } from './killed-story.test-support.ts';

const play = killedStory('timeout-too-low', expectKept);

describe.each(STRETCHES)('killed at every step %s', (killed) => {
  test('the story ends the same on sqlite', () => play(killed, 'sqlite'));
  test('the story ends the same on postgres', () => play(killed, 'postgres'));
});
