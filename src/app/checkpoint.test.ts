/** PROC-11 on real runs: the accepted commands, on a clean checkout of the task's commit, in the sandbox. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeInstallation } from '../../test/cli.ts';
import { sandboxProblem } from '../../test/sandbox.ts';
import { systemClock } from '../base/index.ts';
import type { Checkpoint } from '../contracts/task.ts';

/** One phase, so that a task can show everything at once. */
const SETTINGS = `
process:
  own:
    - { name: short, phases: [{ name: verify, risk: low, gates: [] }] }
validate:
  test: [sh, -c, "cp result.xml report.xml"]
  testReport: report.xml
evidence:
  build: [sh, build.sh]
`;
const GREEN = '<testsuite><testcase classname="a" name="b"/></testsuite>';
const RED = GREEN.replace('/></', '><failure message="no"/></testcase></');

const noSandbox = sandboxProblem();

test.skipIf(noSandbox !== undefined)(
  'PROC-11 PROC-1 a checkpoint wants green tests, a clean build, nothing left over, all of it fresh and of this commit',
  async () => {
    // Programs run in real time; only what the clock says is moved on.
    let laterMs = 0;
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs };
    using here = makeInstallation({ inProcess: true, clock });
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: here.repository, env: here.environment, stdio: 'pipe' });
    const commit = (files: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(here.repository, name), text);
      git('add', '-A');
      git('commit', '-qm', 'x');
    };
    commit({ 'result.xml': RED, 'build.sh': 'exit 1\n', 'a.txt': 'TODO of others\n' });
    await here.stateDir();
    const file = join(here.repository, 'hone.yaml');
    writeFileSync(file, readFileSync(file, 'utf8') + SETTINGS);
    expect((await here.accept()).exit).toBe(0);
    const started = await here.hone('task', 'start', 'T', '--process', 'short', '--json');
    const { id } = started.json() as { id: string };
    const run = (kind: string) => here.hone('evidence', 'run', id, '--kind', kind);
    const failing = async () => {
      const ran = await here.hone('checkpoint', 'validate', id, '--json');
      const { ok, checks } = ran.json() as Checkpoint;
      const names = checks.filter((one) => !one.ok).map(({ name }) => name);
      expect([ran.exit, ok]).toEqual(names.length === 0 ? [0, true] : [1, false]);
      return names;
    };

    commit({ 'a.txt': 'TODO of others\nTODO mine\n' });
    await run('tests');
    await run('build');
    expect(await failing()).toEqual(['tests', 'build', 'leftovers']);
    commit({ 'result.xml': GREEN, 'build.sh': 'exit 0\n', 'a.txt': 'TODO of others\nmine\n' });
    await run('tests');
    await run('build');
    expect(await failing()).toEqual([]);
    laterMs = 23 * 3_600_000;
    expect(await failing()).toEqual([]);
    laterMs = 25 * 3_600_000;
    expect(await failing()).toEqual(['tests', 'build']);
    commit({ 'a.txt': 'TODO of others\nstill mine\n' });
    laterMs = 2 * 3_600_000;
    await run('tests');
    // The build was green, and is of another commit.
    expect(await failing()).toEqual(['build']);
    // The runs are telemetry.
    const spans = (await here.hone('traces', 'show', id, '--json')).out;
    expect(spans).toContain('agent.verify');
  },
);
