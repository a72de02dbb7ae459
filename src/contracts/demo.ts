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
  /** The agent at work; null where that act was not played. */
  task: z
    .strictObject({
      id: z.string(),
      title: z.string(),
      /** How far it came. */
      phase: z.string(),
      /** Without a sandbox Hone runs no tests, so the task stays in verify. */
      hasSandbox: z.boolean(),
      refusals: count,
      entries: count,
      /** What many refusals of other tasks led to; null without a sandbox. */
      rule: z
        .strictObject({ proposal: z.string(), refusedBefore: count, refusedAfter: count })
        .nullable(),
    })
    .nullable(),
});

export type DemoAnswer = Wire<typeof demoJson>;
