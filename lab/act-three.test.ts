/** The third act of `npm start`: what the ledger says of each step of a governed task. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { captureIo } from '../src/cli/captured-io.ts';
import { ledgerShowJson } from '../src/contracts/index.ts';
import { sandboxProblem } from '../test/sandbox.ts';
import { governed, openSmallRepository } from './act-three.ts';
import { Teller } from './teller.ts';
import type { WorkPlace } from './work-place.ts';

async function play(place: WorkPlace) {
  const { io, said } = captureIo({ columns: 80 });
  const task = await governed(new Teller({ io: io(false), pause: false }), place);
  return { task, out: said.out };
}

/** Each entry as its type and what tells it apart. */
async function recorded(place: WorkPlace, subject: string): Promise<string[]> {
  const show = ['ledger', 'show', '--subject', subject, '--limit', '500', '--json'];
  const { entries } = ledgerShowJson.parse((await place.hone(...show)).json());
  return entries.map(({ type, data }) => {
    const { codes, violation, to, cause, kind, origin, isValid, verdict, tool } = data as Record<
      string,
      unknown
    >;
    const more = [tool, codes, violation, to, cause, kind, origin, isValid, verdict].flat();
    return [type, ...more.filter((one) => one !== undefined && one !== null)].join(' ');
  });
}

const PREPARED = [
  'process.task_started',
  'prompt.attested',
  'process.session_bound',
  // 1. It skips.
  'process.refused strategize/out_of_order/implement implement',
  'evidence.added document claimed true',
  'process.advanced spec',
  'evidence.added document claimed true',
  'process.advanced plan',
  // 2. A tool of a later phase.
  'gateway.refused files/write_file wrong_phase logged',
  'evidence.added document claimed true',
  'process.advanced think',
  'evidence.added document claimed true',
  'process.advanced implement',
  // 3. The ladder: refused, asked about, a dangerous combination.
  'gateway.refused claude-code/Bash destructive logged',
  'gateway.asked files/delete_tree no_contract',
  'gateway.answered approved',
  'gateway.asked files/delete_tree no_contract',
  'gateway.approval_used',
  'gateway.asked files/delete_tree no_contract',
  'gateway.passed files/read_file secret_read',
  'gateway.marked',
  'gateway.refused post/send_message combination logged',
  // 4. A claim that is not true, twice.
  'process.commit_moved',
  'claim.checked',
  'claim.checked',
  'process.escalated claims',
  'process.released',
  'evidence.added diff own true',
  'process.advanced verify',
  // 5. The gate of evidence: nothing, and what is only claimed.
  'process.refused verify/missing_evidence/tests review',
  'evidence.added tests claimed true',
  'process.refused verify/claimed_evidence/tests review',
];

const PROVEN = [
  // Red, then green, by runs of Hone's own.
  'evidence.added tests own false',
  'process.refused verify/invalid_evidence/tests review',
  'process.backtracked implement',
  'process.commit_moved',
  'evidence.added diff own true',
  'process.advanced verify',
  'evidence.added tests own true',
  'process.advanced review',
  // 6. Sent back; the same mistake three times.
  'process.backtracked implement',
  'process.commit_moved',
  'process.refused implement/stale_evidence/diff verify',
  'process.refused implement/stale_evidence/diff verify',
  'process.refused implement/stale_evidence/diff verify',
  'process.escalated repeated',
  'process.released',
  'evidence.added diff own true',
  'process.advanced verify',
  'evidence.added tests own true',
  'process.advanced review',
  'evidence.added rubric claimed true',
  'process.advanced pr',
  // 7. The pull request, from the evidence.
  'evidence.added document own true',
  'process.advanced monitor',
];

const noSandbox = sandboxProblem();

test.skipIf(noSandbox !== undefined)(
  'a governed task, from a call without a task to a pull request, step by step in the ledger',
  async () => {
    using place = await openSmallRepository();
    const { task, out } = await play(place);
    expect(task).toMatchObject({ phase: 'monitor', hasSandbox: true });
    const before = await recorded(place, 'session:story');
    expect(before).toEqual(['gateway.refused claude-code/Bash no_task logged']);
    expect(await recorded(place, `task:${task.id}`)).toEqual([...PREPARED, ...PROVEN]);
    expect(place.sent()).toBe('');
    // Two workers on one phase: counted and told, and no entry.
    expect(out).toContain('refused: coding-agent works on implement until');
    expect(out).toContain('AGENTS.md is not what');
    expect(out).toMatch(/- verify: tests .*run by Hone \(failed 0, .*passed 2/);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

test('without a sandbox the gate stays closed, and the act says so', async () => {
  const programs = mkdtempSync(join(tmpdir(), 'hone-programs-'));
  for (const name of ['git', 'sh']) {
    const found = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(found.trim(), join(programs, name));
  }
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(programs, { recursive: true, force: true });
  });
  vi.stubEnv('PATH', programs);
  using place = await openSmallRepository();
  const { task, out } = await play(place);
  expect(task).toMatchObject({ phase: 'verify', hasSandbox: false });
  expect(await recorded(place, `task:${task.id}`)).toEqual([
    ...PREPARED,
    'process.refused verify/claimed_evidence/tests review',
  ]);
  expect(out).toContain('There is no bubblewrap (bwrap) here');
});
