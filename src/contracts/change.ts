/** Changes that reached the target, and what came of them. */
import { z } from 'zod';
import { EFFECT_TIMES, FIX_OUTCOMES, PROPOSAL_STATES } from '../facts/index.ts';
import { count, idInput, limitInput, time, type Wire } from './shapes.ts';

const changeShape = {
  /** Of its proposal. */
  id: z.string(),
  title: z.string(),
  state: z.enum(PROPOSAL_STATES),
  deployedAt: time.nullable(),
  /** `close`: right after its deployment; `probation`: looked at every hour; `over`: no longer. */
  watch: z.enum(['close', 'probation', 'over']),
  /** How it is remembered; null as long as it is not. */
  outcome: z.enum(FIX_OUTCOMES).nullable(),
  /** It seems to do harm: `hone rollback` takes it back. */
  rollback: z.strictObject({ why: z.string(), since: time }).nullable(),
};

export const changesListJson = z.strictObject({
  changes: z.array(z.strictObject(changeShape)),
  /** What `before` is for those that come after these; null where there are none. */
  next: z.string().nullable(),
});

export const changesShowJson = z.strictObject({
  ...changeShape,
  /** Until when it is watched; null where it never was. */
  watchedUntil: time.nullable(),
  /** Why it is remembered as it is. */
  outcomeReason: z.string().nullable(),
  /** How it did on the failures that it answers, the earliest first. */
  effects: z.array(
    z.strictObject({
      after: z.enum(EFFECT_TIMES),
      at: time,
      before: z.strictObject({ bad: count, all: count }),
      since: z.strictObject({ bad: count, all: count }),
      /** How failures went meanwhile where the change cannot reach, after over before. */
      controls: z.number().nullable(),
      /** How much smaller the share of failures is than it would be without it, with its 95 % interval. */
      benefit: z.number(),
      low: z.number(),
      high: z.number(),
    }),
  ),
  /** What happened to it since its deployment, the oldest first. */
  story: z.array(z.strictObject({ at: time, what: z.string() })),
});

/** How near a change's watch is to an alarm. */
export const watchJson = z.strictObject({
  ...changeShape,
  at: time,
  watchedUntil: time.nullable(),
  /** By ring: the evidence as a share of what an alarm needs, by hour; 1 is the boundary. */
  rings: z.array(
    z.strictObject({
      ring: z.enum(['changed', 'shared', 'rest']),
      share: z.number(),
      course: z.array(z.strictObject({ at: time, share: z.number() })),
    }),
  ),
  /** The series that are nearest to an alarm. */
  series: z.array(
    z.strictObject({
      agent: z.string(),
      /** Empty for what is counted of sessions. */
      tool: z.string(),
      /** What is counted: `failures`, `latency`, `silence` and so on. */
      measure: z.string(),
      /** The same in words: `140 of 200 calls failed`, without the numbers. */
      words: z.strictObject({ all: z.string(), bad: z.string() }),
      before: z.strictObject({ bad: count, all: count }),
      since: z.strictObject({ bad: count, all: count }),
      share: z.number(),
    }),
  ),
  /** Places that cannot be compared, because they had too few calls before. */
  notCompared: z.array(z.strictObject({ agent: z.string(), tool: z.string() })),
});

export const changesListInput = z.strictObject({
  /** Only those that are older than this one. */
  before: idInput.optional(),
  limit: limitInput,
});

export type ChangeList = Wire<typeof changesListJson>;
export type ShownChange = Wire<typeof changesShowJson>;
export type ChangesListInput = Wire<typeof changesListInput>;
export type ShownWatch = Wire<typeof watchJson>;
