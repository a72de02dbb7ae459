/** The section `gateway` of `hone.yaml`: contracts of tools, and what holds for all of them. */
import { z } from 'zod';
import { byteSize, duration, field, section, toolPattern } from '../config/index.ts';
import { TOOL_RISKS } from '../facts/index.ts';
import { ARGUMENTS_MAX, OUTPUT_MAX } from './shipped-contracts.ts';
import { type Combination, type Contract, SENDING } from './types.ts';

const pattern = toolPattern();
const argument = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/);
const texts = z.array(z.string().min(1).max(300)).max(100);

const limit = z.strictObject({
  maxLength: z.optional(z.int().min(0).max(10_000_000)),
  oneOf: z.optional(texts),
  within: z.optional(texts),
  never: z.optional(texts),
});

const contract = z.strictObject({
  tool: pattern,
  risk: z.enum(TOOL_RISKS),
  mode: z.optional(z.enum(['observe', 'enforce'])),
  sends: z.prefault(z.enum(SENDING), 'maybe'),
  maxArguments: z.prefault(byteSize({ min: '1KiB', max: '8MiB' }), `${ARGUMENTS_MAX / 1024}KiB`),
  maxOutput: z.prefault(byteSize({ min: '1KiB', max: '64MiB' }), `${OUTPUT_MAX / 1024}KiB`),
  arguments: z.prefault(z.record(argument, limit), {}),
  redact: z.prefault(z.array(argument).max(100), []),
}) satisfies z.ZodType<Contract>;

const combination = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  after: z.union([z.literal('secret'), pattern]),
  next: z.union([z.literal('sends'), pattern]),
  level: z.prefault(z.enum(['ask', 'block']), 'block'),
}) satisfies z.ZodType<Combination>;

/** Places where tools keep keys by their own documentation; `!` takes one out. */
export const SECRET_PATHS: readonly string[] = [
  ...['.env', '.env.*', '!.env.example', '!.env.sample', '!.env.template'],
  ...['*.pem', '*.p12', '*.pfx', '*.keystore', '*.jks', '*.key'],
  ...['id_rsa', 'id_ed25519', 'id_ecdsa', '.ssh/**', '!*.pub', '.gnupg/**'],
  ...['.aws/credentials', '.config/gcloud/**', '.azure/**', '.kube/config', '.docker/config.json'],
  ...[
    '.netrc',
    '.npmrc',
    '.pypirc',
    '.git-credentials',
    '.pgpass',
    'secrets/**',
    'credentials.json',
  ],
  ...['proc/*/environ'],
];

export const gatewaySection = section('gateway', 'Agents’ calls of tools.', {
  contracts: field(z.array(contract).max(2000), [], {
    weakens: 'any',
    comment: 'Tools (server/tool, with *): risk, sends, limits, redact, mode.',
  }),
  combinations: field(
    z.array(combination).max(200),
    [{ name: 'secret-out', after: 'secret', next: 'sends', level: 'block' }],
    {
      weakens: 'any',
      comment: 'Calls that are dangerous one after the other in a session.',
    },
  ),
  guardedPaths: field(z.array(z.string().min(2).max(300)).max(500), [...SECRET_PATHS], {
    weakens: 'any',
    comment: 'Paths whose reading makes a session secret; ! takes one out.',
  }),
  uncontracted: field(z.enum(['block', 'ask']), 'ask', {
    weakens: { strictestFirst: ['block', 'ask'] },
    comment: 'What happens to a call of a tool without a contract.',
  }),
  requireTask: field(z.boolean(), true, {
    weakens: { strictestFirst: [true, false] },
    comment: 'Whether only read-only tools pass without a task.',
  }),
  answersNeed: field(z.enum(['token', 'local']), 'token', {
    weakens: { strictestFirst: ['token', 'local'] },
    comment: 'How whoever approves a call must be verified; an agent may be `local` too.',
  }),
  askInClient: field(z.boolean(), false, {
    weakens: { strictestFirst: [false, true] },
    comment: 'Whether the agent’s client may ask its user, who answers as `local`.',
  }),
  askExpires: field(duration({ min: '1m', max: '7d' }), '1h', {
    weakens: 'higher',
    comment: 'How long a question waits, and its answer counts.',
  }),
  remember: field(duration({ min: '1h', max: '30d' }), '24h', {
    weakens: 'lower',
    comment: 'How long it counts that a session read something secret.',
  }),
});
