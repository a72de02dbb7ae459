import { expect, test } from 'vitest';
import { sandboxProblem } from '../test/sandbox.ts';
import { makeContext } from '../tools/measure.ts';
import { figuresOf } from './parts/figures.ts';
import { measurement } from './sandbox.ts';

test.skipIf(sandboxProblem() !== undefined)(
  'VAL-4 programs that try to get out of the sandbox do not, and would without its walls',
  async () => {
    const context = makeContext({ scale: 0.1, seed: 1, quiet: true });
    const figures = await figuresOf(measurement, context);
    expect(figures).toMatchObject({ escapes: 0, control_caught: 1 });
    expect(figures['attempts']).toBeGreaterThanOrEqual(8);
  },
);
