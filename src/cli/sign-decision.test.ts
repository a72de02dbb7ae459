/** `hone approve --sign` as a person does it: a real key, the real ssh-keygen, git's own settings. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSshKeys, type SshKeys, sshKeygenProblem } from '../../test/ssh-keys.ts';
import { digestOfBytes } from '../base/index.ts';
import * as contracts from '../contracts/index.ts';
import { agentFile, calls, makeTarget, SETTINGS, type Target } from './target.test-support.ts';

describe.skipIf(sshKeygenProblem() !== undefined)('`hone approve --sign`', () => {
  let target: Target;
  let keys: SshKeys;
  let id: string;
  let digest: string;
  const signers = () => join(target.repository, '.hone', 'allowed-signers');
  const approve = (...more: string[]) => target.hone('approve', id, '--digest', digest, ...more);

  beforeAll(async () => {
    keys = makeSshKeys();
    target = await makeTarget({
      'agents/researcher.yaml': agentFile('researcher', 'web_search'),
    });
    const allowed = keys.line('operator@example.org', 'operator');
    mkdirSync(dirname(signers()));
    writeFileSync(signers(), allowed);
    writeFileSync(
      join(target.repository, 'hone.yaml'),
      `${SETTINGS}identity:
  verification: { approve: signature, require: signature }
  allowedSignersDigest: ${digestOfBytes(allowed)}
`,
    );
    const made = contracts.initJson.parse((await target.hone('init', '--json')).json());
    target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
    await target.hone('cycle');
    const { proposals } = contracts.proposalsListJson.parse(
      (await target.hone('proposals', 'list', '--json')).json(),
    );
    [{ id, digest }] = [proposals[0]!];
    // A token is not enough any more.
    const token = { HONE_TOKEN: made.token!.secret };
    const tried = await target.honeWith(token, 'approve', id, '--digest', digest);
    expect(tried).toMatchObject({ exit: 1, err: expect.stringContaining('--sign') });
  });
  afterAll(() => {
    keys[Symbol.dispose]();
    target[Symbol.dispose]();
  });

  test('without a key says how to name one', async () => {
    const tried = await approve('--sign');
    expect(tried.exit).toBe(2);
    expect(tried.err).toContain('There is no key to sign with. Name the key');
  });

  test('with a key that is not there, or not allowed, decides nothing', async () => {
    for (const key of [join(keys.folder, 'gone'), keys.file('mallory')]) {
      const tried = await approve('--sign', key);
      expect(tried).toMatchObject({ exit: 1, out: '' });
    }
  });

  test('with a file of allowed signers that is not the accepted one, decides nothing', async () => {
    const added = keys.line('operator@example.org', 'mallory');
    appendFileSync(signers(), added);
    const tried = await approve('--sign', keys.file('mallory'));
    expect(tried.exit).toBe(1);
    expect(tried.err.replace(/\s+/g, ' ')).toContain(
      'is not the file that was accepted. Look at the file',
    );
    writeFileSync(signers(), keys.line('operator@example.org', 'operator'));
  });

  test('with the key that git signs with, deploys, and `show` says how it was verified', async () => {
    const { environment } = target.installation;
    appendFileSync(
      environment['GIT_CONFIG_GLOBAL']!,
      `\tsigningKey = ${keys.file('operator')}.pub\n`,
    );
    const done = await approve('--sign');
    expect(done.out).toContain('It is monitoring now.');
    expect(done.exit).toBe(0);
    const shown = await target.hone('proposals', 'show', id);
    expect(shown.out.replace(/\s+/g, ' ')).toMatch(
      /decision approved at \w+ for main of \S+ \(local\), by operator@example\.org \(signature\)/,
    );
  });
});
