/** What validation contributes to `hone.yaml`. */
import { posix } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '../base/index.ts';
import { byteSize, duration, field, group, section } from '../config/index.ts';
import { CI_PATHS, HONE_PATHS } from '../policy/index.ts';

/** Of programs: an agent's prompt or settings may have such a name and be tuned. */
const CODE_ENDINGS = ['py', 'ts', 'js', 'go', 'sh'];

/** What the agents' own clients obey: permissions, hooks, servers of tools. Definitions of agents are not among them. */
export const CLIENT_PATHS: readonly string[] = [
  ...['.claude/settings*', '.claude/hooks/**', '.mcp.json', 'managed-mcp.json'],
  ...['.codex/config.toml', '.codex/rules/**', '.codex/hooks*'],
  ...['.cursor/mcp.json', '.cursor/hooks*', '.gemini/settings.json', '.vscode/mcp.json'],
  // `chat.tools.autoApprove`, and tasks that run when a folder is opened.
  ...['.vscode/settings.json', '.vscode/tasks.json', '.zed/settings.json', '.roo/mcp.json'],
  ...['.windsurf/mcp*.json', '.amazonq/mcp.json', '.kiro/settings/**', '.continue/config.*'],
  ...['opencode.json*', '.aider.conf.y*ml'],
];

/**
 * What no change of Hone's may touch, in every folder, whatever the case (VAL-1): what starts the agents and
 * with which secrets, the contract they work under, what lets them reach tools and data, and what makes
 * accounts and keys. By the names that such files usually have; a project adds its own.
 */
const USUAL_PATHS: readonly string[] = [
  ...['docker-compose*.y*ml', 'compose.y*ml', 'compose.*.y*ml', '.env*'],
  ...['system_contract*', 'system-contract*'],
  ...['gateway/**', '*-gateway/**', '*_gateway/**', 'gateway.*'],
  ...['*allowlist*', '*allow-list*', '*allow_list*'],
  ...['ingestion/**', '*-ingestion/**', '*_ingestion/**', 'provisioning/**'],
  ...['*.pem', '*.key'],
  ...CODE_ENDINGS.flatMap((ending) => [
    `ingest*.${ending}`,
    `provision*.${ending}`,
    `*generate*key*.${ending}`,
    `*keygen*.${ending}`,
  ]),
];

export const DEFAULT_FORBIDDEN_PATHS: readonly string[] = [
  ...USUAL_PATHS,
  ...HONE_PATHS,
  ...CI_PATHS,
  ...CLIENT_PATHS,
];

/** A name is only usual: declared as an agent's file by that very name, it is asked about (ADR 098). */
export const USUAL_NAMES: ReadonlySet<string> = new Set([
  ...USUAL_PATHS,
  ...CLIENT_PATHS,
  'policies/**',
]);

const share = () => z.number().min(0).max(1);

/** A program and its arguments, as in other sections: no shell reads them. Empty: there is none. */
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

/** The ready replay, which runs nothing of the target (`recorded-replay/`). */
export const RECORDED = 'recorded';

/** A name or an address, alone for its usual ports or with its port. */
const HOST = /^(?:\[[0-9a-fA-F:]+\]|[a-zA-Z0-9.-]+)(?::\d{1,5})?$/;

/** Below the root, written the one way that names it. */
function isPlainPath(path: string): boolean {
  return path === posix.normalize(path) && !/^(?:\/|\.\.?(?:\/|$))|\/$|\0/.test(path);
}

/** Without a question, a name or a secret in it; not encrypted only on this machine. */
function isModelUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username + url.password !== '')
    return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

export const validateSection = section('validate', 'How a change proves that it helps.', {
  sessions: field(z.int().min(1).max(100_000), 400, {
    weakens: 'lower',
    comment: 'The most recorded sessions that are replayed.',
  }),
  minSessions: field(z.int().min(5).max(100_000), 20, {
    weakens: 'lower',
    comment: 'With fewer usable sessions the verdict is inconclusive.',
  }),
  significance: field(z.number().min(0.8).max(0.9999), 0.95, {
    weakens: 'lower',
    comment: 'How sure it must be that a change helps, or hurts.',
  }),
  extend: field(duration({ min: '0s', max: '30d' }), '1h', {
    weakens: 'any',
    comment: 'How long an inconclusive replay may wait for sessions that would settle it.',
  }),
  flakyMax: field(share(), 0.2, {
    weakens: 'higher',
    comment: 'The share of sessions that may differ between two runs of the same base.',
  }),
  regressionMax: field(share(), 0.02, {
    weakens: 'higher',
    comment: 'The share of working sessions that a change may break.',
  }),
  files: field(z.array(z.string().min(1).max(400)).min(1).max(500), ['**'], {
    weakens: 'any',
    comment: 'What prepare, test, eval and replay see: * and **; a leading / is the root.',
  }),
  prepare: field(command(), [], {
    weakens: 'any',
    comment: 'Builds what tests and replay need from the base: npm ci, for example.',
  }),
  hosts: field(z.array(z.string().max(260).regex(HOST)).max(100), [], {
    weakens: 'addition',
    comment: 'Hosts that prepare may reach, such as a package registry; no others.',
  }),
  test: field(command(), [], {
    weakens: 'any',
    comment: 'The target’s tests, run in a sandbox: a program and its arguments.',
  }),
  testReport: field(z.union([z.literal(''), z.string().max(400).refine(isPlainPath)]), '', {
    weakens: 'any',
    comment: 'Where the tests write JUnit XML, below the target’s root; may be empty.',
  }),
  testRuns: field(z.int().min(2).max(10), 2, {
    weakens: 'lower',
    comment: 'How often the base is tested, to know tests that fail by chance.',
  }),
  testTimeout: field(duration({ min: '1s', max: '24h' }), '10m', {
    weakens: 'lower',
    comment: 'A run of the tests, or of prepare, is given up after this.',
  }),
  replay: field(z.union([z.literal(RECORDED), command()]), [], {
    weakens: 'any',
    comment: 'Plays sessions again: a command (JSON lines in and out), or "recorded".',
  }),
  eval: field(command(), [], {
    weakens: 'any',
    comment: 'The target’s evaluation, run in a sandbox: promptfoo or pytest, for example.',
  }),
  evalReport: field(z.union([z.literal(''), z.string().max(400).refine(isPlainPath)]), '', {
    weakens: 'any',
    comment: 'Where it writes its results: promptfoo’s or pytest’s JSON, or JUnit XML.',
  }),
  evalTimeout: field(duration({ min: '1s', max: '24h' }), '10m', {
    weakens: 'lower',
    comment: 'A run of the evaluation is given up after this.',
  }),
  model: group('A model that eval and replay may ask, by a proxy outside the sandbox.', {
    provider: field(z.enum(['none', 'anthropic', 'openai']), 'none', {
      weakens: 'any',
      comment: 'How it is asked: anthropic (Messages) or openai (chat completions).',
    }),
    url: field(z.union([z.literal(''), z.string().max(300).refine(isModelUrl)]), '', {
      weakens: 'any',
      comment: 'Its address, https://HOST; empty: the provider’s own.',
    }),
    key: field(z.string().regex(/^env:[A-Z][A-Z0-9_]{0,100}$/), 'env:HONE_MODEL_KEY', {
      weakens: 'any',
      comment: 'Its key, by the environment variable that holds it.',
    }),
    models: field(z.array(z.string().min(1).max(200)).max(50), [], {
      weakens: 'any',
      comment: 'The names of the models that may be asked.',
    }),
    spend: field(z.number().min(0).max(10_000), 4, {
      weakens: 'higher',
      comment: 'The most dollars of one validation, with its repetitions, by these prices.',
    }),
    inputPrice: field(z.number().min(0).max(10_000), 15, {
      weakens: 'lower',
      comment: 'Dollars for a million tokens that are sent.',
    }),
    outputPrice: field(z.number().min(0).max(10_000), 75, {
      weakens: 'lower',
      comment: 'Dollars for a million tokens that are answered.',
    }),
  }),
  slowerMax: field(z.number().min(0).max(100), 0.2, {
    weakens: 'higher',
    comment: 'How much slower a change may make what works: 0.2 is a fifth.',
  }),
  dearerMax: field(z.number().min(0).max(100), 0.2, {
    weakens: 'higher',
    comment: 'How much dearer a change may make what works: 0.2 is a fifth.',
  }),
  memory: field(byteSize({ min: '64MB', max: '1TB' }), '4GB', {
    weakens: 'higher',
    comment: 'The most memory of a run in the sandbox, its files included.',
  }),
  processes: field(z.int().min(8).max(32_768), 512, {
    weakens: 'higher',
    comment: 'The most processes and threads of a run in the sandbox.',
  }),
  timeout: field(duration({ min: '1s', max: '24h' }), '10m', {
    weakens: 'lower',
    comment: 'A replay is given up after this.',
  }),
  forbiddenPaths: field(
    z.array(z.string().min(1).max(400)).max(500),
    [...DEFAULT_FORBIDDEN_PATHS],
    {
      weakens: 'removal',
      comment: 'Paths that no change may touch: * and **; a leading / is the root.',
    },
  ),
});
