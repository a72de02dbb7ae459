/** Patterns: recurring failures, what was found about them, and what became of them. */
import { z } from 'zod';
import { CAUSE_LAYERS, PATTERN_KINDS, TRIGGERS_OF_FAILURES } from '../facts/index.ts';
import { shownEventJson } from './event.ts';
import { callHour } from './overview.ts';
import { count, idInput, limitInput, nextPage, reasonInput, time, type Wire } from './shapes.ts';

/**
 * `proposed`: a change for it is open or at the target. `told`: found, and a person's to act on, because its cause is
 * outside, a missing right, or not known. `waiting`: it may end by itself. `declined`: the cause is in the files, and
 * no change is proposed now. `over`: it ended. `ignored`: a person wanted that.
 */
export const PATTERN_STATUSES = [
  'proposed',
  'told',
  'waiting',
  'declined',
  'over',
  'ignored',
] as const;

const listed = {
  id: z.string(),
  title: z.string(),
  agent: z.string(),
  tool: z.string(),
  kind: z.enum(PATTERN_KINDS),
  layer: z.enum(CAUSE_LAYERS),
  /** What began it; null where that was not asked. */
  trigger: z.enum(TRIGGERS_OF_FAILURES).nullable(),
  status: z.enum(PATTERN_STATUSES),
  /** What the last cycle that saw it said. */
  why: z.string(),
  firstSeenAt: time,
  lastSeenAt: time,
};

const considered = z.strictObject({
  what: z.string(),
  layer: z.enum(CAUSE_LAYERS),
  confidence: z.number(),
  for: z.array(z.string()),
  against: z.array(z.string()),
});

const found = {
  confidence: z.number(),
  occurrences: count,
  calls: count,
  sessions: count,
  severity: z.string(),
  /** The likeliest first. */
  considered: z.array(considered),
  /** Why the likeliest one, in sentences. */
  reasons: z.array(z.string()),
  /** What would tell the causes apart. */
  settledBy: z.string().nullable(),
  evidence: z.array(z.string()),
};

export const patternsListInput = z.strictObject({
  /** Only those behind this one. */
  before: idInput.optional(),
  limit: limitInput,
});
export const patternsListJson = z.strictObject({
  patterns: z.array(z.strictObject(listed)),
  next: nextPage,
});

export const patternsShowJson = z.strictObject({
  ...listed,
  ...found,
  /** All seven, from what is seen down to what is given, with what speaks for and against each. */
  layers: z.array(
    z.strictObject({
      layer: z.enum(CAUSE_LAYERS),
      confidence: z.number(),
      for: count,
      against: count,
    }),
  ),
  /** The step and the agent where most of the failing sessions that were looked at went wrong; null where none tells. */
  origin: z
    .strictObject({
      agent: z.string(),
      step: z.string(),
      reason: z.string(),
      sessions: count,
      of: count,
    })
    .nullable(),
  /** The cycle that saw it last. */
  cycle: z.string(),
  /** Changes for it that are open or at the target. */
  proposals: z.array(z.string()),
});

/** How it went over time at its place. */
export const patternSeriesJson = z.strictObject({
  id: z.string(),
  /** What its messages have in common. */
  template: z.string(),
  /** Calls of its agent and tool; none where it is not about calls. */
  hours: z.array(callHour),
  /** When it began, with its 95 % interval; null where that is not known. */
  since: z.strictObject({ at: time, low: time, high: time }).nullable(),
  endedAt: time.nullable(),
  /** The commit that began it. */
  commit: z.string().nullable(),
  /** Share of the calls that fail with it, and without. */
  during: z.number().nullable(),
  otherwise: z.number().nullable(),
  /** The newest failures at its place. */
  examples: z.array(shownEventJson),
});

export const patternMergeInput = z.strictObject({
  into: idInput.describe('the pattern that it is one with: its id, or a unique prefix of it'),
  reason: reasonInput.min(1),
});
export const patternMergeJson = z.strictObject({
  id: z.string(),
  title: z.string(),
  into: z.string(),
});

export const patternWishInput = z.strictObject({ reason: reasonInput.min(1) });
export const patternWishJson = z.strictObject({ id: z.string(), title: z.string() });

/** A diagnosis of this moment, of which nothing is kept. */
export const diagnosisJson = z.strictObject({
  fromMs: count,
  toMs: count,
  summary: z.string(),
  patterns: z.array(
    z.strictObject({
      id: listed.id,
      title: listed.title,
      kind: listed.kind,
      layer: listed.layer,
      trigger: listed.trigger,
      /** Why nothing would be proposed now; null where something may be. */
      wait: z.string().nullable(),
      ...found,
    }),
  ),
  passedOver: z.array(z.strictObject({ title: z.string(), why: z.string() })),
  notes: z.array(z.string()),
});

export type PatternList = Wire<typeof patternsListJson>;
export type PatternsListInput = Wire<typeof patternsListInput>;
export type ShownPattern = Wire<typeof patternsShowJson>;
export type PatternSeries = Wire<typeof patternSeriesJson>;
export type PatternMergeInput = Wire<typeof patternMergeInput>;
export type PatternMerge = Wire<typeof patternMergeJson>;
export type PatternWishInput = Wire<typeof patternWishInput>;
export type PatternWish = Wire<typeof patternWishJson>;
export type ShownDiagnosis = Wire<typeof diagnosisJson>;
