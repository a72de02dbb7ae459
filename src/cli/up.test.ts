/** `hone up` as a process: answers, works, and stops cleanly; also with PostgreSQL behind it. Commands beside it run here. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import { freshDatabase, parts } from '../../test/stores.ts';
import { ownWords } from '../base/index.ts';
import * as contracts from '../contracts/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { controlMigrations, openSqlite } from '../store/index.ts';

const SOURCE = new URL('../main.ts', import.meta.url).pathname;

function spawnHone(here: Installation, ...args: string[]) {
  return spawn(process.execPath, [SOURCE, ...args], {
    cwd: here.repository,
    env: { ...here.environment, HONE_LOG: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Starts it on a free port and waits until it says that it is up. */
async function startUp(here: Installation) {
  const child = spawnHone(here, 'up', '--port', '0', '--json');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url, pid } = contracts.upJson.parse(JSON.parse(line));
  expect(pid).toBe(child.pid);
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [exit] = await once(child, 'exit');
    return exit as number;
  };
  return { url, stop };
}

test('up answers until SIGTERM ends it, exit 0', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  const { secret } = contracts.tokenAddJson.parse(
    (await here.honeAsOperator('token', 'add', 'viewer', '--json')).json(),
  );
  const { url, stop } = await startUp(here);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const status = await fetch(`${url}/api/status`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  const shown = contracts.statusJson.parse(await status.json());
  expect(shown).toMatchObject({ engine: 'sqlite', stopped: false });
  expect(await stop('SIGTERM')).toBe(0);
  // The checkpointer signed what was there when it started.
  const after = contracts.statusJson.parse((await here.hone('status', '--json')).json());
  expect(after.ledger.checkpointSize).toBe(4);
  expect((await here.hone('ledger', 'verify')).exit).toBe(0);
});

test('whoever stops reading gets no more: up probes hooks, goes on until SIGINT, exit 0, and an export ends', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  await here.hone('hooks', 'install', 'codex', '--write');
  const up = spawnHone(here, 'up', '--port', '0');
  const [line] = await once(createInterface(up.stdout), 'line');
  up.stdout.destroy(); // as "hone up | head -1" does
  expect((await fetch(`${line.replace('Hone is up at ', '')}/readyz`)).status).toBe(200);
  up.kill('SIGINT');
  expect(await once(up, 'exit')).toEqual([0, null]);
  const { hooks } = contracts.statusJson.parse((await here.hone('status', '--json')).json());
  expect(hooks).toMatchObject([{ verdict: 'not proven', probedAt: expect.any(String) }]);
  const exported = spawnHone(here, 'ledger', 'export');
  exported.stdout.destroy();
  expect(await once(exported, 'exit')).toEqual([0, null]);
});

test('a stop by another process reaches a running server at once (KILL-1)', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  const { secret } = contracts.tokenAddJson.parse(
    (await here.honeAsOperator('token', 'add', 'viewer', '--json')).json(),
  );
  const { url, stop } = await startUp(here);
  await here.hone('stop-all', '--reason', 'elsewhere');
  const answer = await fetch(`${url}/api/status`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  expect(contracts.statusJson.parse(await answer.json())).toMatchObject({
    stopped: true,
    stopReason: 'elsewhere',
  });
  await stop('SIGTERM');
});

test('STORE-2 PostgreSQL by a URL in the configuration: set up, up, placed, verified', async () => {
  using here = makeInstallation({ inProcess: true });
  const database = await freshDatabase({ empty: true });
  here.environment['HONE_DATABASE_URL'] = database.url;
  const file = join(here.repository, 'hone.yaml');
  writeFileSync(file, 'store:\n  url: env:HONE_DATABASE_URL\n');
  await here.stateDir();
  const { stop } = await startUp(here);
  await here.honeAsOperator('token', 'add', 'ci');
  await stop('SIGTERM');
  await here.honeAsOperator('token', 'add', 'later'); // no server runs: the next look at the ledger places it
  expect((await here.hone('ledger', 'verify')).out).toContain('Verified 5 entries.');
  const status = contracts.statusJson.parse((await here.hone('status', '--json')).json());
  expect(status).toMatchObject({ engine: 'postgres', ledger: { entries: 5, unplaced: 0 } });
  expect(status.store).not.toContain(':hone@');
  expect(readFileSync(file, 'utf8')).toContain('env:HONE_DATABASE_URL');
  // Another machine with another path joins: one ledger, one key, and it can verify all the same.
  using joined = makeInstallation({ inProcess: true });
  joined.environment['HONE_DATABASE_URL'] = database.url;
  writeFileSync(join(joined.repository, 'hone.yaml'), 'store:\n  url: env:HONE_DATABASE_URL\n');
  const second = contracts.initJson.parse((await joined.hone('init', '--json')).json());
  expect(second.key).toBe('elsewhere');
  expect((await joined.hone('ledger', 'verify')).exit).toBe(0);
  expect((await joined.hone('ledger', 'checkpoint')).exit).toBe(2);
  delete here.environment['HONE_DATABASE_URL'];
  const unset = await here.hone('status');
  expect(unset).toMatchObject({ exit: 4 });
  expect(unset.err).toContain('HONE_DATABASE_URL');
  await database.drop();
});

test('OUTBOX-1 dead and uncertain effects are shown, and a person settles them', async () => {
  using here = makeInstallation({ inProcess: true });
  const stateDir = await here.stateDir();
  const store = await openSqlite({
    path: join(stateDir, 'control.db'),
    synchronous: 'full',
    migrations: controlMigrations,
    parts,
  });
  await store.commit({
    effects: [
      { key: 'pr-1', destination: 'forge', step: 'deploy', payload: { title: 'a change' } },
    ],
    entries: [
      {
        type: 'policy.resumed',
        actor: SYSTEM,
        subject: 'hone:stop',
        data: { reason: ownWords('x') },
      },
    ],
  });
  await store.commit({
    writes: [
      {
        update: 'outbox_effects',
        where: { key: 'pr-1' },
        set: { state: 'uncertain', attempts: 1, error: 'connection lost' },
      },
    ],
  });
  await store.close();
  expect((await here.hone('status')).out).toContain('Some effects need a person');
  const list = contracts.outboxListJson.parse((await here.hone('outbox', 'list', '--json')).json());
  expect(list.effects).toMatchObject([
    { key: 'pr-1', state: 'uncertain', error: 'connection lost' },
  ]);
  const shown = contracts.outboxShowJson.parse(
    (await here.hone('outbox', 'show', 'pr-1', '--json')).json(),
  );
  expect(shown.payload).toEqual({ title: 'a change' });
  const settled = await here.hone('outbox', 'settle', 'pr-1', 'delivered', '--json');
  contracts.outboxSettleJson.parse(settled.json());
  expect((await here.hone('outbox', 'settle', 'pr-1', 'retry')).exit).toBe(1);
  expect((await here.hone('outbox', 'show', 'pr-2')).exit).toBe(2);
});
