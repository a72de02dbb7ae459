/** Harm is taken back once, although the worker is killed at every step. */
import { describeKilled, expectTakenBack } from './killed-story.test-support.ts';

describeKilled('helps-then-hurts', expectTakenBack);
