/** The demonstration. */
import { z } from 'zod';
import { PROPOSAL_STATES } from '../facts/index.ts';
import { count, type Wire } from './shapes.ts';

const share = z.number().min(0).max(1);

export const demoJson = z.strictObject({
  seed: count,
  acts: z.array(
    z.strictObject({
      scenario: z.string(),
      /** What was proposed, decided and deployed, and what became of it. */
      proposal: z.string(),
      title: z.string(),
      state: z.enum(PROPOSAL_STATES),
      /** Of all calls of the fleet, before and after it was deployed. */
      failedBefore: share,
      failedAfter: share,
    }),
  ),
});

export type DemoAnswer = Wire<typeof demoJson>;
