import { z } from 'zod';
import { duration, field, section } from '../config/index.ts';
import { FORGES } from './forges.ts';
import { ROLLOUTS } from './rollouts.ts';

/** An absolute path: what it is relative to would be anybody's guess. */
const file = () =>
  z
    .string()
    .max(1000)
    .regex(/^(?:(?:\/|[A-Za-z]:)[^\n"]*)?$/);

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
  remote: field(
    z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\s-][^\s]*$/),
    'origin',
    {
      weakens: 'any',
      comment: 'For the forge remote: the name of a remote of the target, or its address.',
    },
  ),
  sshKey: field(file(), '', {
    weakens: 'any',
    comment: 'For the forge remote over ssh: the private key file of a deploy key.',
  }),
  sshKnownHosts: field(file(), '', {
    weakens: 'any',
    comment: 'For the forge remote over ssh: a file of known hosts, not the user’s.',
  }),
  credentialHelper: field(z.string().max(500), '', {
    weakens: 'any',
    comment: 'For the forge remote over https: as git’s credential.helper.',
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
