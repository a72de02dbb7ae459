/** What people are told about their decisions: that one came to nothing, and what was moved because of one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { type CommitId, openRepository } from '../git/index.ts';
import {
  agentFile,
  calls,
  fileAt,
  makeTarget,
  SETTINGS,
  type Target,
} from './target.test-support.ts';

const FILE = 'agents/researcher.yaml';
let target: Target;
let id: string;
let digest: string;
let operator: string;
const decide = (...args: string[]) => target.honeWith({ HONE_TOKEN: operator }, ...args);

beforeEach(async () => {
  target = await makeTarget({ [FILE]: agentFile('researcher', 'web_search') });
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  const made = contracts.initJson.parse((await target.hone('init', '--json')).json());
  operator = made.token!.secret;
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  await target.hone('cycle');
  const { proposals } = contracts.proposalsListJson.parse(
    (await target.hone('proposals', 'list', '--json')).json(),
  );
  [{ id, digest }] = [proposals[0]!];
});
afterEach(() => target[Symbol.dispose]());

/** Somebody else commits something that has nothing to do with it. */
async function unrelatedCommit(): Promise<CommitId> {
  await using repository = await openRepository({ root: target.repository, durable: false });
  const head = (await repository.resolve('refs/heads/main'))!;
  const author = { name: 'Operator', email: 'operator@example.org', atMs: Date.now() };
  const content = Buffer.from(`${head}\n`);
  const tree = await repository.writeFiles(head, [{ path: 'NOTES.md', content }]);
  const commit = await repository.commit({ tree, parents: [head], message: 'Notes\n', author });
  await repository.moveRef('refs/heads/main', commit, head);
  return commit;
}

test('a base that moved: said, with the new digest and the exact command, and exit 1', async () => {
  const head = await unrelatedCommit();
  const voided = await decide('approve', id, '--digest', digest, '--json');
  expect(voided.exit).toBe(1);
  const said = contracts.decidedJson.parse(voided.json());
  expect(said.state).toBe('pending');
  expect(said.digest).not.toBe(digest);
  expect(said.did.join('\n')).toContain(`main moved from `);
  expect(said.did.join('\n')).toContain(
    `to ${head.slice(0, 12)}, so the change was applied to the new head and is validated again`,
  );
  const command = `hone approve ${id} --digest ${said.digest.slice(7, 19)}`;
  expect(said.decideAgain).toBe(command);
  // For people, a second time: once more somebody else was first.
  await unrelatedCommit();
  const again = await decide('approve', id, '--digest', said.digest);
  expect(again.exit).toBe(1);
  expect(again.out).toContain('Your approval no longer counts');
  const given = /^ {2}(hone approve .+)$/m.exec(again.out)![1]!;
  const [, ...words] = given.split(' ');
  const done = await decide(...words);
  expect(done.out).toContain('It is monitoring now.');
  expect(done.exit).toBe(0);
  expect(await fileAt(target.repository, FILE)).not.toContain('timeout_ms: 800');
});

test('a cycle that completes a waiting deployment says what it moved, and where', async () => {
  const head = join(target.repository, '.git', 'HEAD');
  const detached = readFileSync(head, 'utf8');
  writeFileSync(head, 'ref: refs/heads/main\n');
  const waits = await decide('approve', id, '--digest', digest);
  expect(waits.out).toContain('It is approved now.');
  expect(waits.exit).toBe(0);
  writeFileSync(head, detached);
  const cycle = await target.hone('cycle');
  const said = cycle.out.replace(/\s+/g, ' ');
  expect(said).toContain('Earlier proposals that moved on');
  expect(said).toMatch(
    new RegExp(`${id}: main moved from ${detached.slice(0, 12)} to [0-9a-f]{12}\\.`),
  );
  const rolled = await target.hone('rollback', id, '--reason', 'the bill doubled');
  expect(rolled.exit).toBe(0);
  const shown = (await target.hone('proposals', 'show', id)).out.replace(/\s+/g, ' ');
  expect(shown).toContain('rollback requested, by operator@example.org the bill doubled');
});

test('`show` names repository, branch and forge before and after', async () => {
  const before = await target.hone('proposals', 'show', id);
  expect(before.out).toMatch(/^ {2}Goes to +main of \S+ \(local\)$/m);
  expect((await decide('approve', id, '--digest', digest)).exit).toBe(0);
  const { target: where, attestations } = contracts.proposalsShowJson.parse(
    (await target.hone('proposals', 'show', id, '--json')).json(),
  );
  expect(where).toMatchObject({ branch: 'main', forge: 'local' });
  expect(attestations.find((one) => one.kind === 'decision')?.target).toEqual(where);
});
