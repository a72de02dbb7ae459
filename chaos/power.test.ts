import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { figuresOf } from './parts/figures.ts';
import { straceProblem } from './parts/strace.ts';
import { measurement } from './power.ts';

test.skipIf(straceProblem() !== undefined)(
  'STORE-1 nothing acknowledged is lost when the power is cut (needs strace: npm run setup)',
  async () => {
    const context = makeContext({ scale: 0.02, seed: 7, quiet: true });
    const figures = await figuresOf(measurement, context);
    expect(figures).toMatchObject({ lost: 0, violations: 0, cuts: 20, control_caught: 1 });
  },
);
