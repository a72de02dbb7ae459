/** What a look at files finds, without anything being set up. */
import { z } from 'zod';
import { count, time, type Wire } from './shapes.ts';

const share = z.number().min(0).max(1);

export const lookedFailureJson = z.strictObject({
  /** What recurs, with `<*>` where messages differ. */
  template: z.string(),
  /** The kind of event that tells it. */
  event: z.string(),
  agent: z.string(),
  tool: z.string(),
  errorCode: z.string(),
  failures: count,
  /** Of this agent's and tool's calls; of steps, runs of a test or lines where those tell it. */
  calls: count,
  share,
  /** Of the newest events that are kept during the look. */
  sessions: count,
  firstAt: time,
  lastAt: time,
  /** By day, UTC, ascending, without empty days. */
  days: z.array(z.strictObject({ day: z.string(), failures: count })),
  /** What fails first in these sessions, where it is something else. */
  begins: z.string().nullable(),
  examples: z.array(z.strictObject({ at: time, session: z.string(), message: z.string() })),
});

const lookedProjectJson = z.strictObject({
  /** The folder that the agents worked in, or the path that was looked at. */
  project: z.string(),
  files: count,
  bytes: count,
  events: count,
  firstAt: time.nullable(),
  lastAt: time.nullable(),
  read: z.array(z.strictObject({ kind: z.string(), what: z.string(), files: count })),
  failures: z.array(lookedFailureJson),
  /** Groups beyond those shown. */
  moreFailures: count,
  corrections: z.array(z.strictObject({ agent: z.string(), correction: z.string(), count })),
  slow: z.array(
    z.strictObject({
      agent: z.string(),
      tool: z.string(),
      calls: count,
      p50Ms: z.number(),
      p95Ms: z.number(),
    }),
  ),
  /** Measures at another level than before, and what is known of it. */
  shifts: z.array(z.strictObject({ title: z.string(), why: z.string() })),
  /** Lines that could not be used, by reason. */
  aside: z.array(z.strictObject({ reason: z.string(), detail: z.string(), lines: count })),
  /** The command that connects it. */
  connect: z.string().nullable(),
});

export const lookJson = z.strictObject({
  files: count,
  bytes: count,
  events: count,
  aside: count,
  /** Stopped before everything was read. */
  interrupted: z.boolean(),
  projects: z.array(lookedProjectJson),
  /** Projects beyond those shown. */
  moreProjects: count,
  /** Named, but nothing is there. */
  missing: z.array(z.string()),
  /** Files that no kind of source recognises, by what they look like. */
  notRecognised: z.array(
    z.strictObject({ looksLike: z.string(), files: count, example: z.string() }),
  ),
  leftOut: z.strictObject({
    unreadable: count,
    /** Of coding agents' folders: credentials, settings, history. Never opened. */
    private: count,
    links: count,
    special: count,
    /** Written last before the time asked for. */
    older: count,
    /** There are more files than a look takes. */
    isCut: z.boolean(),
  }),
  /** What Hone can read; empty where something was recognised. */
  readable: z.array(z.strictObject({ kind: z.string(), about: z.string() })),
  next: z.array(z.string()),
});

export type Looked = Wire<typeof lookJson>;
export type LookedProject = Looked['projects'][number];
export type LookedFailure = Wire<typeof lookedFailureJson>;

export interface LookInput {
  readonly paths: readonly string[];
  readonly since?: string | undefined;
  readonly project?: string | undefined;
  readonly allProjects?: boolean | undefined;
  readonly top: number;
  readonly examples: number;
}
