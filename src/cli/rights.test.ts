/** A team's own policies, from the commit that the accepted configuration names. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';

const ONLY_BOB = `@id("only-bob-weakens-vetting")
forbid (principal, action == Action::"weaken_gate", resource == Gate::"vetting")
unless { principal == Person::"token:bob" };
`;

function commitPolicies({ repository, environment }: Installation, text: string): string {
  mkdirSync(join(repository, 'policies'), { recursive: true });
  writeFileSync(join(repository, 'policies', 'team.cedar'), text);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: repository, env: environment, encoding: 'utf8' }).trim();
  git('add', 'policies');
  git('commit', '--quiet', '--message', 'policies');
  return git('rev-parse', 'HEAD');
}

function name(here: Installation, commit: string): void {
  const file = join(here.repository, 'hone.yaml');
  const before = readFileSync(file, 'utf8').replace(/\npolicy:\n.*\n/, '\n');
  writeFileSync(file, `${before}\npolicy:\n  commit: ${commit}\n`);
}

test('ID-1 a team’s policies hold from an accepted commit, whatever is checked out', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  const weaken = (gate: string) =>
    here.honeAsOperator('switch', 'set', gate, 'observe', '--reason', 'a trial');
  const tryOut = async (text: string) => {
    name(here, commitPolicies(here, text));
    return (await here.accept('operator')).err.replace(/\s+/g, ' ');
  };
  expect(await tryOut('forbid (principal')).toContain('cannot be used: policies/team.cedar');
  expect(await tryOut('forbid (principal, action, resource);')).toContain(
    'let no operator accept configuration or resume',
  );

  name(here, commitPolicies(here, ONLY_BOB));
  expect((await here.accept('anybody')).exit).toBe(1);
  expect((await here.accept('operator')).exit).toBe(0);
  // What an agent writes there since is not what was accepted.
  writeFileSync(
    join(here.repository, 'policies', 'team.cedar'),
    'permit (principal, action, resource);',
  );
  const refused = await weaken('vetting');
  expect([refused.exit, refused.err.replace(/\s+/g, ' ')]).toEqual([
    1,
    expect.stringContaining('forbidden by policies/team.cedar:only-bob-weakens-vetting'),
  ]);
  expect((await weaken('limits')).exit).toBe(0);
});
