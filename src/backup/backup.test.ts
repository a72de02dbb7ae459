import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, type Machine, makeMachine, withStore } from '../../test/machines.ts';
import * as contracts from '../contracts/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { findHome } from '../home/index.ts';
import { Leases } from '../lease/index.ts';
import type { Store } from '../store/index.ts';
import { takeBackup } from './take.ts';

const effect = (key: string) => ({
  key,
  destination: 'webhook/ops',
  step: 'notify' as const,
  payload: { key },
});

async function queue(store: Store, ...keys: string[]): Promise<void> {
  await store.commit({ effects: keys.map(effect) });
}

/** One row and one entry in one commit: a state in which they differ never was. */
async function paired(store: Store, at: number): Promise<void> {
  await store.commit({
    writes: [{ insert: 'ledger_cursors', row: { consumer: `pair-${at}`, position: at } }],
    entries: [
      {
        type: 'outbox.left_uncertain',
        actor: SYSTEM,
        subject: 'hone:pairs',
        data: { key: `pair-${at}`, destination: 'd' },
      },
    ],
  });
}

const countOf = async (store: Store, sql: string) => (await store.all(sql))[0]!['n'] as number;

describe.each(ENGINES)('STORE-5 a backup on %s', (engine) => {
  let machine: Machine;
  const others: Machine[] = [];
  beforeEach(async () => {
    machine = await makeMachine(engine);
    await machine.stateDir();
  });
  afterEach(async () => {
    for (const one of [machine, ...others.splice(0)]) await one[Symbol.asyncDispose]();
  });
  const hone = (...args: string[]) => machine.installation.hone(...args);
  const asOperator = (...args: string[]) => machine.installation.honeAsOperator(...args);
  const newMachine = async () => {
    const made = await makeMachine(engine);
    others.push(made);
    return made;
  };

  test('comes back on a new machine: proofs verify, effects are uncertain, fences rise, all is stopped', async () => {
    const leased = await withStore(machine, async (store) => {
      await queue(store, 'a', 'b', 'c');
      await store.commit({
        writes: [{ update: 'outbox_effects', where: { key: 'b' }, set: { state: 'sending' } }],
      });
      await store.commit({
        writes: [{ update: 'outbox_effects', where: { key: 'c' }, set: { state: 'delivered' } }],
      });
      const got = await new Leases(store).acquire('work/one', 'stale', 60_000);
      if (!got.acquired) throw new Error('not acquired');
      await new Leases(store).release(got.lease);
      return got.lease;
    });
    await hone('ledger', 'verify');
    const held = join(machine.elsewhere, 'held.note');
    const { note } = contracts.ledgerCheckpointJson.parse(
      (await hone('ledger', 'checkpoint', '--json')).json(),
    );
    writeFileSync(held, note);
    const made = await machine.backup('--with-key');
    expect(statSync(made.output).mode & 0o777).toBe(0o600);
    expect(readdirSync(machine.elsewhere).sort()).toEqual(
      ['held.note', made.output.split('/').at(-1)].sort(),
    );

    const other = await newMachine();
    const restored = await other.installation.hone('restore', made.output, '--json');
    expect(restored.err).toBe('');
    expect(contracts.restoreJson.parse(restored.json())).toMatchObject({
      digest: made.digest,
      entries: made.entries,
      uncertain: 2,
      kept: null,
      key: 'usable',
      recordedSince: null,
    });
    const verified = await other.installation.hone('ledger', 'verify', '--against', held, '--json');
    expect(contracts.ledgerVerifyJson.parse(verified.json())).toMatchObject({ ok: true });
    const proof = await other.installation.hone('ledger', 'prove', '0', '--json');
    expect(proof.exit).toBe(0);
    const status = contracts.statusJson.parse(
      (await other.installation.hone('status', '--json')).json(),
    );
    expect(status.stopped).toBe(true);
    expect(status.stopReason).toContain(`restored from the backup of ${made.takenAt}`);
    expect(status.effects).toEqual({ uncertain: 2, delivered: 1 });
    const shown = await other.installation.hone('ledger', 'show', '--json');
    const types = contracts.ledgerShowJson.parse(shown.json()).entries.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['outbox.left_uncertain', 'backup.restored', 'policy.stopped']),
    );
    await withStore(other, async (store) => {
      const leases = new Leases(store);
      for (const name of ['work/one', 'work/unknown-to-the-backup']) {
        const got = await leases.acquire(name, 'fresh', 60_000);
        expect(got).toMatchObject({ acquired: true });
        if (got.acquired) expect(got.lease.token).toBeGreaterThan(leased.token + 1_000_000);
      }
    });
    // The tables are what the ledger says, with what the restore recorded.
    expect((await other.installation.hone('ledger', 'rebuild')).exit).toBe(0);
    const agent = await other.installation.hone('resume');
    expect(agent.exit).toBe(1); // there is an operator, and this one has no token
  });

  test('is a state that was, although others go on committing', async () => {
    const store = await machine.openStore();
    for (let at = 0; at < 300; at += 1) await paired(store, at);
    let running = true;
    let next = 300;
    const writer = (async () => {
      while (running) await paired(store, next++);
    })();
    const home = homeOf(machine);
    const output = join(machine.elsewhere, 'live.backup');
    const taken = await takeBackup({
      home,
      output,
      databaseUrl: machine.databaseUrl,
      build: 'test',
      nowMs: Date.now(),
      withKey: false,
    });
    running = false;
    await writer;
    await store.close();
    expect('refused' in taken).toBe(false);
    const other = await newMachine();
    expect((await other.installation.hone('restore', output)).exit).toBe(0);
    await withStore(other, async (restored) => {
      const pairs = await countOf(
        restored,
        `SELECT count(*) AS n FROM ledger_cursors WHERE consumer LIKE 'pair-%'`,
      );
      const entries = await countOf(
        restored,
        `SELECT count(*) AS n FROM ledger_entries WHERE subject = 'hone:pairs'`,
      );
      expect(pairs).toBe(entries);
      expect(pairs).toBeGreaterThanOrEqual(300);
      expect(pairs).toBeLessThanOrEqual(next);
    });
    expect((await other.installation.hone('ledger', 'verify')).exit).toBe(0);
  });

  test('replaces an installation only when asked to, by its operator, and keeps it', async () => {
    await hone('ledger', 'verify');
    const made = await machine.backup();
    await hone('stop-all', '--reason', 'later');
    await hone('ledger', 'verify');
    const plain = await asOperator('restore', made.output, '--json');
    expect(plain.exit).toBe(2);
    expect(contracts.errorJson.parse(plain.json()).error).toMatchObject({ code: 'not_empty' });
    const nobody = await hone('restore', made.output, '--replace', '--json');
    expect(nobody.exit).toBe(1);
    const replaced = await asOperator('restore', made.output, '--replace', '--json');
    expect(replaced.err).toBe('');
    const { kept, recordedSince, key } = contracts.restoreJson.parse(replaced.json());
    expect([recordedSince, key]).toEqual([1, 'usable']);
    if (engine === 'sqlite') expect(readdirSync(kept!)).toContain('control.db');
    else {
      await withStore(machine, async (store) => {
        const schema = kept!.replace('schema ', '');
        expect(await countOf(store, `SELECT count(*) AS n FROM ${schema}.ledger_entries`)).toBe(
          made.entries + 1,
        );
      });
    }
    expect((await asOperator('resume')).exit).toBe(0);
    expect((await asOperator('status', '--json')).json()).toMatchObject({
      stopped: false,
      configuration: 'accepted',
    });
  });

  test('is not put back while somebody works here', async () => {
    const made = await machine.backup();
    const store = await machine.openStore();
    try {
      const refused = await asOperator('restore', made.output, '--replace', '--json');
      expect(contracts.errorJson.parse(refused.json()).error.code).toBe('in_use');
    } finally {
      await store.close();
    }
    await withStore(machine, (held) => new Leases(held).acquire('work/x', 'dead', 60_000));
    const leased = await asOperator('restore', made.output, '--replace', '--json');
    expect(contracts.errorJson.parse(leased.json()).error.code).toBe('in_use');
    expect((await hone('status')).exit).toBe(0);
  });

  test('that is interrupted leaves nothing, and what is in the way is not overwritten', async () => {
    const home = homeOf(machine);
    const interrupt = new AbortController();
    const taking = takeBackup({
      home,
      output: join(machine.elsewhere, 'x.backup'),
      databaseUrl: machine.databaseUrl,
      build: 'test',
      nowMs: Date.now(),
      withKey: false,
      signal: interrupt.signal,
      onProgress: () => interrupt.abort(),
    });
    await expect(taking).rejects.toMatchObject({ name: 'AbortError' });
    expect(readdirSync(machine.elsewhere)).toEqual([]);
    const path = join(machine.elsewhere, 'mine');
    writeFileSync(path, 'mine');
    expect((await hone('backup', '--output', path)).exit).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    const inside = join(machine.installation.repository, 'x.backup');
    expect((await hone('backup', '--output', inside)).exit).toBe(2);
    expect(existsSync(inside)).toBe(false);
  });

  test('without a place goes into the state folder, without the key', async () => {
    const made = contracts.backupJson.parse((await hone('backup', '--json')).json());
    expect(made.output.startsWith(join(await machine.stateDir(), 'backups'))).toBe(true);
    expect(made.withKey).toBe(false);
    const key = readFileSync(join(await machine.stateDir(), 'ledger.key'), 'utf8');
    expect(readFileSync(made.output, 'latin1')).not.toContain(key.trim());
  });

  test('does not move to the other engine', async () => {
    const made = await machine.backup();
    const other = await makeMachine(engine === 'sqlite' ? 'postgres' : 'sqlite');
    others.push(other);
    await other.stateDir();
    const refused = await other.installation.honeAsOperator('restore', made.output, '--json');
    expect(contracts.errorJson.parse(refused.json()).error.code).toBe('other_engine');
  });
});

function homeOf({ installation: { repository, environment } }: Machine) {
  return findHome({ cwd: repository, environment });
}
