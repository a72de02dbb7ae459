/** Harm is taken back once, although the worker is killed at every step. */
import { describe, test } from 'vitest';
import { expectTakenBack, killedStory, STRETCHES } from './killed-story.test-support.ts';

const play = killedStory('helps-then-hurts', expectTakenBack);

describe.each(STRETCHES)('killed at every step %s', (killed) => {
  test('the story ends the same on sqlite', () => play(killed, 'sqlite'));
  test('the story ends the same on postgres', () => play(killed, 'postgres'));
});
