/** What `hone.yaml` says about looking for failures. */
import { z } from 'zod';
import { duration, field, section } from '../config/index.ts';

const share = () => z.number().min(0).max(1);

export const diagnoseSection = section('diagnose', 'How failures become patterns.', {
  window: field(duration({ min: '1m', max: '7d' }), '24h', {
    weakens: 'any',
    comment: 'How far a diagnosis looks back.',
  }),
  // Lower acts on less evidence; higher misses failures. Both need an operator.
  minOccurrences: field(z.int().min(1).max(1_000_000), 3, {
    weakens: 'any',
    comment: 'Failures in the window that make a pattern.',
  }),
  failureShare: field(share(), 0.02, {
    weakens: 'any',
    comment: 'Share of calls that may fail before anything is done.',
  }),
  minConfidence: field(share(), 0.6, {
    weakens: 'any',
    comment: 'How sure the cause must be before a change is proposed.',
  }),
});
