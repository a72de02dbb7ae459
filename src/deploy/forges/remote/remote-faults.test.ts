/** What a remote can do to a deployment: refuse, hang, break off, vanish, ask for a password. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { storePerTest } from '../../../../test/timed-store.ts';
import { memoryRepository, type TargetRepository } from '../../../git/index.ts';
import { commitFiles, git } from '../../../git/test-repositories.ts';
import { fileOf, MAIN, makeWorld } from '../../deployments.test-support.ts';
import { type GitHost, serveGit } from './git-http.test-support.ts';
import { remote } from './remote.ts';
import { byFile, NO_ACCESS, type WithRemote, withRemote } from './remotes.test-support.ts';
import { serveSsh, sshdProblem } from './sshd.test-support.ts';

const made: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of made.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function world(under: WithRemote) {
  made.push(under);
  const { forge } = under;
  const base = await commitFiles(forge.repository, undefined, { file: 'base\n' });
  const next = await commitFiles(forge.repository, base, { file: 'next\n' });
  await under.movedByOthers(MAIN, base);
  return { ...under, base, next, move: { branch: MAIN, from: base, to: next } };
}

async function overHttp(helper = '', limits = {}) {
  let host!: GitHost;
  const under = await withRemote(
    async ({ folder }) => {
      host = await serveGit(folder);
      return {
        address: `${host.url}/shop.git`,
        access: { credentialHelper: helper.replace('FOLDER', folder) },
        end: () => host[Symbol.asyncDispose](),
      };
    },
    { limits },
  );
  return { host, ...(await world(under)) };
}

/** A hook of the remote that lets the target branch alone. */
async function protect(bare: string): Promise<void> {
  const hook = join(bare, 'hooks', 'update');
  await writeFile(
    hook,
    `#!/bin/sh\ntest "$1" != ${MAIN} || { echo "main is protected, not by ${SECRET}"; exit 1; }\n`,
  );
  await chmod(hook, 0o755);
}

/** As a hook may print it by mistake. */
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

const isPush = (url = '') => url.includes('receive-pack');
const said = /^[A-Z].*\bmain\b.*: [a-zA-Z].*\.$/;

describe('a remote that refuses', () => {
  test('a protected branch stays, and the sentence has its words and what to do', async () => {
    const { forge, bare, move, base, seenByOthers } = await world(await byFile());
    await protect(bare);
    const answer = await forge.move(move);
    expect(answer).toEqual({ moved: false, why: expect.stringMatching(said) });
    expect(JSON.stringify(answer)).toContain('main is protected');
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    await expect(forge.takeBack(move)).rejects.toThrow(/main is protected/);
    expect(await seenByOthers(MAIN)).toBe(base);
    // Hone's own refs are not the branch.
    expect(await forge.keep('refs/hone/backup/p_1', { from: undefined, to: base })).toBe(true);
  });

  test('who may read but not push is told before the decision', async () => {
    const { forge, host, move } = await overHttp();
    host.answer = ({ url }) => (isPush(url) ? { status: 403 } : undefined);
    expect(await forge.hindrance(MAIN)).toMatch(said);
    await expect(forge.move(move)).rejects.toMatchObject({ code: 'remote_failed' });
  });

  test.each([404, 429, 500, 503])('an answer of %i is a fault that passes', async (status) => {
    const { forge, host, base } = await overHttp();
    host.answer = () => ({ status });
    await expect(forge.resolve(MAIN)).rejects.toMatchObject({ code: 'remote_failed' });
    expect(await forge.hindrance(MAIN)).toMatch(said);
    host.answer = undefined;
    expect(await forge.resolve(MAIN)).toBe(base);
  });

  test('it is not followed elsewhere', async () => {
    const { forge, host } = await overHttp();
    const asked = host.asked.length;
    host.answer = ({ url }) => ({
      status: 301,
      headers: { location: `${host.url}/elsewhere${url}` },
    });
    await expect(forge.resolve(MAIN)).rejects.toMatchObject({ code: 'remote_failed' });
    expect(host.asked.slice(asked).join()).not.toContain('elsewhere');
  });
});

describe('a remote that fails', () => {
  test('one that hangs is given up, with every process that was started for it', async () => {
    const { forge, host, target } = await overHttp('', { remoteTimeoutMs: 1500, graceMs: 100 });
    host.answer = () => 'hang';
    await expect(forge.resolve(MAIN)).rejects.toMatchObject({ code: 'timeout' });
    await expect.poll(() => processesNaming(host.url)).toEqual([]);
    expect(target).toBeTruthy();
  });

  test('a connection that breaks after the push: the branch tells that it moved', async () => {
    const { forge, host, move, next } = await overHttp();
    host.answer = ({ url, method }) => (method === 'POST' && isPush(url) ? 'drop' : undefined);
    await expect(forge.move(move)).rejects.toMatchObject({ code: 'remote_failed' });
    host.answer = undefined;
    expect(await forge.resolve(MAIN)).toBe(next);
  });

  test('one that is gone is a fault, and not a branch that is gone', async () => {
    const { forge, bare } = await world(await byFile());
    await rm(bare, { recursive: true });
    await expect(forge.resolve(MAIN)).rejects.toMatchObject({ code: 'remote_failed' });
    expect(await forge.hindrance(MAIN)).toMatch(said);
  });
});

describe('who Hone is for the remote', () => {
  const locked = (host: GitHost) => {
    const expected = `Basic ${Buffer.from('hone:s3cret').toString('base64')}`;
    host.answer = ({ headers }) =>
      headers.authorization === expected
        ? undefined
        : { status: 401, headers: { 'www-authenticate': 'Basic realm="git"' } };
  };

  test('the accepted credential helper is asked', async () => {
    const helper = 'store --file FOLDER/credentials';
    const { forge, host, bare, base, next, move } = await overHttp(helper);
    const file = join(bare, '..', 'credentials');
    writeFileSync(file, `${host.url.replace('//', '//hone:s3cret@')}\n`, { mode: 0o600 });
    locked(host);
    expect(await forge.resolve(MAIN)).toBe(base);
    expect(await forge.move(move)).toEqual({ moved: true });
    expect(await forge.resolve(MAIN)).toBe(next);
  });

  test('what the target’s own configuration names is not used, and nobody is asked', async () => {
    const { forge, host, target } = await overHttp();
    const trap = join(target, 'trap');
    git(target, ['config', 'credential.helper', `!touch ${trap}; echo password=s3cret`]);
    git(target, ['config', 'core.askPass', `touch ${trap}`]);
    git(target, ['config', 'core.sshCommand', `touch ${trap}`]);
    git(target, ['config', `url.ext::touch ${trap} .insteadOf`, host.url]);
    locked(host);
    await expect(forge.resolve(MAIN)).rejects.toMatchObject({ code: 'remote_failed' });
    expect(readdirSync(target)).not.toContain('trap');
  });

  test.skipIf(sshdProblem() !== undefined)('a host that is not known is not trusted', async () => {
    const under = await withRemote(async ({ folder, bare }) => {
      const host = await serveSsh(folder);
      const nobody = join(folder, 'no-hosts');
      writeFileSync(nobody, '');
      return {
        address: `${host.url}${bare}`,
        access: { sshKey: host.key, sshKnownHosts: nobody },
        end: () => host[Symbol.asyncDispose](),
      };
    });
    const { forge, bare } = await world(under);
    await expect(forge.resolve(MAIN)).rejects.toThrow(/[Hh]ost key/);
    expect(readFileSync(join(bare, '..', 'no-hosts'), 'utf8')).toBe('');
  });
});

describe('the user’s own state', () => {
  test('no branch, remote-tracking ref, tag, FETCH_HEAD or file of theirs changes', async () => {
    const { forge, bare, target, base, move, movedByOthers } = await world(await byFile());
    git(target, ['update-ref', 'refs/remotes/origin/main', base]);
    git(bare, ['tag', 'v1', base]);
    const later = await commitFiles(forge.repository, move.to, { file: 'later\n' });
    await forge.resolve(MAIN);
    await forge.move(move);
    await movedByOthers(MAIN, later);
    await forge.resolve(MAIN);
    const refs = git(target, ['for-each-ref', '--format=%(refname) %(objectname)']).split('\n');
    expect(refs).toEqual([
      `refs/hone/remote/heads/main ${later}`,
      `refs/remotes/origin/main ${base}`,
    ]);
    expect(readdirSync(target)).toEqual(['.git']);
    expect(readdirSync(join(target, '.git'))).not.toContain('FETCH_HEAD');
  });

  test('a repository without remotes says so', () => {
    const repository = memoryRepository();
    const open = () => remote.open({ repository, remote: { remote: 'origin', ...NO_ACCESS } });
    expect(open).toThrow(expect.objectContaining({ code: 'no_remote' }));
  });
});

describe('a whole deployment', () => {
  const open = storePerTest('memory');

  async function deployment() {
    const under = await byFile();
    made.push(under);
    const { repository } = under.forge;
    const made_ = await makeWorld(open(), repository as TargetRepository);
    await under.movedByOthers(MAIN, made_.base);
    const ports = { forge: 'remote', openForge: () => under.forge };
    const take = async () => made_.take((await made_.next(ports))!);
    return { world: made_, ports, take, ...under };
  }

  test('reaches the remote, and is taken back there; the clone’s branch stays', async () => {
    const { world: one, take, seenByOthers, target } = await deployment();
    await take();
    expect(await seenByOthers(`refs/heads/hone/proposal-${one.id}`)).toBeDefined();
    await take();
    const moved = (await seenByOthers(MAIN))!;
    expect(moved).not.toBe(one.base);
    await take();
    await take();
    expect(await one.state()).toBe('reverted');
    const back = git(target, ['log', '--format=%H %s', (await seenByOthers(MAIN))!]).split('\n');
    expect(back[0]).toContain('revert(hone)');
    expect(back[1]).toContain(moved);
    expect(git(target, ['rev-parse', MAIN])).toBe(one.base);
  });

  test('a rollback that the remote refuses is attested once, and tried again', async () => {
    const { world: one, take, bare } = await deployment();
    await take();
    await take();
    await take();
    await protect(bare);
    const before = (await one.dossier()).attestations.length;
    await take();
    await take();
    expect(await one.state()).toBe('monitoring');
    expect((await one.dossier()).attestations.length).toBe(before + 1);
    expect((await fileOf(one, 'rollback')).why).toContain('main is protected');
    await rm(join(bare, 'hooks', 'update'));
    await take();
    expect(await one.state()).toBe('reverted');
  });
});

/** Command lines of running processes that hold this text. */
function processesNaming(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    })
    .filter((line) => line.includes(text));
}
