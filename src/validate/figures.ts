/** The figures of a report, for people: what a mode compared, with intervals, and what it left out. */
import { z } from 'zod';
import type { Json } from '../base/index.ts';
import { pairedInterval } from '../stats/index.ts';

const ranSchema = z.object({ passed: z.number(), failed: z.number() }).nullish();
const runSchema = z.object({ tests: ranSchema, cases: ranSchema });
const foundSchema = z.object({
  counts: z
    .object({
      asked: z.int(),
      flaky: z.int(),
      unknown: z.int().default(0),
      usable: z.int(),
      worked: z.int(),
      better: z.int(),
      worse: z.int(),
      brokenSessions: z.array(z.string()),
    })
    .nullish(),
  reproduced: z.object({ failedLive: z.int(), failedAgain: z.int() }).nullish(),
  rails: z
    .array(
      z.object({
        metric: z.string(),
        pairs: z.int(),
        change: z.number(),
        low: z.number(),
        high: z.number(),
        borne: z.number().nullish(),
        isHarmed: z.boolean(),
      }),
    )
    .default([]),
  base: z.array(runSchema).default([]),
  candidate: z.array(runSchema).default([]),
});
const reportSchema = z.object({
  report: z.literal('validation'),
  assumes: z.array(z.string()),
  found: foundSchema,
});

interface PairedFigures {
  /** Recorded sessions, or cases of an evaluation. */
  readonly asked: number;
  /** Left out: they differ between two runs of the base, or their end is not known on one side. */
  readonly flaky: number;
  readonly unknown: number;
  readonly usable: number;
  readonly failedBefore: number;
  readonly failedAfter: number;
  readonly better: number;
  readonly worse: number;
  /** The share that fails, after less before, with its interval of 95 %. */
  readonly change: number;
  readonly low: number;
  readonly high: number;
  /** Some of those that worked and fail now. */
  readonly broken: readonly string[];
  /** Of those that failed when they were recorded, how many fail in the replay of the base; null where nobody looked. */
  readonly reproduced: { readonly failedLive: number; readonly failedAgain: number } | null;
}

interface RailFigures {
  readonly metric: string;
  readonly pairs: number;
  /** As a share: .1 is a tenth more. */
  readonly change: number;
  readonly low: number;
  readonly high: number;
  /** More than this is harm; null in a report that does not say. */
  readonly borne: number | null;
  readonly isHarmed: boolean;
}

interface Counted {
  readonly passed: number;
  readonly failed: number;
}

export interface ModeFigures {
  readonly assumes: readonly string[];
  readonly pairs: PairedFigures | null;
  readonly rails: readonly RailFigures[];
  /** Of each run that reported tests or cases one by one. */
  readonly runs: { readonly base: readonly Counted[]; readonly candidate: readonly Counted[] };
}

/** Of a mode's report; undefined for anything else. */
export function figuresOf(report: Json): ModeFigures | undefined {
  const read = reportSchema.safeParse(report);
  if (!read.success) return undefined;
  const { assumes, found } = read.data;
  const counted = (runs: typeof found.base) =>
    runs.flatMap(({ tests, cases }) => tests ?? cases ?? []);
  return {
    assumes,
    pairs: pairedOf(found),
    rails: found.rails.map((one) => ({ ...one, borne: one.borne ?? null })),
    runs: { base: counted(found.base), candidate: counted(found.candidate) },
  };
}

function pairedOf({ counts, reproduced }: z.infer<typeof foundSchema>): PairedFigures | null {
  if (counts == null) return null;
  const { brokenSessions, worked, ...rest } = counts;
  const { usable, better, worse } = rest;
  const failed = usable - worked;
  const interval = pairedInterval({
    both: failed - better,
    onlyBefore: better,
    onlyAfter: worse,
    neither: worked - worse,
  });
  return {
    ...rest,
    failedBefore: failed,
    failedAfter: failed - better + worse,
    change: usable === 0 ? 0 : (worse - better) / usable,
    ...interval,
    broken: brokenSessions,
    reproduced: reproduced ?? null,
  };
}
