/**
 * The sections of the rooms that exist with the foundation. Numbers that the requirements give are
 * the defaults: STORE-4 (retention), SCHED-1 (schedules), PROP-7 (limits).
 */
import { z } from 'zod';
import { SHIPPED_MODES } from '../facts/index.ts';
import { field, group, section } from './fields.ts';
import { byteSize, duration } from './quantities.ts';
import { schedulesSection, switchesSection } from './schedules-section.ts';
import type { ConfigOf } from './types.ts';
import { hostName, origin, storeUrl } from './value-types.ts';

const texts = () => z.array(z.string().min(1).max(400)).max(200);
const count = (max: number) => z.int().min(0).max(max);
const kept = () => duration({ min: '0s', max: '3650d' });
const file = () => z.string().max(1000);

/** What `hone init` found in the repository; the person corrects it. */
const targetSection = section('target', 'The repository that Hone improves.', {
  languages: field(texts(), [], 'Programming languages.'),
  packageManagers: field(texts(), [], 'Package managers.'),
  testRunners: field(texts(), [], 'Test runners.'),
  testCommand: field(z.string().max(1000), '', 'Runs the tests; empty when there are none.'),
  ci: field(texts(), [], 'Continuous integration.'),
  agentFiles: field(texts(), [], "Globs of files that define the agents' behaviour."),
  mcpConfigs: field(texts(), [], 'Files that name MCP servers.'),
});

const storeSection = section('store', 'Where state lives.', {
  url: field(
    storeUrl(),
    'sqlite',
    'sqlite (embedded, no set-up), or PostgreSQL by env:HONE_DATABASE_URL.',
  ),
});

const serverSection = section('server', 'The server of hone up.', {
  host: field(hostName(), '127.0.0.1', 'Address to listen on. Keep the loopback address.'),
  port: field(z.int().min(0).max(65_535), 4663, 'Port to listen on; 0 takes a free one.'),
  allowedHosts: field(
    z.array(hostName()).max(50),
    [],
    'Host names besides the loopback ones that requests may name.',
  ),
  allowedOrigins: field(
    z.array(origin()).max(50),
    [],
    'Web pages besides its own that may call it, such as https://a.example.',
  ),
});

const ledgerSection = section('ledger', 'The append-only record of every change.', {
  checkpointInterval: field(
    duration({ min: '1s', max: '7d' }),
    '1h',
    'A signed checkpoint is made this often while entries come.',
  ),
  witnessFile: field(
    file(),
    '',
    'Checkpoints are also added to this file, best on another machine; or empty.',
  ),
});

const outboxSection = section('outbox', 'Effects on the outside: PRs, messages.', {
  attempts: field(z.int().min(1).max(100), 8, 'Tries before an effect becomes a dead letter.'),
  backoffBase: field(
    duration({ min: '10ms', max: '1h' }),
    '1s',
    'Wait before the second try; it doubles each time, with jitter.',
  ),
  backoffMax: field(duration({ min: '10ms', max: '24h' }), '15m', 'The longest wait.'),
  timeout: field(duration({ min: '100ms', max: '1h' }), '30s', 'A try is given up after this.'),
});

const leaseSection = section('lease', 'Exclusive work among processes and machines.', {
  ttl: field(
    duration({ min: '1s', max: '1h' }),
    '30s',
    'A holder that is silent this long loses its work to another.',
  ),
});

const retentionSection = section('retention', 'How long data is kept; 0s keeps none.', {
  events: field(kept(), '30d', 'Raw telemetry events.'),
  passing: group('Of runs that passed.', {
    traces: field(kept(), '24h', 'Traces.'),
    screenshots: field(kept(), '48h', 'Screenshots.'),
    har: field(kept(), '48h', 'Network recordings (HAR).'),
    video: field(kept(), '0s', 'Videos.'),
    evidencePacks: field(kept(), '7d', 'Evidence packs.'),
  }),
  failing: group('Of runs that failed.', {
    traces: field(kept(), '30d', 'Traces.'),
    screenshots: field(kept(), '30d', 'Screenshots.'),
    har: field(kept(), '30d', 'Network recordings (HAR).'),
    video: field(kept(), '30d', 'Videos.'),
    evidencePacks: field(kept(), '90d', 'Evidence packs.'),
  }),
  keptPerDay: field(
    byteSize({ min: '1MB', max: '100TB' }),
    '500MB',
    'The most that one day may leave behind.',
  ),
});

const toOperator = { on: 'error', to: 'operator' } as const;
const toApprover = { on: 'proposal_created', to: 'approver' } as const;

const scheduleSection = schedulesSection([
  {
    name: 'telemetry',
    comment: 'Collect and sanitise telemetry.',
    cron: '0 1 * * *',
    timeout: '5m',
    notify: [toOperator],
  },
  {
    name: 'selfEvaluation',
    comment: 'Look for failures and propose changes.',
    cron: '0 2 * * *',
    timeout: '10m',
    notify: [toOperator, toApprover],
  },
  {
    name: 'criticalNotices',
    comment: 'Tell again of critical things that nobody has answered.',
    cron: '*/5 * * * *',
    timeout: '2m',
    notify: [toOperator],
  },
  {
    name: 'highNotices',
    comment: 'Tell news of high severity, in one batch.',
    cron: '0 * * * *',
    timeout: '5m',
    notify: [toOperator],
  },
  {
    name: 'digest',
    comment: 'Tell all other news, in one batch a day.',
    cron: '0 9 * * *',
    timeout: '5m',
    notify: [toOperator],
  },
  {
    name: 'enhancementScan',
    comment: 'Look back a week for what makes the agents unstable.',
    cron: '0 6 * * 0',
    timeout: '15m',
    notify: [toOperator, toApprover],
  },
]);

/** What the constitution says holds in every mode; the comments say what is left to switch. */
const switchSection = switchesSection([
  {
    name: 'deploy',
    comment: 'Validation, decision, backup: always enforced; another mode has no effect.',
    mode: SHIPPED_MODES.deploy,
  },
  {
    name: 'vetting',
    comment: 'The quality of a proposal; secrets, scope and evidence hold in every mode.',
    mode: SHIPPED_MODES.vetting,
  },
  {
    name: 'identity',
    comment: 'How far the maker of a decision is verified.',
    mode: SHIPPED_MODES.identity,
  },
  {
    name: 'limits',
    comment: 'Cycles a day and open proposals, as set below; a high ceiling always holds.',
    mode: SHIPPED_MODES.limits,
  },
  {
    name: 'telemetry',
    comment: 'Whether a cycle acts although many lines of telemetry could not be read.',
    mode: SHIPPED_MODES.telemetry,
  },
]);

const limitsSection = section('limits', 'How much Hone does by itself.', {
  cyclesPerDay: field(count(1000), 4, 'Improvement cycles a day.'),
  openProposals: field(count(10_000), 20, 'Proposals open at once.'),
  pullRequestsPerDay: field(count(1000), 3, 'Pull requests a day.'),
  automaticChangesPerDay: field(count(1000), 3, 'Changes without a person in 24 hours.'),
  rejectionsBeforePause: field(
    z.int().min(1).max(100),
    3,
    'Rejections in a row that pause a generator.',
  ),
  rejectionPause: field(duration({ min: '0s', max: '365d' }), '48h', 'How long it pauses.'),
  failurePause: field(
    duration({ min: '0s', max: '365d' }),
    '24h',
    'How long a category pauses after a failed implementation.',
  ),
});

/** Agents that commit under an address of their own. A known agent never approves. */
const KNOWN_AGENTS = [
  { name: 'claude', matches: ['noreply@anthropic.com'] },
  { name: 'copilot', matches: ['198982749+Copilot@users.noreply.github.com'] },
  { name: 'cursor', matches: ['cursoragent@cursor.com'] },
];

const agentsSchema = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(100),
      matches: z.array(z.string().min(1).max(200)).min(1).max(20),
    }),
  )
  .max(200);

const identitySection = section('identity', 'Who may decide, and how that is proved.', {
  verification: group('What a decision needs at least, by tier.', {
    approve: field(
      z.enum(['local', 'token', 'signature', 'forge']),
      'local',
      'local (OS user and git identity), token, signature or forge.',
    ),
    require: field(
      z.enum(['token', 'signature', 'forge']),
      'token',
      'token, signature (SSH) or forge (a review there).',
    ),
  }),
  allowedSignersFile: field(file(), '.hone/allowed-signers', 'SSH keys that may sign decisions.'),
  allowedSignersDigest: field(
    z.string().regex(/^(?:sha256:[0-9a-f]{64})?$/),
    '',
    'sha256:… of that file; with other content no signature counts.',
  ),
  agents: field(
    agentsSchema,
    KNOWN_AGENTS,
    'Agents, by e-mail address, OS user or token. They never approve.',
  ),
});

export const foundationSections = [
  targetSection,
  storeSection,
  serverSection,
  ledgerSection,
  outboxSection,
  leaseSection,
  retentionSection,
  scheduleSection,
  switchSection,
  limitsSection,
  identitySection,
] as const;

export type FoundationConfig = ConfigOf<typeof foundationSections>;
