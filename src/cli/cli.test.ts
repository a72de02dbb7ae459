/** The command line, run as a person runs it: the real process, in a repository of its own. */
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installation, makeInstallation, run } from '../../test/cli.ts';
import { composeSections, expectConfig, parseConfig } from '../config/index.ts';
import * as contracts from '../contracts/index.ts';
import { honeSections } from '../loop/sections.ts';

describe('a set-up installation', () => {
  let here: Installation;
  let stateDir: string;
  beforeAll(async () => {
    here = makeInstallation({ inProcess: true });
    writeFileSync(join(here.repository, 'package.json'), '{"scripts":{"test":"vitest run"}}');
    writeFileSync(join(here.repository, 'AGENTS.md'), '# Agents\n');
    stateDir = await here.stateDir();
  });
  afterAll(() => here[Symbol.dispose]());

  test('CONFIG-2 init detects, writes a commented file, and twice changes nothing', async () => {
    const config = readFileSync(join(here.repository, 'hone.yaml'), 'utf8');
    expect(config).toMatch(/^# /);
    expect(config).toContain('AGENTS.md');
    const keys = config.split('\n').flatMap((line) => /^ *([A-Za-z]+):/.exec(line)?.[1] ?? []);
    const asked = {
      target: 'agentFiles',
      observe: 'sources',
      deploy: 'branch',
      notify: 'webhooks',
    };
    expect(keys).toEqual(Object.entries(asked).flat());
    expect(config.split('\n').length).toBeLessThanOrEqual(36);
    expect(config.split('\n').filter((line) => line.length > 80)).toEqual([]);
    // Each example is valid as soon as its # is removed.
    const uncommented = config.replace(/# (?=\{)/g, '');
    expect(uncommented).not.toBe(config);
    const parsed = parseConfig(uncommented, 'hone.yaml', composeSections(honeSections));
    expect(expectConfig(parsed).config).toMatchObject({
      observe: { sources: [{ path: '/var/log/agents' }] },
      notify: { webhooks: [{ secretEnv: 'HONE_WEBHOOK' }] },
    });
    const files = () =>
      ['control.db', 'ledger.key', 'accepted.json'].map((name) =>
        readFileSync(join(stateDir, name)),
      );
    const before = files();
    const again = await here.hone('init', '--json');
    expect(contracts.initJson.parse(again.json())).toMatchObject({ changed: false, key: 'kept' });
    expect(files()).toEqual(before);
    expect(readFileSync(join(here.repository, 'hone.yaml'), 'utf8')).toBe(config);
    expect((await here.hone('init')).out).toMatch(
      /^Already set up; nothing was changed\.\nNext:\n/,
    );
  });

  test('the key and the state folder are their owner’s alone, and outside the repository', () => {
    expect(statSync(join(stateDir, 'ledger.key')).mode & 0o777).toBe(0o600);
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    expect(stateDir.startsWith(here.stateHome)).toBe(true);
  });

  test('status as text fits 80 columns, as JSON its schema', async () => {
    const text = await here.hone('status');
    expect(text.exit).toBe(0);
    expect(text.out).toMatch(/^Repository +.*agents$/m);
    const shown = contracts.statusJson.parse((await here.hone('status', '--json')).json());
    expect(shown).toMatchObject({ engine: 'sqlite', stopped: false, configuration: 'accepted' });
  });

  test('LEDGER-3 the ledger is shown, verified, signed, proven and exported', async () => {
    const shown = contracts.ledgerShowJson.parse(
      (await here.hone('ledger', 'show', '--json')).json(),
    );
    expect(shown.entries[0]).toMatchObject({ index: 0, type: 'ledger.created' });
    expect(shown.entries[0]!.actor).toEqual({
      kind: 'human',
      id: 'operator@example.org',
      verified: 'local',
    });
    const signed = contracts.ledgerCheckpointJson.parse(
      (await here.hone('ledger', 'checkpoint', '--json')).json(),
    );
    const kept = join(here.repository, 'checkpoint.txt');
    writeFileSync(kept, signed.note);
    const verified = await here.hone('ledger', 'verify', '--against', kept, '--json');
    expect(verified.exit).toBe(0);
    const verdict = contracts.ledgerVerifyJson.parse(verified.json());
    expect(verdict).toMatchObject({ ok: true, size: signed.size, coveredSize: signed.size });
    const proof = contracts.ledgerProveJson.parse(
      (await here.hone('ledger', 'prove', '0', '--json')).json(),
    );
    expect(proof.root).toBe(verdict.root);
    const exported = await here.process({}, 'ledger', 'export');
    expect(exported.out.trim().split('\n')).toHaveLength(shown.size);
  });

  test('KILL-1 stop-all stops, survives, and a person lifts it; an agent cannot', async () => {
    const stop = await here.hone('stop-all', '--reason', 'it misbehaves', '--json');
    expect(contracts.stopJson.parse(stop.json())).toMatchObject({ stopped: true, changed: true });
    const status = contracts.statusJson.parse((await here.hone('status', '--json')).json());
    expect(status).toMatchObject({ stopped: true, stopReason: 'it misbehaves' });
    here.environment['CLAUDECODE'] = '1';
    const agent = await here.hone('resume', '--json');
    delete here.environment['CLAUDECODE'];
    expect(agent.exit).toBe(1);
    expect(contracts.errorJson.parse(agent.json()).error.code).toBe('refused');
    const noOperator = await here.hone('resume');
    expect(noOperator).toMatchObject({ exit: 1, out: '' });
    expect(noOperator.err).toContain('HONE_TOKEN');
    expect((await here.honeAsOperator('resume')).out).toBe('Resumed.\n');
  });

  test('KILL-1 the stop file stops and must go before it is lifted', async () => {
    writeFileSync(join(stateDir, 'STOP'), '');
    const stopped = contracts.statusJson.parse((await here.hone('status', '--json')).json());
    expect(stopped.stopped).toBe(true);
    const refused = await here.honeAsOperator('resume');
    expect(refused).toMatchObject({ exit: 1 });
    expect(refused.err).toContain('Remove it');
    rmSync(join(stateDir, 'STOP'));
    expect((await here.honeAsOperator('resume')).exit).toBe(0);
  });

  test('ID-1 tokens are shown once, hashed at rest, revoked for good', async () => {
    const made = await here.honeAsOperator('token', 'add', 'bot', '--role', 'approver', '--json');
    const { secret } = contracts.tokenAddJson.parse(made.json());
    for (const file of ['control.db', 'control.db-wal']) {
      const path = join(stateDir, file);
      if (existsSync(path)) expect(readFileSync(path).includes(secret)).toBe(false);
    }
    const list = contracts.tokenListJson.parse((await here.hone('token', 'list', '--json')).json());
    expect(list.tokens).toMatchObject([
      { name: 'operator', role: 'operator', revokedAt: null },
      { name: 'bot', role: 'approver', revokedAt: null },
    ]);
    const revoked = await here.honeAsOperator('token', 'revoke', 'bot', '--json');
    contracts.tokenRevokeJson.parse(revoked.json());
    expect((await here.honeAsOperator('token', 'add', 'bot')).exit).toBe(2);
    const unknown = await here.honeAsOperator('token', 'revoke', 'nobody');
    expect(unknown.err).toContain('no token named');
  });

  test('who is no operator makes and revokes no token, and nobody resets without a terminal', async () => {
    const before = (await here.hone('token', 'list', '--json')).out;
    const [added, revoked, reset, unsaid] = await Promise.all([
      here.hone('token', 'add', 'own', '--role', 'operator'),
      here.hone('token', 'revoke', 'operator'),
      here.hone('token', 'reset', 'own', '--reason', 'lost'),
      here.hone('token', 'reset', 'own', '--reason', ' '),
    ]);
    for (const refused of [added, revoked, reset])
      expect(refused).toMatchObject({ exit: 1, out: '' });
    expect(added.err).toContain('HONE_TOKEN');
    expect(revoked.err).toContain('hone token reset');
    expect(reset.err).toContain('a person at a terminal');
    expect(unsaid).toMatchObject({ exit: 2 });
    const last = await here.honeAsOperator('token', 'revoke', 'operator');
    expect(last).toMatchObject({ exit: 1 });
    expect(last.err).toContain('last operator');
    here.environment['CLAUDECODE'] = '1';
    const agent = await here.honeAsOperator('token', 'add', 'own');
    delete here.environment['CLAUDECODE'];
    expect(agent).toMatchObject({ exit: 1 });
    expect(agent.err).toContain('agent');
    expect((await here.hone('token', 'list', '--json')).out).toBe(before);
  });

  test('SWITCH-1 a gate is set by a person, recorded, and refused to an agent', async () => {
    here.environment['HONE_AGENT'] = '1';
    expect((await here.hone('switch', 'set', 'vetting', 'off')).exit).toBe(1);
    delete here.environment['HONE_AGENT'];
    expect((await here.hone('status')).out).toMatch(/Gates +none is weakened/);
    const weaken = ['switch', 'set', 'vetting', 'observe', '--reason', 'trial'];
    const unproven = await here.hone(...weaken);
    expect(unproven).toMatchObject({ exit: 1, out: '' });
    expect(unproven.err).toContain('Only an operator may do this');
    const done = await here.honeAsOperator(...weaken);
    expect(done.exit).toBe(0);
    expect(done.err).toContain('[critical] The gate vetting was set to observe by token:operator');
    const list = contracts.switchListJson.parse(
      (await here.hone('switch', 'list', '--json')).json(),
    );
    expect(list.switches).toContainEqual(
      expect.objectContaining({ gate: 'vetting', mode: 'observe', source: 'set' }),
    );
    const last = contracts.ledgerShowJson.parse(
      (await here.hone('ledger', 'show', '--subject', 'switch:vetting', '--json')).json(),
    );
    expect(last.entries).toMatchObject([{ type: 'policy.switch_set', data: { reason: 'trial' } }]);
    expect(await here.hone('switch', 'set', 'veting', 'off')).toMatchObject({ exit: 2 });
    const status = contracts.statusJson.parse((await here.hone('status', '--json')).json());
    expect(status.notEnforced).toEqual([{ gate: 'vetting', mode: 'observe' }]);
    const text = (await here.hone('status')).out;
    expect(text).toMatch(/Gates +vetting OBSERVE/);
    expect(text).toContain('Not every gate enforces');
    expect((await here.hone('switch', 'set', 'vetting', 'enforce')).exit).toBe(0);
  });

  test('SWITCH-1 what the constitution fixes cannot be switched, and is in no list', async () => {
    const refused = await here.hone('switch', 'set', 'deploy', 'observe');
    expect(refused).toMatchObject({ exit: 1, out: '' });
    expect(refused.err).toContain('deploy cannot be switched: nothing reaches the target');
    const list = contracts.switchListJson.parse(
      (await here.hone('switch', 'list', '--json')).json(),
    );
    expect(list.switches.map(({ gate, mode }) => [gate, mode])).toEqual([
      ['identity', 'enforce'],
      ['limits', 'enforce'],
      ['telemetry', 'observe'],
      ['vetting', 'enforce'],
      ['gateway', 'observe'],
      ['hooks', 'observe'],
    ]);
    expect((await here.hone('status')).out).toMatch(/Gates +none is weakened/);
  });

  test('CONFIG-1 an edited configuration is shown, without effect until a person accepts it', async () => {
    const file = join(here.repository, 'hone.yaml');
    const original = readFileSync(file, 'utf8');
    writeFileSync(file, `${original}server:\n  port: 5555\n`);
    expect((await here.hone('status')).out).toContain('hone.yaml was edited');
    const shown = contracts.configShowJson.parse(
      (await here.hone('config', 'show', '--json')).json(),
    );
    expect(shown.changes).toEqual([
      { key: 'server.port', before: '4663', after: '5555', weakens: false },
    ]);
    expect(shown.config).not.toHaveProperty('server');
    const all = await here.hone('config', 'show', '--all');
    expect(all.out).toContain('port: 4663');
    expect(all.out).toContain(`# accepted:   ${shown.accepted}`);
    expect(all.out).toContain(`# hone.yaml:  ${shown.file}`);
    here.environment['HONE_AGENT'] = '1';
    expect((await here.accept('anybody')).exit).toBe(1);
    delete here.environment['HONE_AGENT'];
    const accepted = await here.accept('anybody', '--json');
    expect(contracts.configAcceptJson.parse(accepted.json()).accepted).toBe(true);
    const { file: digest, ...now } = contracts.configShowJson.parse(
      (await here.hone('config', 'show', '--json')).json(),
    );
    expect([now.accepted, now.config['server']]).toEqual([digest, { port: 5555 }]);
    expect((await here.hone('status')).out).toMatch(/Configuration +accepted/);
  });

  test('a weaker configuration takes an operator, once there is one; a stricter one does not', async () => {
    const file = join(here.repository, 'hone.yaml');
    const agents = 'target: { agentFiles: [AGENTS.md] }\n';
    const strict = `${agents}identity:\n  verification: { approve: token, require: signature }\n`;
    writeFileSync(file, strict);
    expect((await here.accept('anybody')).exit).toBe(0);
    const weaker = {
      'store.url': `${strict}store: { url: 'env:OTHER_DATABASE' }\n`,
      'identity.allowedSignersFile': `${strict}  allowedSignersFile: elsewhere\n`,
      'identity.verification.approve': strict.replace('approve: token', 'approve: local'),
      'identity.verification.require': strict.replace('signature', 'token'),
      'identity.agents': `${strict}  agents: []\n`,
      'switches.identity': `${strict}switches: { identity: observe }\n`,
    };
    for (const [key, text] of Object.entries(weaker)) {
      writeFileSync(file, text);
      const refused = await here.accept('anybody');
      expect(refused).toMatchObject({ exit: 1, out: '' });
      expect(refused.err.replace(/\s+/g, ' ')).toContain(
        `It weakens or moves ${key}. Only an operator may do this`,
      );
    }
    expect((await here.hone('switch', 'list')).out).toMatch(/identity +enforce/);
    const done = await here.accept();
    expect(done).toMatchObject({ exit: 0 });
    expect(done.err).toContain('[critical] A weaker configuration was accepted by token:operator');
    expect((await here.hone('switch', 'list')).out).toMatch(/identity +observe/);
    writeFileSync(file, strict);
    expect((await here.accept('anybody')).exit).toBe(0);
  });

  test('CONFIG-1 every mistake is told at once, with its line, and nothing starts', async () => {
    const file = join(here.repository, 'hone.yaml');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, 'server:\n  prot: 1\n  port: many\nlease:\n  ttl: soon\nnonsense: 1\n');
    const check = await here.hone('config', 'check', '--json');
    expect(check.exit).toBe(2);
    const { problems } = contracts.configCheckJson.parse(check.json());
    expect(problems.map((problem) => problem.line)).toEqual([2, 3, 5, 6]);
    expect((await here.hone('config', 'accept')).exit).toBe(2);
    writeFileSync(file, good);
  });

  test('empty lists say so, as text and JSON', async () => {
    contracts.outboxListJson.parse((await here.hone('outbox', 'list', '--json')).json());
    contracts.scheduleListJson.parse((await here.hone('schedule', 'list', '--json')).json());
    expect((await here.hone('outbox', 'list', '--state', 'dead')).out).toContain('nothing to show');
  });

  test('LEDGER-2 an entry that was altered in the file is named, exit 1', async () => {
    const own = makeInstallation({ inProcess: true });
    const folder = await own.stateDir();
    const database = new DatabaseSync(join(folder, 'control.db'));
    database.exec(`DROP TRIGGER ledger_entries_no_update;
      UPDATE ledger_entries SET body = replace(body, 'operator@', 'intruder@') WHERE idx = 1`);
    database.close();
    const verify = await own.hone('ledger', 'verify', '--json');
    expect(verify.exit).toBe(1);
    expect(contracts.ledgerVerifyJson.parse(verify.json()).problem).toMatchObject({ index: 1 });
    expect((await own.hone('ledger', 'verify')).out).toContain('Entry 1 or its hash was altered.');
    own[Symbol.dispose]();
  });
});

describe('a newcomer’s mistakes', () => {
  let here: Installation;
  beforeAll(() => {
    here = makeInstallation({ inProcess: true });
  });
  afterAll(() => here[Symbol.dispose]());

  test('not set up yet: says how', async () => {
    const { exit, err } = await here.hone('status');
    expect({ exit, err }).toMatchObject({ exit: 2 });
    expect(err).toContain('Run "hone init"');
  });

  test('a mistyped command gets a suggestion and exit 2, also as JSON', async () => {
    const { exit, err } = await here.hone('statsu');
    expect(exit).toBe(2);
    expect(err).toContain('Did you mean status?');
    const json = await here.hone('statsu', '--json');
    expect(contracts.errorJson.parse(json.json()).error.code).toBe('usage');
  });

  test('a bad number is refused in words', async () => {
    const { err } = await here.hone('ledger', 'show', '--limit', 'ten');
    expect(err.replace(/\s+/g, ' ')).toContain('whole number');
  });

  test('help fits 80 columns and names the first steps', async () => {
    const { exit, out } = await here.hone('--help');
    expect(exit).toBe(0);
    expect(out).toContain('hone init');
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('outside a repository it says where to go', async () => {
    const source = new URL('../main.ts', import.meta.url).pathname;
    const result = await run([process.execPath, source, 'init'], '/', here.environment);
    expect(result).toMatchObject({ exit: 2 });
    expect(result.err).toContain('not in a git repository');
  });
});

describe('a damaged place', () => {
  const damaged = async (
    harm: (stateDir: string, here: Installation) => void,
    ...args: string[]
  ) => {
    using here = makeInstallation({ inProcess: true });
    harm(await here.stateDir(), here);
    return await here.hone(...(args.length === 0 ? ['status'] : args));
  };

  test('a file that is no database is refused and left as it is', async () => {
    const result = await damaged((dir) =>
      writeFileSync(join(dir, 'control.db'), 'my precious notes'),
    );
    expect(result).toMatchObject({ exit: 2 });
    expect(result.err).toContain('not a Hone database');
  });

  test('somebody else’s SQLite file is refused', async () => {
    const result = await damaged((dir) => {
      for (const end of ['', '-wal', '-shm']) {
        if (existsSync(join(dir, `control.db${end}`)))
          writeFileSync(join(dir, `control.db${end}`), '');
      }
      const other = new DatabaseSync(join(dir, 'control.db'));
      other.exec('CREATE TABLE photos (id INTEGER)');
      other.close();
    });
    expect(result).toMatchObject({ exit: 2 });
    expect(result.err).toContain('not a Hone database');
  });

  test('a corrupt database is named as such, exit 4', async () => {
    const result = await damaged((dir) => {
      const path = join(dir, 'control.db');
      const bytes = readFileSync(path);
      bytes.fill(0xff, 100, 4096);
      writeFileSync(path, bytes);
      for (const end of ['-wal', '-shm']) {
        if (existsSync(path + end)) writeFileSync(path + end, '');
      }
    });
    expect(result).toMatchObject({ exit: 4 });
    expect(result.err).toMatch(/damaged/);
  });

  test('a schema of a newer Hone is refused with exit 3 (STORE-3)', async () => {
    const result = await damaged((dir) => {
      const database = new DatabaseSync(join(dir, 'control.db'));
      database.exec(`INSERT INTO store_migrations VALUES (999, 'from the future', 1, 'f')`);
      database.close();
    });
    expect(result).toMatchObject({ exit: 3 });
    expect(result.err).toContain('newer Hone');
  });

  test('another ledger’s key is refused', async () => {
    const other = makeInstallation({ inProcess: true });
    const key = readFileSync(join(await other.stateDir(), 'ledger.key'));
    other[Symbol.dispose]();
    const result = await damaged(
      (dir) => writeFileSync(join(dir, 'ledger.key'), key),
      'ledger',
      'checkpoint',
    );
    expect(result).toMatchObject({ exit: 2 });
    expect(result.err).toMatch(/is\s+not\s+the\s+one\s+this\s+ledger\s+names/);
  });

  test('a key that others may read is refused, with the remedy', async () => {
    const result = await damaged(
      (dir) => chmodSync(join(dir, 'ledger.key'), 0o644),
      'ledger',
      'checkpoint',
    );
    expect(result).toMatchObject({ exit: 2 });
    expect(result.err).toContain('chmod 600');
  });

  test('a checkpoint of another ledger is found out, exit 1', async () => {
    const other = makeInstallation({ inProcess: true });
    await other.stateDir();
    const note = (await other.hone('ledger', 'checkpoint')).out;
    other[Symbol.dispose]();
    const kept = join(other.stateHome, '..', '..', `note-${process.pid}.txt`);
    writeFileSync(kept, note);
    const result = await damaged(() => {}, 'ledger', 'verify', '--against', kept);
    rmSync(kept);
    expect(result).toMatchObject({ exit: 1 });
    expect(result.out).toMatch(/of\s+another\s+ledger/);
  });
});
