/** A change calls itself a tuning and gives an agent a right (rule 8); and tunings that only sound like it. */
import { describe, expect, test } from 'vitest';
import { POLICY_TESTS, policyContext } from '../../src/validate/index.ts';
import { touched } from '../../src/validate/validate.test-support.ts';

async function reasons(before: string, after: string): Promise<string[]> {
  const files = await touched({ 'a.yaml': `${before}\n` }, { 'a.yaml': `${after}\n` });
  return POLICY_TESTS.flatMap(({ run }) => files.flatMap((file) => run(file, policyContext({}))));
}

describe('a grant', () => {
  test.each([
    ['a switch as a number', 'tools: {shell: {write: 0}}', 'tools: {shell: {write: 1}}'],
    ['a tool switched on as a number', 'tools: {shell: 0}', 'tools: {shell: 1}'],
    ['a new switch', 'tools: {shell: {ms: 5}}', 'tools: {shell: {ms: 5, write: 1}}'],
    ['a tool named like a measure', 'tools: {a: {ms: 5}}', 'tools: {a: {ms: 5}, timeout: 5}'],
    ['a tool below a tool', 'tools: {a_tool: {x: 1}}', 'tools: {a_tool: {x: 1, tools: [sh]}}'],
    ['a level of permissions', 'permissions: {level: 2}', 'permissions: {level: 9}'],
    ['a limit of permissions', 'limits: {permissions: 3}', 'limits: {permissions: 9}'],
    ['a user below timeouts', 'timeouts: {uid: 1000}', 'timeouts: {uid: 0}'],
    ['another user', 'securityContext: {runAsUser: 1000}', 'securityContext: {runAsUser: 0}'],
    ['another user by name', 'user: worker', 'user: root'],
    ['a mode in quotes', 'mode: "0644"', 'mode: "0777"'],
    ['a port in quotes', 'port: "8080"', 'port: "22"'],
    ['a host below limits', 'limits: {server: 8}', 'limits: {server: evil}'],
    ['an approval less', 'approvals: 2', 'approvals: 1'],
    ['no wait for an approval', 'approval_timeout_s: 60', 'approval_timeout_s: 0'],
    [
      'a looser guardrail',
      'guardrails: {toxicity_threshold: 0.5}',
      'guardrails: {toxicity_threshold: 0.9}',
    ],
    ['a writable root', 'readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false'],
    ['nothing disabled', 'disabled_tools: [shell]', 'disabled_tools: []'],
    ['a server enabled', 'x: {disabled: true}', 'x: {disabled: false}'],
    ['a guard disabled', 'disable_sandbox: false', 'disable_sandbox: true'],
    ['a check skipped', 'skip_verification: false', 'skip_verification: true'],
    ['a question less', 'ask_first: true', 'ask_first: false'],
    ['no person in the loop', 'human_in_the_loop: true', 'human_in_the_loop: false'],
    ['no dry run', 'dry_run: true', 'dry_run: false'],
    ['a longer allowlist to come', 'allowlist_size: 10', 'allowlist_size: 20'],
    ['a network as a number', 'sandbox: {network: 0}', 'sandbox: {network: 1}'],
    ['a role', 'agents: {a: {role: editor}}', 'agents: {a: {role: Owner}}'],
  ])('%s', async (_, before, after) => {
    expect(await reasons(before, after)).not.toEqual([]);
  });
});

describe('a tuning', () => {
  test.each([
    ['a timeout at the root', 'weather_tool: {timeout_ms: 5}', 'weather_tool: {timeout_ms: 9}'],
    ['one more for all tools', 'tools: {timeout_ms: 5}', 'tools: {timeout_ms: 9}'],
    ['the first retry', 'tools: {a_tool: {retries: 0}}', 'tools: {a_tool: {retries: 1}}'],
    ['a new retry', 'tools: {a_tool: {ms: 5}}', 'tools: {a_tool: {ms: 5, retries: 1}}'],
    ['a timeout by a name', 'timeouts: {server: 5}', 'timeouts: {server: 9}'],
    ['a limit by a name', 'limits: {tools: 5}', 'limits: {tools: 9}'],
    ['a mode that is no file’s', 'search_mode: 1', 'search_mode: 2'],
    ['a mode in words', 'mode: fast', 'mode: deep'],
    ['a role to play', 'role: researcher', 'role: senior researcher'],
    ['a rate for each user', 'max_requests_per_user: 5', 'max_requests_per_user: 9'],
    ['a cache', 'access_token_ttl_s: 60', 'access_token_ttl_s: 90'],
    ['a guard more', 'ask_first: false', 'ask_first: true'],
    ['a tool disabled', 'x: {disabled: false}', 'x: {disabled: true}'],
    ['a sandbox enabled', 'disable_sandbox: true', 'disable_sandbox: false'],
    ['a lower role', 'role: admin', 'role: viewer'],
  ])('%s', async (_, before, after) => {
    expect(await reasons(before, after)).toEqual([]);
  });
});
