import { z } from 'zod';
import { duration, field, section } from '../config/index.ts';
import { FORGES } from './forges.ts';
import { ROLLOUTS } from './rollouts.ts';

export const deploySection = section('deploy', 'How an approved change reaches the target.', {
  branch: field(
    z
      .string()
      .min(1)
      .max(200)
      .regex(/^[A-Za-z0-9_][A-Za-z0-9_./-]*$/),
    'main',
    {
      weakens: 'any',
      comment: 'The branch that the agents run from; Hone moves it.',
      asked: {},
    },
  ),
  forge: field(z.enum(FORGES.map(({ name }) => name)), 'local', {
    weakens: 'any',
    comment: 'Where the change goes.',
    choices: FORGES,
  }),
  rollout: field(z.enum(ROLLOUTS.map(({ name }) => name)), 'none', {
    weakens: 'any',
    comment: 'How much of the traffic a change reaches at first.',
    choices: ROLLOUTS,
  }),
  rollbackTimeout: field(duration({ min: '10s', max: '24h' }), '5m', {
    weakens: 'higher',
    comment: 'The time a rollback may take; a longer one is reported.',
  }),
});
