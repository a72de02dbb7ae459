/** What `hone cycle` and `hone approve` say where something is missing or in the way. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import {
  agentFile,
  calls,
  commitFiles,
  fileAt,
  makeTarget,
  SETTINGS,
  type Target,
} from './target.test-support.ts';

const FILE = 'agents/researcher.yaml';
const FILES = { [FILE]: agentFile('researcher', 'web_search') };

async function setUp(target: Target, settings = SETTINGS): Promise<void> {
  writeFileSync(join(target.repository, 'hone.yaml'), settings);
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  await target.installation.stateDir();
}

describe.concurrent('in the way', () => {
  test('no commit yet, and no git; then two at once are one cycle', async () => {
    using target = await makeTarget({});
    await setUp(target);
    const [empty, json] = [await target.hone('cycle'), await target.hone('cycle', '--json')];
    expect(empty).toMatchObject({ exit: 2, out: '' });
    expect(empty.err.replaceAll('\n', ' ')).toBe(
      'hone: The target repository has no commit on a branch main. Make one, or name another branch in deploy.branch of hone.yaml. ',
    );
    expect(json.exit).toBe(2);
    expect(contracts.errorJson.parse(json.json()).error.code).toBe('usage');
    // Nothing was begun that could only fail again.
    const status = contracts.statusJson.parse((await target.hone('status', '--json')).json());
    expect(status.troubles).toEqual([]);

    const gone = await target.installation.process({ PATH: '/nowhere' }, 'cycle');
    expect(gone).toMatchObject({ exit: 2, out: '' });
    expect(gone.err).toBe('hone: There is no git on the PATH.\n      Install git 2.38 or newer.\n');

    await commitFiles(target.repository, FILES);
    const both = await Promise.all([
      target.installation.process({}, 'cycle', '--json'),
      target.installation.process({}, 'cycle', '--json'),
    ]);
    const cycles = both.map((one) => contracts.cycleJson.parse(one.json()));
    expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
    for (const { report } of cycles) expect(report).not.toBeNull();
    const listed = await target.hone('proposals', 'list', '--json');
    expect(contracts.proposalsListJson.parse(listed.json()).proposals).toHaveLength(1);
  });

  test('another branch than there is; everything stopped, in hostile words', async () => {
    using target = await makeTarget(FILES);
    await setUp(target, `${SETTINGS}deploy:\n  branch: release\n`);
    const missing = await target.hone('cycle');
    expect(missing).toMatchObject({ exit: 2, out: '' });
    expect(missing.err).toContain('no commit on a branch');
    expect(missing.err).not.toContain('   at ');
    const words = 'enough\u001b[2J\u202e\n\u009b31m';
    expect((await target.hone('stop-all', '--reason', words)).exit).toBe(0);
    const [stopped, status] = await Promise.all([target.hone('cycle'), target.hone('status')]);
    expect(stopped).toMatchObject({ exit: 1, out: '' });
    expect(stopped.err).toContain('"hone resume"');
    expect(stopped.err + status.out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(status.out).toMatch(/^Running +STOPPED: enough/m);
  });

  test('telemetry that ended long ago is not taken for a healthy fleet', async () => {
    using target = await makeTarget(FILES);
    writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
    await target.installation.stateDir();
    const never = await target.hone('cycle');
    expect(never.out.replace(/\s+/g, ' ')).toContain(
      'Nothing was judged: No event has ever arrived.',
    );
    const untilMs = Date.now() - 7 * 86_400_000;
    target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs }));
    const stale = await target.hone('cycle');
    expect(stale.out).not.toContain('No failure recurs');
    expect(stale.out.replace(/\s+/g, ' ')).toMatch(
      /Nothing was judged: The newest event is from \d{4}-\d\d-\d\d \d\d:\d\d UTC, before the hours looked at/,
    );
    target.append(
      calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now(), failed: 1 }),
    );
    expect((await target.hone('cycle')).out).not.toContain('Nothing was judged');
  });

  test('the branch is checked out: the decision stands, and nothing is touched', async () => {
    using target = await makeTarget(FILES, { checkedOut: true });
    await setUp(target);
    expect((await target.hone('cycle')).exit).toBe(0);
    const listed = await target.hone('proposals', 'list', '--json');
    const [proposal] = contracts.proposalsListJson.parse(listed.json()).proposals;
    const args = ['approve', 'p_', '--digest', proposal!.digest];
    const approved = await target.installation.honeAsOperator(...args);
    expect(approved.exit).toBe(0);
    const told = approved.out.replace(/\s+/g, ' ');
    expect(told).toContain(`The branch main is checked out at ${target.repository}`);
    expect(told).toContain('check out another branch there, or give Hone a clone of its own.');
    expect(told).toContain('It is approved now.');
    expect(await fileAt(target.repository, FILE)).toBe(FILES[FILE]);
    // Hours later nobody has the words of that command any more.
    const why = `The branch main is checked out at ${target.repository}`;
    const [json, text, list, show, status] = await Promise.all([
      target.hone('proposals', 'list', '--json'),
      target.hone('proposals', 'list'),
      target.hone('status', '--json'),
      target.hone('proposals', 'show', 'p_'),
      target.hone('status'),
    ]);
    const [waits] = contracts.proposalsListJson.parse(json.json()).proposals;
    expect(waits!.waiting).toContain(why);
    expect(text.out).toContain('    The branch main is checked out at');
    expect(contracts.statusJson.parse(list.json()).waiting).toMatchObject([
      { proposal: proposal!.id, state: 'approved', why: expect.stringContaining(why) },
    ]);
    expect(show.out.replace(/\s+/g, ' ')).toContain(`Where it stands ${why}`);
    expect(status.out.replace(/\s+/g, ' ')).toContain(`is approved and waits: ${why}`);
  });
});
