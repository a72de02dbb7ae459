import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { figuresOf } from './parts/figures.ts';
import { straceProblem } from './parts/strace.ts';
import { measurement } from './syscalls.ts';

test.skipIf(straceProblem() !== undefined)(
  'STORE-1 a failed file-system call loses nothing acknowledged (needs strace: npm run setup)',
  async () => {
    const context = makeContext({ scale: 0.01, seed: 7, quiet: true });
    const figures = await figuresOf(measurement, context);
    expect(figures).toMatchObject({ violations: 0, covered_share: 1, control_caught: 1 });
  },
);
