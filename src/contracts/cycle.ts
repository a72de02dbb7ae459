/** Cycles. */
import { z } from 'zod';
import { STEP_KINDS } from '../facts/index.ts';
import {
  configurationState,
  count,
  idInput,
  limitInput,
  nextPage,
  time,
  type Wire,
} from './shapes.ts';

export const cycleJson = z.strictObject({
  cycle: z.string(),
  configuration: configurationState,
  /** Why there is no report yet. */
  unfinished: z.string().nullable(),
  report: z
    .strictObject({
      cycle: z.string(),
      fromMs: count,
      toMs: count,
      collected: z.strictObject({ events: count, aside: count }),
      newestEventMs: count.nullable(),
      notes: z.array(z.string()),
      findings: z.array(
        z.strictObject({
          title: z.string(),
          did: z.enum(['proposed', 'declined', 'told', 'suggested', 'passed_over']),
          why: z.string(),
          pattern: z.string().nullable(),
          proposal: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  steps: z.array(
    z.strictObject({
      work: z.string(),
      kind: z.enum(['cycle', 'proposal']),
      subject: z.string(),
      step: z.enum(STEP_KINDS),
      outcome: z.enum(['taken', 'refused', 'failed', 'stopped', 'held']),
      did: z.string(),
      /** Whether it got somewhere; false when it only looked. */
      moved: z.boolean(),
    }),
  ),
});

export type CycleAnswer = Wire<typeof cycleJson>;

/** `started` is false where one was running already: then it is that one. */
export const cycleStartJson = z.strictObject({ cycle: z.string(), started: z.boolean() });
export type StartedCycle = Wire<typeof cycleStartJson>;

export const cyclesListInput = z.strictObject({
  /** Only those that are older than this one. */
  before: idInput.optional(),
  limit: limitInput,
});
export const cyclesListJson = z.strictObject({
  cycles: z.array(
    z.strictObject({
      id: z.string(),
      /** Who or what began it. */
      trigger: z.string(),
      /** Null while it runs. */
      outcome: z.enum(['proposed', 'nothing_to_do', 'failed']).nullable(),
      patterns: count,
      proposals: count,
      /** What its steps took together. */
      activeMs: z.number().min(0),
      startedAt: time,
      finishedAt: time.nullable(),
    }),
  ),
  next: nextPage,
});
export type CycleList = Wire<typeof cyclesListJson>;
export type CyclesListInput = Wire<typeof cyclesListInput>;
