/** Recurring failures: what a diagnosis finds, and what a proposal answers. */
import type { z } from 'zod';
import type { patternSchema, reachSchema, settingValueSchema } from './pattern-schema.ts';

/** Where a failure begins, from what is seen down to what is given. */
export const CAUSE_LAYERS = [
  'output',
  'behavior',
  'workflow',
  'skill',
  'settings',
  'tool',
  'environment',
] as const;
export type CauseLayer = (typeof CAUSE_LAYERS)[number];

/** What kind of limit a failure runs into; `other` where it is none. */
export const FAILURE_KINDS = [
  'timeout',
  'rate_limit',
  'size_limit',
  'retries_exhausted',
  'other',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A `shift` is no failure: a measure that is at another level than before. */
export const PATTERN_KINDS = [...FAILURE_KINDS, 'shift'] as const;

/** What shifts: a metric's value or its growth by the hour; how long calls take, and what one of them spends. */
export const MEASURES = ['value', 'rate', 'latency', 'tokens', 'cost'] as const;
export type Measure = (typeof MEASURES)[number];

/** Rules that may be added to an agent's instructions; how each is worded is fixed (`propose`). */
export const ADDED_RULES = [
  'no_repeated_call',
  'give_argument',
  'own_evidence',
  'hand_in',
] as const;
export type AddedRule = (typeof ADDED_RULES)[number];

/** What began a failure. */
export const TRIGGERS_OF_FAILURES = ['none', 'change', 'load', 'outside'] as const;

/** The same failure at the same place has the same `id`, in every cycle. */
export type Pattern = z.infer<typeof patternSchema>;
export type WhyNow = NonNullable<Pattern['whyNow']>;
/** `unknown` if the file does not say; it is treated as wide. */
export const REACH_KINDS = ['one', 'several', 'all', 'unknown'] as const;
export type Reach = z.infer<typeof reachSchema>;

export type SettingValue = z.infer<typeof settingValueSchema>;

/** What is to blame for a pattern. */
export type Subject = Pattern['subject'];
export type SubjectOf<K extends Subject['kind']> = Extract<Subject, { kind: K }>;
export type SettingSubject = SubjectOf<'setting'>;
