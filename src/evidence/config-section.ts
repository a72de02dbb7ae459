/** What this room contributes to `hone.yaml`. */
import { z } from 'zod';
import { duration, field, section } from '../config/index.ts';

const command = () =>
  z
    .array(
      z
        .string()
        .max(4000)
        .regex(/^[^\0]*$/),
    )
    .max(100)
    .refine(([program]) => program === undefined || /^[^-\s]/.test(program));

const PLAIN_PATH = /^(?![/.])(?!.*(?:^|\/)\.\.?(?:\/|$))[^\0]*[^/\0]$/;

export const evidenceSection = section('evidence', 'What proves that a task of an agent is done.', {
  build: field(command(), [], {
    weakens: 'any',
    comment: 'Builds the target in a sandbox: a program and its arguments; may be empty.',
  }),
  coverageReport: field(z.union([z.literal(''), z.string().max(400).regex(PLAIN_PATH)]), '', {
    weakens: 'any',
    comment: 'Where the tests write their coverage, below the target’s root; may be empty.',
  }),
  maxAge: field(duration({ min: '1m', max: '30d' }), '24h', {
    weakens: 'higher',
    comment: 'Results of Hone’s own runs count for this long.',
  }),
  leftovers: field(z.array(z.string().min(2).max(60)).max(50), ['TODO', 'FIXME', 'XXX', 'HACK'], {
    weakens: 'removal',
    comment: 'Words that a checkpoint must not find in what a task adds.',
  }),
});
