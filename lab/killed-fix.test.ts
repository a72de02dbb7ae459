/** A fix is found, deployed once and kept, although the worker is killed at every step. */
import { describeKilled, expectKept } from './killed-story.test-support.ts';

describeKilled('timeout-too-low', expectKept);
