/** Events of telemetry, and traces of them. */
import { z } from 'zod';
import { BREAKDOWNS, EVENT_KINDS } from '../facts/index.ts';
import { count, flagInput, idInput, limitInput, nextPage, time, type Wire } from './shapes.ts';

export const shownEventJson = z.strictObject({
  id: z.string(),
  at: time,
  source: z.string(),
  kind: z.string(),
  failed: z.boolean(),
  /** Who or what: `web_search of researcher`. */
  what: z.string(),
  /** What happened; may be empty. */
  said: z.string(),
  session: z.string(),
  traceId: z.string().nullable(),
  durationMs: z.number().nullable(),
});

const timeInput = z.string().max(40).optional();

export const eventsListInput = z.strictObject({
  since: timeInput,
  until: timeInput,
  agent: idInput.optional(),
  tool: idInput.optional(),
  session: idInput.optional(),
  kind: z.enum(EVENT_KINDS).optional(),
  source: idInput.optional(),
  /** Only those that failed. */
  failed: flagInput.optional(),
  /** Only occurrences of this pattern, from its first to its last; its id, or a unique prefix of it. */
  pattern: idInput.optional(),
  text: z.string().min(1).max(200).optional(),
  limit: limitInput,
});

export const eventsListJson = z.strictObject({
  /** The newest that fit, ascending. */
  events: z.array(shownEventJson),
  /** There may be older ones. */
  more: z.boolean(),
});

export const eventsShowJson = shownEventJson.extend({
  /** All fields as Hone keeps them, sanitised. */
  event: z.record(z.string(), z.unknown()),
});

export const tracesListInput = z.strictObject({
  since: timeInput,
  until: timeInput,
  agent: idInput.optional(),
  source: idInput.optional(),
  failed: flagInput.optional(),
  /** Only those behind the `next` of a page. */
  before: z.string().min(1).max(500).optional(),
  limit: limitInput,
});

export const tracesListJson = z.strictObject({
  /** The newest first. */
  traces: z.array(
    z.strictObject({
      /** The trace's id, or the session's where events name no trace. */
      id: z.string(),
      of: z.enum(['trace', 'session']),
      session: z.string(),
      events: count,
      failed: count,
      firstAt: time,
      lastAt: time,
      agents: z.array(z.string()),
    }),
  ),
  /** There may be others behind this page. */
  more: z.boolean(),
  next: nextPage,
});

export const tracesShowInput = z.strictObject({ since: timeInput });

export const tracesShowJson = z.strictObject({
  id: z.string(),
  session: z.string(),
  firstAt: time,
  lastAt: time,
  failed: count,
  /** In the order of the tree: each before those below it. */
  spans: z.array(
    shownEventJson.extend({
      depth: count,
      /** The earliest failure that no failure below it explains. */
      firstError: z.boolean(),
      /** Its parent link led back to itself and was cut. */
      cut: z.boolean(),
      /** What is wrong with this step by itself, such as `repeated_call` or `timeout`. */
      faults: z.array(z.string()),
    }),
  ),
  /** The likeliest first wrong step; null where nothing failed for good or no step stands out. */
  wrongStep: z
    .strictObject({
      event: z.string(),
      agent: z.string(),
      sign: z.enum(['repeats', 'origin', 'failure']),
      reason: z.string(),
      /** The share of the signs seen that point at it. */
      agreement: z.number().min(0).max(1),
    })
    .nullable(),
  /** Only the first 5 000 events are shown. */
  more: z.boolean(),
});

export type EventsListInput = Wire<typeof eventsListInput>;
export type EventsList = Wire<typeof eventsListJson>;
export type ShownEvent = EventsList['events'][number];
export type EventShown = Wire<typeof eventsShowJson>;
export type TracesListInput = Wire<typeof tracesListInput>;
export type TracesList = Wire<typeof tracesListJson>;
export type TracesShowInput = Wire<typeof tracesShowInput>;
export type TraceShown = Wire<typeof tracesShowJson>;

/** By what events can be counted. */
const countedBy = z.enum(BREAKDOWNS);

export const eventsCountInput = z.strictObject({
  by: countedBy.default('agent'),
  since: z.string().max(60).optional(),
  until: z.string().max(60).optional(),
});
export type EventsCountInput = Wire<typeof eventsCountInput>;

export const eventsCountJson = z.strictObject({
  by: countedBy,
  from: time,
  to: time,
  /** Most events first. */
  rows: z.array(
    z.strictObject({
      /** Empty for events that have none. */
      name: z.string(),
      events: count,
      failed: count,
      /** Of events that say whether they succeeded. */
      judged: count,
      /** Of those with a duration; null if none has one. */
      p50Ms: z.number().nullable(),
      p95Ms: z.number().nullable(),
      retries: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      costUsd: z.number(),
    }),
  ),
});
export type EventsCount = Wire<typeof eventsCountJson>;
