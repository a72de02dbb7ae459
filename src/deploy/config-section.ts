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

/** The name of an environment variable, never a secret itself. */
const secretVariable = () => z.string().regex(/^env:[A-Z][A-Z0-9_]{0,100}$/);

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
  github: group('For the forge github: the repository there, and what opens it.', {
    repository: field(
      z.string().regex(/^(?:[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100})?$/),
      '',
      {
        weakens: 'any',
        comment: 'The repository as owner/name; deploy.remote must be the same one.',
      },
    ),
    api: field(z.url({ protocol: /^https?$/ }).max(200), 'https://api.github.com', {
      weakens: 'any',
      comment: 'Its REST interface; https://HOST/api/v3 on an own server.',
    }),
    appId: field(z.int().min(0), 0, {
      weakens: 'any',
      comment: 'The GitHub App that Hone is; 0: a token, and no review decides.',
    }),
    installationId: field(z.int().min(0), 0, {
      weakens: 'any',
      comment: 'The app’s installation in that repository.',
    }),
    keyFile: field(file(), '', {
      weakens: 'any',
      comment: 'The app’s private key file (PEM).',
    }),
    token: field(secretVariable(), 'env:HONE_GITHUB_TOKEN', {
      weakens: 'any',
      comment: 'Without an app: a bot’s token, by the variable that holds it.',
    }),
    draftPulls: field(z.boolean(), false, {
      weakens: 'any',
      comment: 'Whether a change that waits is published as a draft pull request.',
    }),
    people: field(
      z
        .array(z.strictObject({ userId: z.int().min(1), person: z.string().min(1).max(200) }))
        .max(200),
      [],
      {
        weakens: 'any',
        comment: 'Whose reviews count: userId (the account’s number), person.',
      },
    ),
    poll: field(duration({ min: '10s', max: '1h' }), '2m', {
      weakens: 'higher',
      comment: 'How often open pull requests are read; webhooks make it sooner.',
    }),
    webhookSecret: field(secretVariable(), 'env:HONE_GITHUB_WEBHOOK', {
      weakens: 'any',
      comment: 'The secret of its webhooks, by the environment variable that holds it.',
    }),
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
  verify: group('What is asked of a commit once the branch has it; its failure takes it back.', {
    command: field(words(), [], {
      weakens: 'any',
      comment: 'A command that ends with 0 if the commit is good; before any hook runs.',
    }),
    timeout: field(duration({ min: '1s', max: '1h' }), '5m', {
      weakens: 'any',
      comment: 'The time it may take; a longer one failed.',
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
