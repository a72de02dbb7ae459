/** An installation that another build set up: what it accepted never locks anybody out. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import * as contracts from '../contracts/cli-json.ts';

interface Kept {
  build: string;
  digest: string;
  text: string;
  config: { identity: object; lease: { ttl: number } };
}

/** What is accepted becomes what another build accepted. */
async function upgraded(here: Installation, change: (kept: Kept) => Partial<Kept>) {
  const file = join(await here.stateDir(), 'accepted.json');
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
  const next = { ...kept, build: 'older', ...change(kept) };
  writeFileSync(file, JSON.stringify(next));
  writeFileSync(join(here.repository, 'hone.yaml'), next.text);
  return next;
}
const status = async (here: Installation) => {
  const { exit, out } = await here.hone('status', '--json');
  expect(exit).toBe(0);
  return contracts.statusJson.parse(JSON.parse(out));
};

test.each(['observe', 'off'])(
  'a gate that nothing switches may stand there as %s',
  async (mode) => {
    using here = makeInstallation();
    await upgraded(here, () => ({ text: `switches:\n  deploy: ${mode}\n` }));
    expect(await status(here)).toMatchObject({ configuration: 'accepted', stopped: false });
    expect((await status(here)).notEnforced).toEqual([]);
    expect((await here.hone('config', 'show')).out).toContain(
      `switches.deploy: ${mode} has no effect`,
    );
    expect((await here.hone('switch', 'set', 'deploy', 'off')).exit).toBe(1);
    writeFileSync(join(here.repository, 'hone.yaml'), `switches:\n  deploy: ${mode} # still\n`);
    expect((await here.hone('config', 'accept')).exit).toBe(0);
  },
);

test('what this build no longer takes only holds it: seen, stopped, and led out by a corrected file', async () => {
  using here = makeInstallation();
  await upgraded(here, ({ config }) => ({
    text: 'lease:\n  ttl: 40s\n  gone: 1\n',
    config: { ...config, lease: { ttl: 40_000 } },
  }));
  expect(await status(here)).toMatchObject({ configuration: 'unreadable', stopped: true });
  const text = (await here.hone('status')).out;
  expect(text).toContain('it only watches and rolls back');
  expect(text).not.toContain('hone resume');
  const resumed = await here.hone('resume');
  expect(resumed).toMatchObject({ exit: 1, out: '' });
  expect(resumed.err.replace(/\s+/g, ' ')).toContain('hone config accept');
  expect((await here.hone('stop-all', '--reason', 'careful')).exit).toBe(0);
  expect((await here.hone('rollback', 'p_none')).err).toContain('p_none');
  const unmended = await here.hone('config', 'accept');
  expect(unmended).toMatchObject({ exit: 2 });
  expect(unmended.err).toContain('lease.gone');

  writeFileSync(join(here.repository, 'hone.yaml'), 'lease:\n  ttl: 40s\n');
  const accepted = await here.hone('config', 'accept', '--json');
  expect(contracts.configAcceptJson.parse(accepted.json()).accepted).toBe(true);
  expect(await status(here)).toMatchObject({ configuration: 'accepted', stopReason: 'careful' });
  expect((await here.hone('resume')).exit).toBe(0);
  expect(await status(here)).toMatchObject({ stopped: false });
});

test('where the store is must be sure: nothing is opened by a guess', async () => {
  using here = makeInstallation();
  await upgraded(here, ({ config }) => ({
    text: 'store: { url: elsewhere }\n',
    config: { ...config, store: { url: 'elsewhere' } } as Kept['config'],
  }));
  const refused = await here.hone('status');
  expect(refused).toMatchObject({ exit: 2, out: '' });
  expect(refused.err).toContain('store.url');
});

test('a comment is no edit, also where another build had other defaults', async () => {
  using here = makeInstallation();
  const { text } = await upgraded(here, () => ({ digest: `sha256:${'0'.repeat(64)}` }));
  writeFileSync(join(here.repository, 'hone.yaml'), `${text}# seen\n`);
  expect(await status(here)).toMatchObject({ configuration: 'accepted' });
  expect((await here.hone('init')).out).toContain('Already set up; nothing was changed.');
  writeFileSync(join(here.repository, 'hone.yaml'), `${text}\n`.replace(/port: \d+/, 'port: 5555'));
  expect(await status(here)).toMatchObject({ configuration: 'edited' });
});
