/** A review by points: `{ "criteria": [{ "name", "score": 0..1 | "pass": true|false, "note" }] }`. */
import { z } from 'zod';
import { parsedJson } from '../../report/index.ts';
import type { EvidenceValidator } from '../types.ts';

const criterion = z
  .object({
    name: z.string().min(1).max(200),
    score: z.number().min(0).max(1).optional(),
    pass: z.boolean().optional(),
    note: z.string().max(4000).optional(),
  })
  .refine(({ score, pass }) => (score === undefined) !== (pass === undefined));
const rubricSchema = z.object({ criteria: z.array(criterion).min(1).max(100) });

const MIN = 0.8;

export const rubric: EvidenceValidator = {
  kind: 'rubric',
  about: 'a review by points, as JSON',
  mediaType: 'application/json',
  judge({ text }, { min = MIN }) {
    const no = (problem: string, found = {}) => ({ isValid: false, problem, found });
    const json = parsedJson(text);
    if (json === undefined) return no('It is cut off, or it is not JSON.');
    const read = rubricSchema.safeParse(json);
    if (!read.success)
      return no('A rubric has criteria, each with a name and either a score from 0 to 1 or pass.');
    const { criteria } = read.data;
    const points = criteria.map(({ score, pass }) => score ?? (pass === true ? 1 : 0));
    const share = points.reduce((sum, one) => sum + one, 0) / points.length;
    const found = { criteria: criteria.length, share: Math.round(share * 1000) / 1000 };
    const failed = criteria.filter(({ pass }) => pass === false).map(({ name }) => name);
    if (failed.length > 0) return no(`Not met: ${failed.slice(0, 5).join(', ')}.`, found);
    if (share >= min) return { isValid: true, problem: null, found };
    return no(`It reaches ${share.toFixed(2)}; ${min} is asked for.`, found);
  },
};
