import { describe, expect, test } from 'vitest';
import { policyContext } from './policy-context.ts';
import { testPolicies } from './policy-tests.ts';
import { touched } from './validate.test-support.ts';

async function outcomeOf(file: string, before: string, after: string) {
  expect(before).not.toBe(after);
  const files = await touched({ [file]: before }, { [file]: after });
  return testPolicies(files, policyContext({})).outcome;
}

type Row = [file: string, text: (value: string) => string, from: string, to: string];
const yaml = (key: string, from: string, to: string): Row => [
  'a.yaml',
  (value) => `${key}: ${value}\n`,
  from,
  to,
];
const tool = (key: string, from: string, to: string): Row => [
  'a.yaml',
  (value) => `tools:\n  find:\n    ${key}: ${value}\n`,
  from,
  to,
];
const json = (key: string, from: string, to: string): Row => [
  'a.json',
  (value) => `{"bot":{"${key}":${value}}}\n`,
  from,
  to,
];
const toml = (key: string, from: string, to: string): Row => [
  'a.toml',
  (value) => `[bot]\n${key} = ${value}\n`,
  from,
  to,
];
const env = (key: string, from: string, to: string): Row => [
  'run.env',
  (value) => `${key}=${value}\n`,
  from,
  to,
];
const ts = (key: string, from: string, to: string): Row => [
  'a.ts',
  (value) => `export const LIMITS = { ${key}: ${value} };\n`,
  from,
  to,
];
const py = (key: string, from: string, to: string): Row => [
  'a.py',
  (value) => `${key} = ${value}\n`,
  from,
  to,
];

/** The same words, of a time, a count, a rate or a size. */
const amounts: Row[] = [
  tool('allowance', 'PT0.52S', 'PT1.04S'),
  tool('allowance', '520', '1040'),
  tool('allowance_ms', '520', '1040'),
  tool('request-allowance', '1.5s', '4s'),
  yaml('allowance', '0.52s', '1.04s'),
  yaml('http_allowance', '10 s', '20 s'),
  yaml('allowed_time', '5s', '8s'),
  yaml('allowed_wait', '5', '8'),
  yaml('allowed_attempts', '2', '4'),
  yaml('allow', 'PT5S', 'PT9S'),
  yaml('grace', '5', '9'),
  yaml('access_timeout', '5', '9'),
  yaml('scope_ms', '500', '900'),
  yaml('admin_wait', '5', '9'),
  yaml('token_limit', '500', '900'),
  yaml('grants_per_minute', '20', '60'),
  yaml('permit_wait', '5', '9'),
  yaml('permit', '5s', '9s'),
  yaml('permission_check_timeout', '60', '90'),
  yaml('role_lookup_delay', '3', '5'),
  yaml('thread_only', '3', '5'),
  yaml('wait_for_user', '30s', '60s'),
  yaml('upstream_host', '30s', '60s'),
  json('allowance', '"2s"', '"6s"'),
  json('adminTimeout', '20', '40'),
  json('credentialsTimeout', '"30s"', '"50s"'),
  json('accessPatience', '3', '7'),
  json('toolWait', '3', '7'),
  json('privilegedCallsPerHour', '30', '70'),
  toml('allowed_results', '10', '30'),
  toml('allowance', '"64KB"', '"128KB"'),
  toml('scopes_deadline', '"1m30s"', '"3m0s"'),
  toml('trusted_backoff', '"100ms"', '"400ms"'),
  env('ALLOWANCE_MS', '1800', '4000'),
  env('SEARCH_ALLOWANCE', '1800ms', '4000ms'),
  env('PERMIT_TIMEOUT', '18', '40'),
  env('GRANT_WAIT', '18', '40'),
  ts('allowance', "'2s'", "'6s'"),
  ts('adminWait', '2', '6'),
  ts('allowedRetries', '2', '3'),
  py('ALLOWANCE', "'2s'", "'6s'"),
  py('ACCESS_TIMEOUT', '2.5', '6.0'),
  py('UNSAFE_PARSE_TIMEOUT', '2', '6'),
];

/** What these words are in earnest: names, switches, ranks, bits, identities, addresses, and how long a permission lasts. */
const given: Row[] = [
  tool('allowance', '[a]', '[a, b]'),
  tool('allow', '[a]', '[a, b]'),
  tool('permission_level', '0', '3'),
  yaml('allowance', '[a]', '[a, b]'),
  yaml('allowances', '{a: 1}', '{a: 1, b: 1}'),
  yaml('allowance_usd', '5', '50'),
  yaml('allowed_spend', '5', '50'),
  yaml('allowed_hosts', '[a]', '[a, b]'),
  yaml('allowed_port', '443', '22'),
  yaml('allowed_uid', '1000', '100'),
  yaml('allow', '0', '1'),
  yaml('allow_retries', '0', '1'),
  yaml('allow_mode', '0644', '0777'),
  yaml('access', 'read', 'write'),
  yaml('scopes', '3', '7'),
  yaml('admin', '0', '1'),
  yaml('admin_level', '1', '2'),
  yaml('roles_max', '1', '4'),
  yaml('grants', '20', '60'),
  yaml('permit', '[read]', '[read, write]'),
  yaml('permissions', '5', '7'),
  yaml('permission_mask', '5', '7'),
  yaml('role', 'viewer', 'admin'),
  yaml('readonly', '1', '0'),
  yaml('read_only', 'true', 'false'),
  yaml('run_as_user', '1000', '10'),
  yaml('sudo', '5m', '8h'),
  yaml('sudo_ttl', '60', '86400'),
  yaml('elevated_for', '5m', '8h'),
  yaml('allowed_access', '1h', '24h'),
  yaml('upstream_host', 'a.example', 'b.example'),
  json('allowance', '["a"]', '["a","b"]'),
  json('adminSession', '"1h"', '"24h"'),
  json('elevated', '"5m"', '"8h"'),
  json('admin', 'false', 'true'),
  json('credentials', '"a"', '"b"'),
  json('accessScope', '"read"', '"write"'),
  json('tools', '["a"]', '["a","b"]'),
  json('privileged', '0', '1'),
  toml('allowed_tools', '["a"]', '["a","b"]'),
  toml('allow', '"a"', '"a,b"'),
  toml('scopes', '["a"]', '["a","b"]'),
  toml('trusted_level', '1', '2'),
  env('ALLOWED_TOOLS', 'a', 'a,b'),
  env('PERMIT_SHELL', 'false', 'true'),
  env('GRANT', '0', '1'),
  ts('allowed', "['a']", "['a', 'b']"),
  ts('adminTools', "['a']", "['a', 'b']"),
  py('ALLOWED_TOOLS', "['a']", "['a', 'b']"),
  py('UNSAFE', 'False', 'True'),
];

/** An amount of what, the file does not say. */
const unsaid: Row[] = [
  yaml('allowance', '50', '500'),
  yaml('allowance', '{search: 50}', '{search: 500}'),
  env('SEARCH_ALLOWANCE', '1800', '4000'),
  ts('allowance', '50', '500'),
];

const titled = (rows: readonly Row[]) =>
  rows.map(
    ([file, text, from, to]) =>
      [`${text(from).trim()} -> ${to}`, file, text(from), text(to)] as const,
  );

describe('VAL-1: a time, a count, a rate or a size is no list of permissions', () => {
  test.each(titled(amounts))('%s', async (_, file, before, after) => {
    expect(await outcomeOf(file, before, after)).toBe('passed');
  });
});

describe('VAL-1: what the same words permit', () => {
  test.each(titled(given))('%s', async (_, file, before, after) => {
    expect(await outcomeOf(file, before, after)).toBe('failed');
  });
});

describe('VAL-1: an allowance outside of a tool may be money', () => {
  test.each(titled(unsaid))('%s', async (_, file, before, after) => {
    expect(await outcomeOf(file, before, after)).toBe('inconclusive');
  });
});
