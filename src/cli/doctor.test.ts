import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { agentFile, makeTarget, SETTINGS, type Target } from './target.test-support.ts';

const FILES = { 'agents/researcher.yaml': agentFile('researcher', 'web_search') };

async function prepared(settings = SETTINGS): Promise<{ target: Target; stateDir: string }> {
  const target = await makeTarget(FILES);
  writeFileSync(join(target.repository, 'hone.yaml'), settings);
  return { target, stateDir: await target.installation.stateDir() };
}

async function examined(target: Target) {
  const run = await target.hone('doctor', '--json');
  const report = contracts.doctorJson.parse(run.json());
  expect(run.exit).toBe(report.healthy ? 0 : 1);
  for (const { state, remedy } of report.findings) expect(remedy === null).toBe(state === 'ok');
  const states = Object.fromEntries(report.findings.map(({ check, state }) => [check, state]));
  const text = (check: string) => report.findings.find((one) => one.check === check)?.text ?? '';
  return { ...report, states, text };
}

describe('hone doctor (OPS-1)', () => {
  test('finds nothing worse than a warning in a new installation, and looks at all of it', async () => {
    const { target } = await prepared();
    using _ = target;
    target.append('');
    const { states, healthy, skipped } = await examined(target);
    expect([healthy, skipped]).toEqual([true, []]);
    for (const check of ['node', 'git', 'disk', 'permissions', 'store', 'clock', 'configuration'])
      expect([check, states[check]]).toEqual([check, 'ok']);
    for (const check of ['stop', 'outbox', 'branch', 'agent files', 'invariants'])
      expect([check, states[check]]).toEqual([check, 'ok']);
    for (const check of ['server', 'sources']) expect(states[check]).toBe('warning');
    const { out } = await target.hone('doctor');
    // A path is never broken; everything else fits.
    const long = out.split('\n').filter((line) => line.length > 80 && !line.includes('/'));
    expect(long).toEqual([]);
    expect(out).toContain('ok: branch: main at ');
  });

  test('says what is wrong, and one that cannot look stops no other', async () => {
    const wrong = `${SETTINGS.replace('agents/*.yaml', 'nowhere/*.md')}deploy:\n  branch: gone\n`;
    const { target, stateDir } = await prepared(wrong);
    using _ = target;
    await target.hone('stop-all', '--reason', 'harm');
    chmodSync(join(stateDir, 'ledger.key'), 0o644);
    writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
    const { states, text, healthy } = await examined(target);
    expect(healthy).toBe(false);
    expect(states).toMatchObject({
      permissions: 'error',
      sources: 'error',
      branch: 'error',
      'agent files': 'warning',
      configuration: 'warning',
      stop: 'warning',
    });
    expect(text('stop')).toContain('harm');
  });

  test('names what does not match at the head of the branch', async () => {
    const { target } = await prepared(SETTINGS.replace('agents/*.yaml', 'nowhere/*.md'));
    using _ = target;
    const { states, text } = await examined(target);
    expect(states['agent files']).toBe('warning');
    expect(text('agent files')).toContain('nowhere/*.md');
  });

  test('finds a ledger whose end was changed, and an entry of the future', async () => {
    const { target, stateDir } = await prepared();
    using _ = target;
    await target.hone('ledger', 'checkpoint');
    const database = new DatabaseSync(join(stateDir, 'control.db'));
    database.exec('DROP TRIGGER ledger_entries_no_update');
    database.exec(`UPDATE ledger_entries SET body = replace(body, '"at":"20', '"at":"90') WHERE idx =
      (SELECT max(idx) FROM ledger_entries)`);
    database.close();
    const { states } = await examined(target);
    expect(states).toMatchObject({ clock: 'error', ledger: 'error', disk: 'ok', branch: 'ok' });
  });

  test('works where the store cannot be opened, and says so', async () => {
    const { target, stateDir } = await prepared();
    using _ = target;
    rmSync(join(stateDir, 'control.db'));
    mkdirSync(join(stateDir, 'control.db'));
    const { states, skipped, healthy } = await examined(target);
    expect([states['store'], states['disk'], healthy]).toEqual(['error', 'ok', false]);
    expect(skipped).toEqual(expect.arrayContaining(['clock', 'ledger', 'invariants']));
  });

  test('a lost key and rows that somebody altered are found', async () => {
    const { target, stateDir } = await prepared();
    using _ = target;
    await target.hone('stop-all', '--reason', 'harm');
    expect((await examined(target)).states).toMatchObject({ 'signing key': 'ok', tables: 'ok' });
    rmSync(join(stateDir, 'ledger.key'));
    const database = new DatabaseSync(join(stateDir, 'control.db'));
    database.exec('UPDATE policy_stops SET stopped = 0');
    database.close();
    const { states, text, healthy } = await examined(target);
    expect(states).toMatchObject({ 'signing key': 'error', tables: 'error' });
    expect(text('tables')).toContain('policy_stops');
    expect(healthy).toBe(false);
  });
});
