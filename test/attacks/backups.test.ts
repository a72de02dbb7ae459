/** Whoever can touch a backup, or still works on what was replaced, gets nothing past a restore. */
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import * as contracts from '../../src/contracts/index.ts';
import { Leases, renewClaim } from '../../src/lease/index.ts';
import {
  claimById,
  claimOf,
  giveBack,
  newWork,
  readWork,
  unchanged as workUnchanged,
} from '../../src/loop/works.ts';
import { deliverAll } from '../../src/outbox/index.ts';
import { run } from '../cli.ts';
import { ENGINES, type Machine, makeMachine, withStore } from '../machines.ts';
import { outboxPorts } from '../outbox.ts';

const TAIL_BYTES = 76;

interface Made {
  readonly manifest: { parts: { name: string; sizeBytes: number; sha256: string }[] };
  readonly bytes: Buffer;
  readonly manifestAt: number;
}

function opened(path: string): Made {
  const bytes = readFileSync(path);
  const length = Number(bytes.subarray(-TAIL_BYTES, -TAIL_BYTES + 10).toString());
  const manifestAt = bytes.length - TAIL_BYTES - length;
  const manifest = JSON.parse(bytes.subarray(manifestAt, manifestAt + length).toString());
  return { bytes, manifest, manifestAt };
}

/** A whole new backup of these parts, with digests that fit. */
function forged(path: string, manifest: object, body: Buffer): void {
  const text = JSON.stringify(manifest);
  const digest = createHash('sha256').update(text).digest('hex');
  const tail = `${String(Buffer.byteLength(text)).padStart(10, '0')} ${digest}\n`;
  writeFileSync(path, Buffer.concat([body, Buffer.from(text + tail)]));
}

describe.each(ENGINES)('backups on %s', (engine) => {
  let machine: Machine;
  let path: string;
  beforeEach(async () => {
    machine = await makeMachine(engine);
    await machine.stateDir();
    path = join(machine.elsewhere, 'forged.backup');
  });
  afterEach(() => machine[Symbol.asyncDispose]());
  const restore = (file: string) =>
    machine.installation.honeAsOperator('restore', file, '--replace', '--json');
  const codeOf = async (file: string) => {
    const { error } = contracts.errorJson.parse((await restore(file)).json());
    return error.code;
  };
  const unchanged = async () => {
    const status = await machine.installation.hone('status', '--json');
    expect(contracts.statusJson.parse(status.json()).stopped).toBe(false);
  };

  test('a byte that was flipped, or an end that was cut, is refused and nothing changes', async () => {
    const { bytes, manifest, manifestAt } = opened((await machine.backup()).output);
    const firstPart = 14;
    const lastPart = manifestAt - 1;
    const inside = firstPart + Math.floor(manifest.parts[0]!.sizeBytes / 2);
    for (const at of [0, firstPart, inside, lastPart, manifestAt + 5, bytes.length - 2]) {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at]! ^ 1;
      writeFileSync(path, changed);
      expect(['altered', 'not_a_backup']).toContain(await codeOf(path));
    }
    for (const left of [0, 10, manifestAt, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, left));
      expect(['altered', 'not_a_backup']).toContain(await codeOf(path));
    }
    writeFileSync(path, Buffer.concat([bytes, Buffer.from('\n')]));
    expect(await codeOf(path)).toBe('altered');
    await unchanged();
  });

  test('a part whose name leads elsewhere, or that Hone does not know, is refused', async () => {
    const { bytes, manifest, manifestAt } = opened((await machine.backup()).output);
    const body = bytes.subarray(0, manifestAt);
    for (const name of ['../control.db', '/etc/passwd', 'table/../x', 'STOP', 'table/pg_authid"']) {
      const parts = manifest.parts.map((part, at) => (at === 0 ? { ...part, name } : part));
      forged(path, { ...manifest, parts }, body);
      expect(await codeOf(path)).toBe('not_a_backup');
    }
    const twice = [...manifest.parts, { ...manifest.parts[0], sizeBytes: 0 }];
    forged(path, { ...manifest, parts: twice }, body);
    expect(await codeOf(path)).toBe('not_a_backup');
    if (engine === 'postgres') {
      const parts = manifest.parts.map((part, at) =>
        at === 0 ? { ...part, name: 'table/pg_authid' } : part,
      );
      forged(path, { ...manifest, parts }, body);
      expect(await codeOf(path)).toBe('altered');
    }
    await unchanged();
  });

  test('a pipe is not waited for, and a link is read as the file that it leads to', async () => {
    await run(['mkfifo', path], machine.elsewhere, { PATH: process.env['PATH'] ?? '' });
    expect(await codeOf(path)).toBe('not_a_backup');
    const link = join(machine.elsewhere, 'link');
    symlinkSync((await machine.backup()).output, link);
    expect((await restore(link)).exit).toBe(0);
  });

  test('who held a lease before the restore writes nothing after it', async () => {
    const made = await machine.backup();
    const stale = await withStore(machine, async (store) => {
      const leases = new Leases(store);
      // Taken after the backup, which knows nothing of it, and run out: nobody seems to be at work.
      const got = await leases.acquire('work/late', 'stale', 0);
      if (!got.acquired) throw new Error('not acquired');
      return got.lease;
    });
    expect((await restore(made.output)).exit).toBe(0);
    await withStore(machine, async (store) => {
      const write = () =>
        store.commit({
          expect: [stale.fence],
          writes: [{ insert: 'ledger_cursors', row: { consumer: 'stale', position: 1 } }],
        });
      expect(await write()).toMatchObject({ committed: false });
      // Nor when the same holder has it again: its old token is not its new one.
      expect(await new Leases(store).acquire('work/late', 'stale', 60_000)).toMatchObject({
        acquired: true,
      });
      expect(await write()).toMatchObject({ committed: false });
      expect(await new Leases(store).renew(stale, 60_000)).toBeUndefined();
    });
  });

  test('who held a unit of work before the restore writes nothing after it', async () => {
    const claimer = { holder: 'stale', ttlMs: 0 };
    const id = 'cycle/c_1';
    // The backup is taken while it is held.
    const stale = await withStore(machine, async (store) => {
      const nowMs = await store.nowMs();
      const unit = { kind: 'cycle', subject: 'c_1', dueAtMs: nowMs, data: {}, nowMs } as const;
      await store.commit({ writes: [newWork(unit)] });
      return (await claimById(store, id, claimer))!;
    });
    const made = await machine.backup();
    expect((await restore(made.output)).exit).toBe(0);
    await withStore(machine, async (store) => {
      const restored = await readWork(store, id);
      expect(restored).toMatchObject({ holder: null, readyAtMs: stale.dueAtMs });
      expect(restored!.token).toBeGreaterThan(stale.token + 1_000_000);
      const writes = [giveBack(stale, { dueAtMs: null }, await store.nowMs())];
      expect(await store.commit({ expect: [workUnchanged(stale)], writes })).toMatchObject({
        committed: false,
      });
      expect(await renewClaim(store, claimOf(stale), 60_000)).toBe(false);
    });
  });

  test('while a unit of work is claimed, nothing is restored', async () => {
    const made = await machine.backup();
    await withStore(machine, async (store) => {
      const nowMs = await store.nowMs();
      const unit = { kind: 'cycle', subject: 'c_2', dueAtMs: nowMs, data: {}, nowMs } as const;
      await store.commit({ writes: [newWork(unit)] });
      await claimById(store, 'cycle/c_2', { holder: 'at-work', ttlMs: 60_000 });
    });
    expect((await restore(made.output)).exit).not.toBe(0);
  });

  test('an effect that was sent after the backup is not sent again', async () => {
    await withStore(machine, (store) =>
      store.commit({
        effects: [{ key: 'k', destination: 'd', step: 'notify', payload: {} }],
      }),
    );
    const made = await machine.backup();
    let sent = 0;
    const destination = {
      name: 'd',
      kind: 'keyed' as const,
      send: async () => {
        sent += 1;
        return { outcome: 'delivered' as const };
      },
    };
    const deliver = () =>
      withStore(machine, (store) =>
        deliverAll(destination, outboxPorts({ store, clock: systemClock as never })),
      );
    await deliver();
    expect(sent).toBe(1);
    expect((await restore(made.output)).exit).toBe(0);
    await deliver();
    expect(sent).toBe(1);
    expect((await machine.installation.hone('outbox', 'list', '--json')).json()).toMatchObject({
      counts: { uncertain: 1 },
    });
  });

  test('an older backup is said to be older, and a checkpoint kept elsewhere shows it', async () => {
    const made = await machine.backup('--with-key');
    await machine.installation.hone('stop-all', '--reason', 'harm');
    for (let more = 0; more < 5; more += 1) {
      await machine.installation.honeAsOperator('resume');
      await machine.installation.hone('stop-all');
    }
    await machine.installation.hone('ledger', 'verify');
    const { note } = contracts.ledgerCheckpointJson.parse(
      (await machine.installation.hone('ledger', 'checkpoint', '--json')).json(),
    );
    const held = join(machine.elsewhere, 'held.note');
    writeFileSync(held, note);
    const { recordedSince } = contracts.restoreJson.parse((await restore(made.output)).json());
    expect(recordedSince).toBe(11);
    const verify = await machine.installation.hone('ledger', 'verify', '--against', held, '--json');
    expect(verify.exit).toBe(1);
    const { problem } = contracts.ledgerVerifyJson.parse(verify.json());
    expect(['truncated', 'rewritten']).toContain(problem?.kind);
  });
});

describe('a backup of SQLite that was rewritten whole', () => {
  test('is found by its ledger, by a checkpoint kept elsewhere, or by triggers that are not Hone’s', async () => {
    await using machine = await makeMachine('sqlite');
    await machine.stateDir();
    const { installation, elsewhere } = machine;
    await installation.hone('stop-all', '--reason', 'harm');
    const { note } = contracts.ledgerCheckpointJson.parse(
      (await installation.hone('ledger', 'checkpoint', '--json')).json(),
    );
    writeFileSync(join(elsewhere, 'held.note'), note);
    const { bytes, manifest } = opened((await machine.backup()).output);
    const path = join(elsewhere, 'rewritten.backup');
    const rewrite = (sql: string, ledger: object = {}) => {
      const [control, ...rest] = manifest.parts;
      const database = join(elsewhere, 'control.db');
      writeFileSync(database, bytes.subarray(14, 14 + control!.sizeBytes));
      const db = new DatabaseSync(database);
      db.exec(sql);
      db.close();
      const changed = readFileSync(database);
      const sha256 = createHash('sha256').update(changed).digest('hex');
      const after = bytes.subarray(14 + control!.sizeBytes);
      const left = rest.reduce((sum, part) => sum + part.sizeBytes, 0);
      const parts = [{ ...control!, sizeBytes: changed.length, sha256 }, ...rest];
      const body = Buffer.concat([bytes.subarray(0, 14), changed, after.subarray(0, left)]);
      forged(path, { ...manifest, ...ledger, parts }, body);
    };
    const restored = () => installation.honeAsOperator('restore', path, '--replace', '--json');

    rewrite(`DROP TRIGGER ledger_entries_no_update;
      UPDATE ledger_entries SET body = replace(body, 'harm', 'fine')`);
    expect((await restored()).json()).toMatchObject({ error: { code: 'altered' } });
    rewrite(`CREATE TRIGGER quiet AFTER INSERT ON outbox_effects
      BEGIN DELETE FROM outbox_effects; END`);
    expect((await restored()).json()).toMatchObject({ error: { code: 'altered' } });
    rewrite('DROP TRIGGER proposal_attestations_no_update');
    expect((await restored()).json()).toMatchObject({ error: { code: 'altered' } });

    // An honest, shorter ledger with a manifest that fits is a backup like any other: only the checkpoint tells.
    const other = await makeMachine('sqlite');
    await using _ = other;
    await other.stateDir();
    const foreign = await other.backup('--with-key');
    copyFileSync(foreign.output, path);
    expect((await restored()).exit).toBe(0);
    const verify = await installation.hone(
      'ledger',
      'verify',
      '--against',
      join(elsewhere, 'held.note'),
      '--json',
    );
    expect(verify.exit).toBe(1);
  });
});
