/**
 * Somebody writes the state folder: what was accepted is kept there, and it says what a decision needs. On
 * PostgreSQL that is not who can write the store. Nothing they write there takes effect, and none of their
 * decisions is recorded.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import {
  agentFile,
  calls,
  fileAt,
  makeTarget,
  SETTINGS,
  type Target,
} from '../../src/cli/target.test-support.ts';
import * as contracts from '../../src/contracts/index.ts';
import { freshDatabase } from '../stores.ts';

const FILE = 'agents/researcher.yaml';
const FILES = { [FILE]: agentFile('researcher', 'web_search') };

interface Kept {
  build: string;
  text: string;
  config: {
    identity: { verification: { approve: string; require: string } };
    monitor: { errorRate: number };
  };
}

/** A target with a proposal that waits for a decision; deciding it takes a token. */
async function waiting(target: Target, more = '') {
  writeFileSync(join(target.repository, 'hone.yaml'), `${SETTINGS}${more}`);
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  const stateDir = await target.installation.stateDir();
  expect((await target.hone('cycle')).exit).toBe(0);
  const listed = await target.hone('proposals', 'list', '--json');
  const [proposal] = contracts.proposalsListJson.parse(listed.json()).proposals;
  const { id, state } = proposal!;
  expect(state).toBe('pending');
  const shown = await target.hone('proposals', 'show', id, '--json');
  const { digest } = contracts.proposalsShowJson.parse(shown.json());
  const approve = ['approve', id, '--digest', digest];
  const unproven = await target.hone(...approve);
  expect(unproven).toMatchObject({ exit: 1, out: '' });
  expect(unproven.err.replace(/\s+/g, ' ')).toContain('HONE_TOKEN');
  return { stateDir, id, approve };
}

type Waiting = Awaited<ReturnType<typeof waiting>>;

/** Writes the kept configuration as its file format has it, with the sum that once guarded it. */
function forge(stateDir: string, change: (kept: Kept) => void): void {
  const file = join(stateDir, 'accepted.json');
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
  change(kept);
  let sum = 0x811c9dc5;
  for (const byte of Buffer.from(JSON.stringify(kept.config)))
    sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  writeFileSync(file, JSON.stringify({ ...kept, sum }));
}

const anybodyDecides = ({ config }: Kept) => {
  config.identity.verification = { approve: 'local', require: 'local' };
};

const statusOf = async (target: Target) =>
  contracts.statusJson.parse((await target.hone('status', '--json')).json());

async function expectHeld(target: Target, { id, approve }: Waiting): Promise<void> {
  const before = await statusOf(target);
  expect(before).toMatchObject({ configuration: 'superseded', stopped: true });
  for (const decision of [approve, ['reject', id, '--reason', 'no']]) {
    const refused = await target.hone(...decision);
    expect(refused).toMatchObject({ exit: 1, out: '' });
    expect(refused.err.replace(/\s+/g, ' ')).toContain('No decision is recorded now');
  }
  const asOperator = await target.installation.honeAsOperator(...approve);
  expect(asOperator.err.replace(/\s+/g, ' ')).toContain('No decision is recorded now');
  const weaker = ['switch', 'set', 'vetting', 'off', '--reason', 'x'];
  expect((await target.installation.honeAsOperator(...weaker)).exit).toBe(1);
  await target.hone('cycle');
  expect(await fileAt(target.repository, FILE)).toBe(FILES[FILE]);
  const after = await statusOf(target);
  expect(after.proposals).toEqual(before.proposals);
  expect(after.ledger.entries).toBe(before.ledger.entries);
}

test('a tokenless decision under a forged configuration is not recorded, and nothing is deployed', async () => {
  using target = await makeTarget(FILES);
  const given = await waiting(target);
  const { stateDir, id, approve } = given;
  forge(stateDir, anybodyDecides);
  await expectHeld(target, given);
  // Stopping and rolling back stay possible.
  expect((await target.hone('rollback', id)).err).toContain('it is not deployed');
  expect((await target.hone('stop-all', '--reason', 'careful')).exit).toBe(0);
  const text = (await target.hone('status')).out;
  expect(text).toContain('NOT the one accepted last');
  // What was accepted still stands in hone.yaml: to say so once more weakens nothing.
  expect((await target.installation.accept('anybody')).exit).toBe(0);
  expect((await target.installation.honeAsOperator('resume')).exit).toBe(0);
  expect(await statusOf(target)).toMatchObject({ configuration: 'accepted', stopped: false });
  expect((await target.installation.honeAsOperator(...approve)).exit).toBe(0);
});

test('the same on PostgreSQL, where who writes the state folder cannot write the store', async () => {
  const database = await freshDatabase();
  using target = await makeTarget(FILES);
  target.installation.environment['HONE_DATABASE_URL'] = database.url;
  const given = await waiting(target, 'store: { url: "env:HONE_DATABASE_URL" }\n');
  forge(given.stateDir, anybodyDecides);
  await expectHeld(target, given);
});

const WEAK = `${SETTINGS}identity: { agents: [] }\n`;

test.each([
  ['the text alone', (kept: Kept) => void Object.assign(kept, { text: WEAK })],
  [
    'the text, under the name of another build',
    (kept: Kept) => void Object.assign(kept, { text: WEAK, build: 'another' }),
  ],
  [
    'the configuration, under the name of another build',
    (kept: Kept) => {
      anybodyDecides(kept);
      kept.build = 'another';
      kept.text = WEAK;
    },
  ],
])('held: whoever changes %s', async (_, change) => {
  using target = await makeTarget(FILES);
  const given = await waiting(target);
  const { stateDir } = given;
  forge(stateDir, change);
  // The file in the repository says the same, as if it had been accepted.
  writeFileSync(join(target.repository, 'hone.yaml'), WEAK);
  await expectHeld(target, given);
  const refused = await target.installation.accept('anybody');
  expect(refused).toMatchObject({ exit: 1 });
  expect(refused.err.replace(/\s+/g, ' ')).toContain('the configuration accepted elsewhere');
});

test('held: the row in the store was changed too, but not its ledger entry', async () => {
  using target = await makeTarget(FILES);
  const given = await waiting(target);
  const { stateDir } = given;
  writeFileSync(join(target.repository, 'hone.yaml'), WEAK);
  const shown = await target.hone('config', 'show', '--json');
  const { file } = contracts.configShowJson.parse(shown.json());
  forge(stateDir, (kept) => Object.assign(kept, { text: WEAK, build: 'another' }));
  const database = new DatabaseSync(join(stateDir, 'control.db'));
  database.prepare('UPDATE config_pins SET digest = ?').run(file);
  database.close();
  await expectHeld(target, given);
  const refused = await target.installation.accept('anybody');
  expect(refused).toMatchObject({ exit: 1 });
  expect((await target.hone('ledger', 'rebuild')).out).toContain('config_pins');
});

test('a forged configuration does not make the watch overlook harm while hone.yaml is what was accepted', async () => {
  using target = await makeTarget(FILES);
  const { stateDir } = await waiting(target);
  forge(stateDir, ({ config }) => void Object.assign(config.monitor, { errorRate: 10 }));
  const shown = await target.hone('config', 'show', '--all', '--json');
  const { configuration, config } = contracts.configShowJson.parse(shown.json());
  expect(configuration).toBe('superseded');
  expect(config['monitor']).toMatchObject({ errorRate: 0.25 });
});

test('to delete what was accepted and set up anew takes an operator', async () => {
  using target = await makeTarget(FILES);
  const { stateDir } = await waiting(target);
  rmSync(join(stateDir, 'accepted.json'));
  writeFileSync(join(target.repository, 'hone.yaml'), WEAK);
  const refused = await target.hone('init');
  expect(refused).toMatchObject({ exit: 1, out: '' });
  expect(refused.err.replace(/\s+/g, ' ')).toContain('The configuration accepted for this store');
});
