/** What vetting contributes to `hone.yaml`. */
import { z } from 'zod';
import { field, section } from '../config/index.ts';

export const vetSection = section('vet', 'What a proposal must satisfy to be considered.', {
  filesMax: field(z.int().min(1).max(200), 5, {
    weakens: 'higher',
    comment: 'Files that one change may touch.',
  }),
  changedLinesMax: field(z.int().min(1).max(10_000), 60, {
    weakens: 'higher',
    comment: 'Lines that one change may add and remove, together.',
  }),
  submissionsPerDay: field(z.int().min(0).max(1000), 20, {
    weakens: 'higher',
    comment: 'Proposals, and pieces of feedback, that one agent may submit in a day (UTC).',
  }),
});
