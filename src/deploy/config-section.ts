import { z } from 'zod';
import { duration, field, group, section } from '../config/index.ts';
import { FORGES } from './forges.ts';
import { ROLLOUTS } from './rollouts.ts';

/** An absolute path: what it is relative to would be anybody's guess. */
const file = () =>
  z
    .string()
    .max(1000)
    .regex(/^(?:(?:\/|[A-Za-z]:)[^\n"]*)?$/);

const words = () => z.array(z.string().min(1).max(2000)).max(100);

/** Run without a shell, if one of the changed files matches one of the paths; without paths, always. */
const hook = z.strictObject({
  paths: z.prefault(z.array(z.string().min(1).max(400)).max(100), []),
  run: words().min(1),
  timeout: z.prefault(duration({ min: '1s', max: '1h' }), '5m'),
});

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
  hooks: field(z.array(hook).max(50), [], {
    weakens: 'any',
    comment: 'Commands that make agents load a change: paths, run, timeout.',
  }),
  deployed: group('Which commit the agents run, asked after a move until it is there.', {
    command: field(words(), [], {
      weakens: 'any',
      comment: 'A command that prints the commit’s id.',
    }),
    url: field(
      z
        .string()
        .max(1000)
        .regex(/^(?:https?:\/\/\S+)?$/),
      '',
      {
        weakens: 'any',
        comment: 'An address that answers with it, in place of a command.',
      },
    ),
    telemetry: field(z.boolean(), false, {
      weakens: 'any',
      comment: 'Whether the version in the telemetry is the commit, in place of both.',
    }),
    timeout: field(duration({ min: '1s', max: '24h' }), '10m', {
      weakens: 'any',
      comment: 'How long it may take; later, the watch starts without it.',
    }),
  }),
  smoke: group('What is tried once agents run a change; its failure takes it back.', {
    command: field(words(), [], {
      weakens: 'any',
      comment: 'A command that ends with 0 if the agents work.',
    }),
    timeout: field(duration({ min: '1s', max: '1h' }), '5m', {
      weakens: 'any',
      comment: 'The time it may take; a longer one failed.',
    }),
  }),
  rollbackTimeout: field(duration({ min: '10s', max: '24h' }), '5m', {
    weakens: 'higher',
    comment: 'The time a rollback may take; a longer one is reported.',
  }),
});
