/** A restore that is killed leaves the old installation or the new one, at every step. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../test/cli.ts';
import { makeMachine, type TestEngine } from '../../test/machines.ts';
import * as contracts from '../contracts/index.ts';

const WORKER = new URL('../../test/restore-worker.ts', import.meta.url).pathname;

const STEPS: readonly (readonly [TestEngine, string, 'old' | 'new'])[] = [
  ['sqlite', 'staged', 'old'],
  ['sqlite', 'verified', 'old'],
  ['sqlite', 'prepared', 'old'],
  ['sqlite', 'committed', 'new'],
  ['sqlite', 'moved control.db', 'new'],
  ['sqlite', 'placed control.db', 'new'],
  ['sqlite', 'placed telemetry.db', 'new'],
  ['sqlite', 'moved accepted.json', 'new'],
  ['sqlite', 'placed accepted.json', 'new'],
  ['sqlite', 'cleared', 'new'],
  ['postgres', 'staged', 'old'],
  ['postgres', 'verified', 'old'],
  ['postgres', 'prepared', 'old'],
  ['postgres', 'swapped', 'new'],
];

test.each(STEPS)('STORE-5 killed on %s at "%s", it is the %s one', async (engine, step, left) => {
  await using machine = await makeMachine(engine);
  const { installation } = machine;
  const stateDir = await machine.stateDir();
  const made = await machine.backup();
  const killed = await run(
    [process.execPath, WORKER, made.output, step],
    installation.repository,
    installation.environment,
  );
  expect([killed.exit, killed.err]).toEqual([null, '']);
  expect(killed.out.trim().split('\n').at(-1)).toBe(step);

  const status = contracts.statusJson.parse((await installation.hone('status', '--json')).json());
  expect([status.stopped, status.configuration]).toEqual([left === 'new', 'accepted']);
  expect((await installation.hone('ledger', 'verify')).exit).toBe(0);
  expect((await installation.hone('ledger', 'rebuild')).exit).toBe(0);
  expect(readdirSync(stateDir)).not.toContain('restore.json');
  if (engine === 'sqlite' && left === 'new') {
    const kept = readdirSync(stateDir).filter((name) => name.startsWith('before-restore-'));
    expect(readdirSync(join(stateDir, kept[0]!))).toContain('control.db');
  }
  // And it can be done again, which also clears what was left.
  const again = await installation.honeAsOperator('restore', made.output, '--replace', '--json');
  expect(contracts.restoreJson.parse(again.json()).digest).toBe(made.digest);
  expect(readdirSync(stateDir).filter((name) => name.startsWith('restoring-'))).toEqual([]);
});
