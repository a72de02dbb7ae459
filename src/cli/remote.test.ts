/** A target with a remote, through the command line: said beforehand, checked, and reached. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { git } from '../git/test-repositories.ts';
import { agentFile, calls, fileAt, makeTarget, SETTINGS } from './target.test-support.ts';

const FILES = { 'agents/researcher.yaml': agentFile('researcher', 'web_search') };

async function withRemote() {
  const target = await makeTarget(FILES, { checkedOut: true });
  const bare = join(dirname(target.repository), 'shop.git');
  mkdirSync(bare);
  git(bare, ['init', '-q', '--bare', '-b', 'main']);
  git(target.repository, ['remote', 'add', 'origin', bare]);
  git(target.repository, ['push', '-q', 'origin', 'main']);
  writeFileSync(join(target.repository, 'hone.yaml'), `${SETTINGS}deploy:\n  forge: remote\n`);
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  return { target, bare };
}

const words = (text: string) => text.replace(/\s+/g, ' ');

test('where a change goes is said at init, in status and before the decision; it gets there', async () => {
  const { target, bare } = await withRemote();
  using _ = target;
  const { hone, repository } = target;
  await target.installation.stateDir();
  expect(words((await hone('init')).out)).toContain('is pushed to main of origin');
  expect(words((await hone('status')).out)).toContain('Goes to main of the remote origin');
  const doctor = contracts.doctorJson.parse((await hone('doctor', '--json')).json());
  expect(doctor.findings.find(({ check }) => check === 'branch')).toMatchObject({
    state: 'ok',
    text: expect.stringContaining(bare),
  });

  expect((await hone('cycle')).exit).toBe(0);
  const listed = contracts.proposalsListJson.parse(
    (await hone('proposals', 'list', '--json')).json(),
  );
  const { id, digest } = listed.proposals[0]!;
  const shown = contracts.proposalsShowJson.parse(
    (await hone('proposals', 'show', id, '--json')).json(),
  );
  expect(shown.target).toEqual({ repository: bare, branch: 'main', forge: 'remote' });
  const approved = await target.installation.honeAsOperator('approve', id, '--digest', digest);
  expect(approved.exit, approved.err).toBe(0);
  expect(await fileAt(bare, 'agents/researcher.yaml')).not.toContain('timeout_ms: 800 ');
  // The user's own branch, which is checked out, is as it was.
  expect(await fileAt(repository, 'agents/researcher.yaml')).toContain('timeout_ms: 800 ');
});

test('a remote that is gone is told by doctor, with what to do', async () => {
  const { target, bare } = await withRemote();
  using _ = target;
  await target.installation.stateDir();
  rmSync(bare, { recursive: true });
  const report = contracts.doctorJson.parse((await target.hone('doctor', '--json')).json());
  const finding = report.findings.find(({ check }) => check === 'branch');
  expect(finding).toMatchObject({ state: 'error', text: expect.stringContaining('origin') });
  expect(finding?.remedy).toMatch(/deploy\.sshKey/);
});
