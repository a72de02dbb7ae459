/** An installation that another build set up: what it accepted never locks anybody out. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import { type Digest, digestOf, digestOfBytes } from '../base/index.ts';
import { acceptedLast, planAccept } from '../config/index.ts';
import * as contracts from '../contracts/index.ts';
import { entryWriter } from '../ledger/index.ts';
import { effectWriter } from '../outbox/index.ts';
import { controlMigrations, openSqlite } from '../store/index.ts';

interface Kept {
  build: string;
  text: string;
  config: { identity: object; lease: { ttl: number }; switches: object };
}

/** What is accepted becomes what another build accepted. */
async function upgraded(here: Installation, change: (kept: Kept) => Partial<Kept>) {
  const stateDir = await here.stateDir();
  const file = join(stateDir, 'accepted.json');
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
  const next = { ...kept, build: 'older', ...change(kept) };
  writeFileSync(file, JSON.stringify(next));
  writeFileSync(join(here.repository, 'hone.yaml'), next.text);
  await pin(stateDir, digestOf(next.config as never), next.text);
  return next;
}

/** As if it had been accepted, here or elsewhere. */
async function pin(stateDir: string, digest: Digest, text: string): Promise<void> {
  const store = await openSqlite({
    path: join(stateDir, 'control.db'),
    migrations: controlMigrations,
    synchronous: 'off',
    parts: { entries: entryWriter, effects: effectWriter },
  });
  try {
    const { pinned: previous } = await acceptedLast(store);
    const actor = { kind: 'human', id: 'operator@example.org', verified: 'token' } as const;
    const nowMs = await store.nowMs();
    await store.commit(planAccept({ previous, digest, file: digestOfBytes(text), actor, nowMs }));
  } finally {
    await store.close();
  }
}

const status = async (here: Installation) => {
  const { exit, out } = await here.hone('status', '--json');
  expect(exit).toBe(0);
  return contracts.statusJson.parse(JSON.parse(out));
};

test.each(['observe', 'off'])(
  'a gate that nothing switches may stand there as %s',
  async (mode) => {
    using here = makeInstallation({ inProcess: true });
    await upgraded(here, ({ config }) => ({
      text: `switches:\n  deploy: ${mode}\n`,
      config: { ...config, switches: { ...config.switches, deploy: mode } },
    }));
    expect(await status(here)).toMatchObject({ configuration: 'accepted', stopped: false });
    expect((await status(here)).notEnforced).toEqual([]);
    expect((await here.hone('config', 'show')).out).toContain(
      `switches.deploy: ${mode} has no effect`,
    );
    expect((await here.hone('switch', 'set', 'deploy', 'off')).exit).toBe(1);
    writeFileSync(join(here.repository, 'hone.yaml'), `switches:\n  deploy: ${mode} # still\n`);
    expect((await here.accept('anybody')).exit).toBe(0);
  },
);

test('what this build no longer takes only holds it: seen, stopped, and led out by a corrected file', async () => {
  using here = makeInstallation({ inProcess: true });
  await upgraded(here, ({ config }) => ({
    text: 'lease:\n  ttl: 40s\n  gone: 1\n',
    config: { ...config, lease: { ttl: 40_000 } },
  }));
  expect(await status(here)).toMatchObject({ configuration: 'unreadable', stopped: true });
  const text = (await here.hone('status')).out;
  expect(text).toContain('so it only watches and rolls');
  expect(text).not.toContain('hone resume');
  const resumed = await here.honeAsOperator('resume');
  expect(resumed).toMatchObject({ exit: 1, out: '' });
  expect(resumed.err.replace(/\s+/g, ' ')).toContain('hone config accept');
  expect((await here.hone('stop-all', '--reason', 'careful')).exit).toBe(0);
  expect((await here.hone('rollback', 'p_none')).err).toContain('p_none');
  const unmended = await here.hone('config', 'accept');
  expect(unmended).toMatchObject({ exit: 2 });
  expect(unmended.err).toContain('lease.gone');

  writeFileSync(join(here.repository, 'hone.yaml'), 'lease:\n  ttl: 40s\n');
  const accepted = await here.accept('anybody', '--json');
  expect(contracts.configAcceptJson.parse(accepted.json()).accepted).toBe(true);
  expect(await status(here)).toMatchObject({ configuration: 'accepted', stopReason: 'careful' });
  expect((await here.honeAsOperator('resume')).exit).toBe(0);
  expect(await status(here)).toMatchObject({ stopped: false });
});

test('where the store is must be sure: nothing is opened by a guess', async () => {
  using here = makeInstallation({ inProcess: true });
  await upgraded(here, ({ config }) => ({
    text: 'store: { url: elsewhere }\n',
    config: { ...config, store: { url: 'elsewhere' } } as Kept['config'],
  }));
  const refused = await here.hone('status');
  expect(refused).toMatchObject({ exit: 2, out: '' });
  expect(refused.err).toContain('store.url');
});

test('what means the same to this build stays in effect, and a comment is no edit', async () => {
  using here = makeInstallation({ inProcess: true });
  const { text } = await upgraded(here, () => ({}));
  expect(await status(here)).toMatchObject({ configuration: 'accepted', stopped: false });
  writeFileSync(join(here.repository, 'hone.yaml'), `${text}# seen\n`);
  expect(await status(here)).toMatchObject({ configuration: 'accepted' });
  expect((await here.hone('init')).out).toContain('Already set up; nothing was changed.');
  writeFileSync(join(here.repository, 'hone.yaml'), `${text}server:\n  port: 5555\n`);
  expect(await status(here)).toMatchObject({ configuration: 'edited' });
});

test('CONFIG-1 an upgrade loosens nothing in silence: what means something else is held until a person accepts it', async () => {
  using here = makeInstallation({ inProcess: true });
  const strict = { approve: 'token', require: 'token' };
  await upgraded(here, ({ config }) => ({
    text: '{}\n',
    config: { ...config, identity: { ...config.identity, verification: strict } },
  }));
  expect(await status(here)).toMatchObject({ configuration: 'outdated', stopped: true });
  const text = (await here.hone('status')).out.replace(/\s+/g, ' ');
  expect(text).toContain('only watches and rolls back');
  const shown = await here.hone('config', 'show');
  expect(shown.out).toMatch(/verification\.approve: "token" → "local" {2}\(weaker\)/);
  expect(shown.out).toContain('reads the accepted configuration differently');
  const refused = await here.accept('anybody');
  expect(refused).toMatchObject({ exit: 1 });
  expect(refused.err).toContain('identity.verification.approve');
  expect((await here.accept()).out).toContain('Accepted 1 change.');
  expect(await status(here)).toMatchObject({ configuration: 'accepted', stopped: false });
});

test('a key that is new to the accepted text is shown, and anybody accepts its default', async () => {
  using here = makeInstallation({ inProcess: true });
  await upgraded(here, ({ config }) => {
    const { lease: _, ...older } = config;
    return { config: older as Kept['config'] };
  });
  expect(await status(here)).toMatchObject({ configuration: 'outdated', stopped: true });
  expect((await here.hone('config', 'show')).out).toContain('lease.ttl: (none) → "30s"\n');
  expect((await here.accept('anybody')).exit).toBe(0);
  expect(await status(here)).toMatchObject({ configuration: 'accepted', stopped: false });
});

describe('what is kept here is not what was accepted', () => {
  test('edited in the state folder, or accepted elsewhere: held until somebody accepts', async () => {
    using here = makeInstallation({ inProcess: true });
    const stateDir = await here.stateDir();
    const file = join(stateDir, 'accepted.json');
    const kept = readFileSync(file, 'utf8');
    writeFileSync(file, kept.replace('"openProposals":20', '"openProposals":900'));
    expect(readFileSync(file, 'utf8')).not.toBe(kept);
    expect(await status(here)).toMatchObject({ configuration: 'superseded', stopped: true });
    const seen = (await here.hone('status')).out.replace(/\s+/g, ' ');
    expect(seen).toContain('only watches and rolls back');
    const resumed = await here.honeAsOperator('resume');
    expect(resumed).toMatchObject({ exit: 1 });
    expect(resumed.err.replace(/\s+/g, ' ')).toContain('hone config accept');
    // hone.yaml is what was accepted: to say so once more weakens nothing.
    expect((await here.accept('anybody')).exit).toBe(0);
    expect(await status(here)).toMatchObject({ configuration: 'accepted', stopped: false });
    expect(readFileSync(file, 'utf8')).toBe(kept);
  });

  test('to replace what was accepted elsewhere takes an operator', async () => {
    using here = makeInstallation({ inProcess: true });
    const stateDir = await here.stateDir();
    await pin(stateDir, `sha256:${'1'.repeat(64)}`, 'elsewhere');
    expect(await status(here)).toMatchObject({ configuration: 'superseded', stopped: true });
    const refused = await here.accept('anybody');
    expect(refused).toMatchObject({ exit: 1 });
    expect(refused.err.replace(/\s+/g, ' ')).toContain('the configuration accepted elsewhere');
    rmSync(join(stateDir, 'accepted.json'));
    const init = await here.hone('init');
    expect(init).toMatchObject({ exit: 1 });
    expect(init.err.replace(/\s+/g, ' ')).toContain('The configuration accepted for this store');
    expect((await here.honeAsOperator('init')).exit).toBe(0);
    expect(await status(here)).toMatchObject({ configuration: 'accepted', stopped: false });
  });

  test.each(['', '{}', '{"build":"x","digest":"y"'])(
    'a damaged file %j is named, nothing is guessed, and everything can still be stopped',
    async (text) => {
      using here = makeInstallation({ inProcess: true });
      const stateDir = await here.stateDir();
      writeFileSync(join(stateDir, 'accepted.json'), text);
      const refused = await here.hone('status');
      expect(refused).toMatchObject({ exit: 4, out: '' });
      expect(refused.err.replace(/\s+/g, ' ')).toContain('accepted.json is damaged');
      expect(refused.err).not.toContain('defect');
      const stopped = await here.hone('stop-all', '--reason', 'careful', '--json');
      expect(contracts.stopJson.parse(stopped.json())).toMatchObject({ stopped: true });
      rmSync(join(stateDir, 'accepted.json'));
      expect((await here.hone('init')).exit).toBe(0);
      expect(await status(here)).toMatchObject({ configuration: 'accepted', stopped: true });
    },
  );
});

describe.each(['deleted', 'emptied'])('a store that was %s', (how) => {
  test('is not taken for the one that was set up: nothing runs, and nobody becomes an operator', async () => {
    using here = makeInstallation({ inProcess: true });
    const stateDir = await here.stateDir();
    await here.hone('stop-all', '--reason', 'careful');
    for (const file of ['control.db', 'control.db-wal', 'control.db-shm'])
      rmSync(join(stateDir, file), { force: true });
    if (how === 'emptied') writeFileSync(join(stateDir, 'control.db'), '');
    for (const args of [['status'], ['cycle']]) {
      const refused = await here.hone(...args);
      expect([args, refused.exit, refused.out]).toEqual([args, 4, '']);
      expect(refused.err.replace(/\s+/g, ' ')).toContain('put it back from a backup');
    }
    const begun = await here.hone('init');
    expect(begun.out).toContain('no earlier entry, token, stop or decision');
    expect(await status(here)).toMatchObject({ configuration: 'accepted' });
  });
});
