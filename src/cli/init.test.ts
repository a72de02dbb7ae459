/** `hone init` by many at one moment: one ledger, one first token, and everybody is set up. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeInstallation, run } from '../../test/cli.ts';
import { recorded } from '../../test/ledger.ts';
import { freshDatabase, openTestStore, parts } from '../../test/stores.ts';
import * as contracts from '../contracts/index.ts';
import type { Actor } from '../facts/index.ts';
import { generateKey, planKey } from '../ledger/index.ts';
import { allMigrations } from '../store/index.ts';
import { openPostgres } from '../store/postgres/store.ts';

const MAIN_FILE = new URL('../main.ts', import.meta.url).pathname;
const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'local' };

describe.each(['file', 'postgres'] as const)('a new ledger on %s', (kind) => {
  test('is created once, however many create it at one moment', async () => {
    for (let round = 0; round < 3; round++) {
      await using opened = await openTestStore(kind);
      const stores = await Promise.all(Array.from({ length: 12 }, () => opened.open()));
      const results = await Promise.all(
        stores.map((store, at) => store.commit(planKey(generateKey(`k${at}`), OPERATOR, false))),
      );
      expect(results.filter(({ committed }) => committed)).toHaveLength(1);
      expect((await recorded(opened.store)).map(({ type }) => type)).toEqual(['ledger.created']);
    }
  });
});

describe('many run "hone init" at one moment', () => {
  const MANY = 4;

  test('on one machine: one ledger, one configuration, one first token', async () => {
    using here = makeInstallation();
    const runs = await Promise.all(Array.from({ length: MANY }, () => here.hone('init', '--json')));
    expect(runs.map(({ exit, err }) => [exit, err])).toEqual(Array(MANY).fill([0, '']));
    const results = runs.map((one) => contracts.initJson.parse(one.json()));
    expect(results.filter(({ token }) => token !== null)).toHaveLength(1);
    expect(results.filter(({ configFile }) => configFile === 'written')).toHaveLength(1);
    expect(new Set(results.map(({ verifierKey }) => verifierKey)).size).toBe(1);
    const shown = contracts.ledgerShowJson.parse(
      (await here.hone('ledger', 'show', '--json')).json(),
    );
    expect(shown.entries.map(({ type }) => type)).toEqual([
      'ledger.created',
      'identity.token_added',
      'config.accepted',
    ]);
    expect((await here.hone('ledger', 'checkpoint')).exit).toBe(0);
  });

  test('on many machines with one empty PostgreSQL database: the same, and one key', async () => {
    const { url, drop } = await freshDatabase({ empty: true });
    using here = makeInstallation({ inProcess: true });
    try {
      writeFileSync(join(here.repository, 'hone.yaml'), 'store:\n  url: env:HONE_DATABASE_URL\n');
      const runs = await Promise.all(
        Array.from({ length: MANY }, (_, at) =>
          run([process.execPath, MAIN_FILE, 'init', '--json'], here.repository, {
            ...here.environment,
            HONE_DATABASE_URL: url,
            XDG_STATE_HOME: join(here.stateHome, `machine-${at}`),
          }),
        ),
      );
      expect(runs.map(({ exit, err }) => [exit, err])).toEqual(Array(MANY).fill([0, '']));
      const results = runs.map((one) => contracts.initJson.parse(one.json()));
      expect(results.map(({ key }) => key).sort()).toEqual([
        ...Array(MANY - 1).fill('elsewhere'),
        'made',
      ]);
      expect(results.filter(({ token }) => token !== null)).toMatchObject([{ key: 'made' }]);
      expect(new Set(results.map(({ verifierKey }) => verifierKey)).size).toBe(1);
      const keys = results.filter(({ stateDir }) => existsSync(join(stateDir, 'ledger.key')));
      expect(keys).toHaveLength(1);
      const store = await openPostgres({ url, migrations: allMigrations, parts });
      const types = (await recorded(store)).map(({ type }) => type).sort();
      await store.close();
      expect(types).toEqual(['config.accepted', 'identity.token_added', 'ledger.created']);
    } finally {
      await drop();
    }
  });
});

describe('the first token', () => {
  test('is made for the person who sets Hone up, shown once, and decides', async () => {
    using here = makeInstallation({ inProcess: true });
    const { out } = await here.hone('init');
    const secret = /hone_[a-z2-7]{32}/.exec(out)?.[0];
    expect(secret).toBeDefined();
    expect(
      out.split('\n').filter((line) => line.length > 80 && !/State|hone\.local/.test(line)),
    ).toEqual([]);
    const again = await here.hone('init', '--json');
    expect(contracts.initJson.parse(again.json()).token).toBeNull();
    expect(readFileSync(join(here.repository, 'hone.yaml'), 'utf8')).not.toContain(secret);
    here.environment['HONE_TOKEN'] = secret!;
    expect((await here.hone('token', 'add', 'ci', '--role', 'viewer')).exit).toBe(0);
  });

  test('is not made for an agent, who is told; a person makes it', async () => {
    using here = makeInstallation({ inProcess: true });
    here.environment['CLAUDECODE'] = '1';
    const { exit, out } = await here.hone('init');
    expect(exit).toBe(0);
    expect(out).not.toContain('hone_');
    expect(out.replace(/\s+/g, ' ')).toContain('A person creates the first one');
    expect(await here.hone('token', 'add', 'boss', '--role', 'operator')).toMatchObject({
      exit: 1,
    });
    delete here.environment['CLAUDECODE'];
    expect((await here.hone('status')).out).toContain('There is no operator yet');
    const early = await here.hone('token', 'add', 'ci');
    expect(early).toMatchObject({ exit: 1, out: '' });
    expect(early.err).toContain('--role operator');
    const made = await here.hone('token', 'add', 'boss', '--role', 'operator', '--json');
    expect(contracts.tokenAddJson.parse(made.json()).token.role).toBe('operator');
    expect((await here.hone('status')).out).not.toContain('There is no operator yet');
  });
});

describe('what is there is kept', () => {
  test('a deleted hone.yaml comes back as it was accepted, and a link to nothing is told', async () => {
    using here = makeInstallation({ inProcess: true });
    await here.stateDir();
    const file = join(here.repository, 'hone.yaml');
    const own = `${readFileSync(file, 'utf8')}server:\n  port: 5555\n`;
    writeFileSync(file, own);
    expect((await here.accept('anybody')).exit).toBe(0);
    rmSync(file);
    expect((await here.hone('init')).exit).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(own);
    rmSync(file);
    symlinkSync('nowhere', file);
    const dangling = await here.hone('init');
    expect(dangling).toMatchObject({ exit: 4, out: '' });
    expect(dangling.err).toContain('a link to nothing');
  });

  test('what makes hone.yaml unreadable keeps nobody from stopping everything', async () => {
    using here = makeInstallation({ inProcess: true });
    await here.stateDir();
    rmSync(join(here.repository, 'hone.yaml'));
    mkdirSync(join(here.repository, 'hone.yaml'));
    const status = await here.hone('status', '--json');
    expect(contracts.statusJson.parse(status.json()).configuration).toBe('edited');
    expect((await here.hone('stop-all', '--reason', 'careful')).exit).toBe(0);
    expect((await here.hone('config', 'accept')).exit).toBe(2);
  });

  test('a repository that cannot be written ends it before a token is made', async () => {
    using here = makeInstallation({ inProcess: true });
    symlinkSync('nowhere', join(here.repository, 'hone.yaml'));
    expect((await here.hone('init')).exit).toBe(4);
    expect(existsSync(here.stateHome)).toBe(false);
    rmSync(join(here.repository, 'hone.yaml'));
    expect((await here.hone('init')).out).toMatch(/hone_[a-z2-7]{32}/);
  });

  test('another key than the ledger’s is refused', async () => {
    using here = makeInstallation({ inProcess: true });
    using other = makeInstallation({ inProcess: true });
    const [stateDir, theirs] = [await here.stateDir(), await other.stateDir()];
    copyFileSync(join(theirs, 'ledger.key'), join(stateDir, 'ledger.key'));
    const refused = await here.hone('init');
    expect(refused).toMatchObject({ exit: 2, out: '' });
    expect(refused.err.replace(/\s+/g, ' ')).toContain('is not the one this ledger names');
  });

  test('where the file was edited to another store, what was accepted says where it is', async () => {
    using here = makeInstallation({ inProcess: true });
    await here.stateDir();
    writeFileSync(join(here.repository, 'hone.yaml'), 'store:\n  url: env:HONE_OTHER\n');
    expect((await here.hone('init')).out).toContain('hone.yaml was edited');
  });
});
