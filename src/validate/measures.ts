/** The figures of a report that can be compared with those of another one. Reports are read back from the record. */
import { z } from 'zod';
import type { Json } from '../base/index.ts';
import type { Measure } from './types.ts';

const comparedSchema = z.object({
  counts: z
    .object({ usable: z.number(), better: z.number(), worse: z.number() })
    .nullable()
    .optional(),
  rails: z.array(z.object({ metric: z.string(), change: z.number() })).optional(),
});

/** Of sessions or cases that were compared in pairs: shares, because there are more or fewer of them another time. */
export function pairedMeasures(found: Json): Measure[] {
  const { counts, rails = [] } = comparedSchema.parse(found);
  const usable = Math.max(1, counts?.usable ?? 0);
  return [
    ...(counts == null
      ? []
      : ([
          { name: 'share that got better', value: counts.better / usable, better: 'higher' },
          { name: 'share that got worse', value: counts.worse / usable, better: 'lower' },
        ] as const)),
    ...rails.map(({ metric, change }) => ({
      name: metric,
      value: change,
      better: 'lower' as const,
    })),
  ];
}

const ranSchema = z.object({ passed: z.number(), failed: z.number() }).nullish();
const runsSchema = z.object({
  candidate: z.array(z.object({ tests: ranSchema, cases: ranSchema })).default([]),
});

/** Of tests or cases that are run one by one: a suite that has fewer of them proves less. */
export function countedMeasures(found: Json): Measure[] {
  const last = runsSchema.parse(found).candidate.at(-1);
  const ran = last?.tests ?? last?.cases;
  if (ran == null) return [];
  return [
    { name: 'passed', value: ran.passed, better: 'higher' },
    { name: 'failed', value: ran.failed, better: 'lower' },
  ];
}
