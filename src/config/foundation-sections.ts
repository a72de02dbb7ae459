/**
 * The sections of the rooms below the configuration, which cannot bring their own. Numbers that the
 * requirements give are the defaults: PROP-7 (limits).
 */
import { z } from 'zod';
import { isLoopback } from '../base/index.ts';
import { comparedId, isVerifiedAtLeast, type Verification } from '../facts/index.ts';
import { field, group, noted, section } from './fields.ts';
import { duration } from './quantities.ts';
import type { ConfigOf } from './types.ts';
import { hostName, origin, storeUrl } from './value-types.ts';
import { ONCE_NAMED } from './weakens.ts';

const texts = () => z.array(z.string().min(1).max(400)).max(200);
const count = (max: number) => z.int().min(0).max(max);
const file = () => z.string().max(1000);

/** A file, and the globs of what it is made from. */
const indexSchema = z.strictObject({ file: z.string().min(1).max(400), sources: texts().min(1) });

/** What `hone init` found in the repository; the person corrects it. */
const targetSection = section('target', 'The repository that Hone improves.', {
  agentFiles: field(texts(), [], {
    weakens: ONCE_NAMED,
    comment: "Globs of files that define the agents' behaviour.",
    asked: { example: 'agents/*.yaml' },
  }),
  indexes: field(z.array(indexSchema).max(100), [], {
    weakens: 'removal',
    comment: 'Files made from others, such as a search index: told when stale.',
  }),
});

const storeSection = section('store', 'Where state lives.', {
  url: field(storeUrl(), 'sqlite', {
    weakens: 'any',
    comment: 'sqlite (embedded, no set-up), or PostgreSQL by env:HONE_DATABASE_URL.',
  }),
});

const OTHERS_REACH_IT = {
  when: 'an address that is not this machine’s',
  isWeaker: (_before: string, after: string) => !isLoopback(after),
};

const serverSection = section('server', 'The server of hone up.', {
  host: field(hostName(), '127.0.0.1', {
    weakens: OTHERS_REACH_IT,
    comment: 'Address to listen on. Keep the loopback address.',
  }),
  port: field(z.int().min(0).max(65_535), 4663, {
    weakens: 'never',
    comment: 'Port to listen on; 0 picks a free one.',
  }),
  tlsCertificate: field(file(), '', {
    weakens: { when: 'another file, or none', isWeaker: (before) => before !== '' },
    comment: 'PEM file of the certificate, needed on any other address; or empty.',
  }),
  tlsKey: field(file(), '', {
    weakens: { when: 'another file, or none', isWeaker: (before) => before !== '' },
    comment: 'PEM file of its private key.',
  }),
  unencrypted: field(z.boolean(), false, {
    weakens: { when: 'true', isWeaker: (_before, after) => after },
    comment: 'Listen without TLS where others reach it: tokens travel in the clear.',
  }),
  allowedHosts: field(z.array(hostName()).max(50), [], {
    weakens: 'addition',
    comment: 'Host names besides the loopback ones that requests may name.',
  }),
  allowedOrigins: field(z.array(origin()).max(50), [], {
    weakens: 'addition',
    comment: 'Web pages besides its own that may call it, such as https://a.example.',
  }),
});

const ledgerSection = section('ledger', 'The append-only record of every change.', {
  checkpointInterval: field(duration({ min: '1s', max: '7d' }), '1h', {
    weakens: 'higher',
    comment: 'A signed checkpoint is made this often while entries come.',
  }),
  witnessFile: field(file(), '', {
    weakens: { when: 'another file, or none', isWeaker: (before) => before !== '' },
    comment: 'Checkpoints are also added to this file, best on another machine; or empty.',
  }),
});

const outboxSection = section('outbox', 'Effects on the outside: PRs, messages.', {
  attempts: field(z.int().min(1).max(100), 8, {
    weakens: 'lower',
    comment: 'Tries before an effect becomes a dead letter.',
  }),
  backoffBase: field(duration({ min: '10ms', max: '1h' }), '1s', {
    weakens: 'higher',
    comment: 'Wait before the first retry; it doubles each time, with jitter.',
  }),
  backoffMax: field(duration({ min: '10ms', max: '24h' }), '15m', {
    weakens: 'higher',
    comment: 'The longest wait.',
  }),
  timeout: field(duration({ min: '100ms', max: '1h' }), '30s', {
    weakens: 'any',
    comment: 'A try is given up after this.',
  }),
});

const leaseSection = section('lease', 'Exclusive work among processes and machines.', {
  ttl: field(duration({ min: '1s', max: '1h' }), '30s', {
    weakens: 'any',
    comment: 'A holder that is silent this long loses its lease.',
  }),
});

const limitsSection = section('limits', 'How much Hone does by itself.', {
  cyclesPerDay: field(count(1000), 4, { weakens: 'any', comment: 'Improvement cycles a day.' }),
  openProposals: field(count(10_000), 20, {
    weakens: 'any',
    comment: 'Proposals open at once.',
  }),
  pullRequestsPerDay: field(count(1000), 3, {
    weakens: 'higher',
    comment: 'Pull requests opened in 24 hours; more wait.',
  }),
  automaticChanges: field(z.int().min(0).max(100), 3, {
    weakens: 'higher',
    comment: 'Changes in 24 hours that no person decides ("hone tiers").',
  }),
  rejectionsBeforePause: field(z.int().min(1).max(100), 3, {
    weakens: 'higher',
    comment: 'Rejections in a row that pause a generator.',
  }),
  rejectionPause: field(duration({ min: '0s', max: '365d' }), '48h', {
    weakens: 'lower',
    comment: 'How long it pauses.',
  }),
  failurePause: field(duration({ min: '0s', max: '365d' }), '24h', {
    weakens: 'lower',
    comment: 'How long a category pauses after a failed implementation.',
  }),
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

/** One less may decide where it must not; one more may be an operator, who then could decide nothing. */
const OTHER_IDENTITIES = {
  when: 'a name added or removed',
  isWeaker: (before: Agents, after: Agents) => {
    const [old, now] = [new Set(identitiesOf(before)), new Set(identitiesOf(after))];
    return old.symmetricDifference(now).size > 0;
  },
};

type Agents = z.output<typeof agentsSchema>;

function identitiesOf(agents: Agents): string[] {
  return agents.flatMap(({ matches }) => matches.map(comparedId));
}

const fileDigest = () =>
  noted(z.string().regex(/^(?:sha256:[0-9a-f]{64})?$/), {
    expects: 'sha256: and 64 hexadecimal digits, as "sha256sum" prints them',
  });

const LESS_PROOF = {
  when: 'less proof',
  isWeaker: (before: Verification, after: Verification) => !isVerifiedAtLeast(after, before),
};

const identitySection = section('identity', 'Who may decide, and how that is proved.', {
  verification: group('What a decision needs at least, by tier.', {
    approve: field(z.enum(['local', 'token', 'signature', 'forge']), 'local', {
      weakens: LESS_PROOF,
      comment: 'local (OS user, git identity), token, signature (SSH) or forge (review).',
    }),
    require: field(z.enum(['token', 'signature', 'forge']), 'token', {
      weakens: LESS_PROOF,
      comment: 'token, signature (SSH), or forge; a review counts only with forge.',
    }),
  }),
  allowedSignersFile: field(file(), '.hone/allowed-signers', {
    weakens: 'any',
    comment: 'SSH keys that may sign decisions.',
  }),
  allowedSignersDigest: field(fileDigest(), '', {
    weakens: 'any',
    comment: 'sha256:… of that file; if it changes, no signature counts.',
  }),
  agents: field(agentsSchema, KNOWN_AGENTS, {
    weakens: OTHER_IDENTITIES,
    comment: 'Agents, by e-mail address, OS user or token. They never approve.',
  }),
});

const commitId = () =>
  noted(z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})?$/), {
    expects: 'the whole id of a commit, as "git rev-parse HEAD" prints it',
  });

/** They ask for a notice at most. A team that may use others adds them. */
const PERMISSIVE_LICENCES: readonly string[] = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BSL-1.0', 'CC0-1.0'],
  ...['CC-BY-4.0', 'ISC', 'MIT', 'MIT-0', 'PSF-2.0', 'Python-2.0', 'Unicode-3.0', 'Unlicense'],
  ...['WTFPL', 'Zlib'],
];

const policySection = section('policy', 'Who may do what.', {
  commit: field(commitId(), '', {
    weakens: 'any',
    comment: 'The commit whose policies/*.cedar hold beside Hone’s own; empty: none.',
  }),
  check: group('What "hone policy check" asks of anybody’s patch, beside the policy tests.', {
    filesMax: field(z.int().min(1).max(2000), 200, {
      weakens: 'higher',
      comment: 'Files that one patch may touch; lock files do not count.',
    }),
    changedLinesMax: field(z.int().min(1).max(1_000_000), 5000, {
      weakens: 'higher',
      comment: 'Lines that one patch may add and remove; lock files do not count.',
    }),
    testsFor: field(texts(), [], {
      weakens: 'removal',
      comment: 'Source that changes only with a test, such as src/**; empty: none.',
    }),
    licences: field(texts(), [...PERMISSIVE_LICENCES], {
      weakens: 'addition',
      comment: 'Licences that dependencies may have, by their SPDX names.',
    }),
  }),
});

export const foundationSections = [
  targetSection,
  storeSection,
  serverSection,
  ledgerSection,
  outboxSection,
  leaseSection,
  limitsSection,
  identitySection,
  policySection,
] as const;

export type FoundationConfig = ConfigOf<typeof foundationSections>;
