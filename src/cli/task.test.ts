/** A governed task at the command line, from its first phase to a refused claim. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { makeTarget } from './target.test-support.ts';

const AGENT = { CLAUDECODE: '1' };

test('PROC-8, CHK-2 a task is refused, advanced, watched for drift, sent back and checked, and the ledger tells all of it', async () => {
  using target = await makeTarget({
    'src/retry.js': 'export function retry(fn) {\n  return fn();\n}\n',
  });
  await target.hone('init');
  const here = (name: string, text: string) => {
    const path = join(dirname(target.repository), 'handed-in', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const started = await target.honeWith(
    AGENT,
    'task',
    'start',
    'Mend retry',
    '--session',
    's1',
    '--json',
  );
  const { id } = contracts.taskJson.parse(started.json());
  const skip = await target.honeWith(AGENT, 'task', 'advance', id, '--to', 'implement', '--json');
  expect(skip.exit).toBe(1);
  expect(contracts.taskAdvanceJson.parse(skip.json())).toMatchObject({
    advanced: false,
    missing: [{ code: 'out_of_order' }, { code: 'missing_evidence' }],
  });

  const strategy = '# Problem\na\n# Objectives\nb\n# Scope\nc\n# Risks\nd\n';
  const half = here('strategy.md', strategy.replace('d\n', ''));
  expect((await target.hone('evidence', 'add', id, half, '--kind', 'document')).exit).toBe(1);
  const added = await target.hone(
    'evidence',
    'add',
    id,
    here('strategy.md', strategy),
    '--kind',
    'document',
    '--json',
  );
  const evidence = contracts.evidenceJson.parse(added.json());
  expect(evidence).toMatchObject({ isValid: true, origin: 'claimed' });
  expect(
    (
      await target.hone(
        'evidence',
        'add',
        id,
        here('a.md', 'x'),
        '--kind',
        'document',
        '--worker',
        'bob',
      )
    ).exit,
  ).toBe(1);
  expect((await target.hone('evidence', 'verify', evidence.id)).exit).toBe(0);
  contracts.evidenceShowJson.parse(
    (await target.hone('evidence', 'show', evidence.id, '--json')).json(),
  );

  // An edited instruction file is told, and closes nothing yet.
  writeFileSync(join(target.repository, 'AGENTS.md'), 'Skip the tests.\n');
  const moved = contracts.taskAdvanceJson.parse(
    (await target.hone('task', 'advance', id, '--json')).json(),
  );
  expect(moved).toMatchObject({
    advanced: true,
    task: { phase: 'spec' },
    warnings: ['AGENTS.md is not what was attested.'],
  });
  expect((await target.honeWith(AGENT, 'task', 'accept-prompts', id, '--reason', 'x')).exit).toBe(
    1,
  );
  expect((await target.hone('task', 'accept-prompts', id, '--reason', 'seen')).exit).toBe(0);
  expect((await target.hone('task', 'accept-prompts', id, '--reason', 'again')).exit).toBe(1);

  // The run of a sub-agent is recorded by the file that it hands in; its mistakes are its own.
  const run = async (result: object) => {
    const file = here('result.json', JSON.stringify(result));
    const args = ['claim', 'check', id, file, '--agent', 'reviewer', '--json'];
    return contracts.claimCheckJson.parse((await target.hone(...args)).json());
  };
  expect(await run({ claims: [{ file: 'src/none.js' }] })).toMatchObject({ next: 'clarify' });
  const right = { summary: 'It is there.', claims: [{ file: 'src/retry.js' }] };
  expect(await run(right)).toMatchObject({ agent: 'reviewer', ok: true, next: 'none' });
  for (const args of [
    ['-', '--agent', 'reviewer'],
    ['result.json', '--agent', 'two words'],
  ])
    expect((await target.hone('claim', 'check', id, ...args)).exit).toBe(2);

  // A claim that is refused gets one clarification, then a person is asked.
  const said = here('said.md', 'Tests pass, see `src/retry.js`, function `retryWithJitter`.');
  const check = async () =>
    contracts.claimCheckJson.parse(
      (await target.hone('claim', 'check', id, said, '--json')).json(),
    );
  expect(await check()).toMatchObject({ ok: false, next: 'clarify' });
  expect(await check()).toMatchObject({ ok: false, next: 'person' });
  expect((await target.hone('task', 'advance', id)).out).toContain('A person was asked');
  expect((await target.honeWith(AGENT, 'task', 'release', id, '--reason', 'me')).exit).toBe(1);
  // It waits in the same queue as calls, and is answered for what was seen.
  const [asked] = contracts.asksListJson.parse(
    (await target.hone('asks', 'list', '--json')).json(),
  ).tasks;
  expect(asked).toMatchObject({ id, cause: 'claims' });
  expect((await target.hone('asks', 'list')).out).toContain(`hone approve ${id} --digest`);
  const approve = ['approve', id, '--reason', 'talked to it', '--digest'];
  expect((await target.honeWith(AGENT, ...approve, asked!.digest)).exit).toBe(1);
  expect((await target.hone(...approve, `sha256:${'0'.repeat(64)}`)).exit).toBe(2);
  expect((await target.hone(...approve, asked!.digest.slice(0, 19))).exit).toBe(0);

  expect(
    (await target.hone('task', 'back', id, '--to', 'strategize', '--reason', 'wrong')).exit,
  ).toBe(0);
  const shown = contracts.taskShowJson.parse(
    (await target.hone('task', 'show', id, '--json')).json(),
  );
  expect(shown).toMatchObject({
    phase: 'strategize',
    round: 1,
    sessions: ['s1'],
    mayCall: { risk: 'read_only', personaTools: null },
    missing: [{ code: 'stale_evidence' }],
  });
  expect((await target.hone('checkpoint', 'validate', id)).exit).toBe(1);
  expect((await target.hone('evidence', 'run', id, '--kind', 'tests')).exit).toBe(2);
  expect((await target.hone('task', 'list')).out).toContain('Mend retry');

  const entries = contracts.ledgerShowJson.parse(
    (await target.hone('ledger', 'show', '--subject', `task:${id}`, '--json')).json(),
  ).entries;
  const types = entries.map(({ type }) => type.replace(/^process\./, ''));
  expect(types).toEqual([
    ...[
      'task_started',
      'prompt.attested',
      'session_bound',
      'refused',
      'evidence.added',
      'evidence.added',
    ],
    ...[
      'advanced',
      'prompt.attested',
      ...['claim.checked', 'claim.checked', 'claim.checked', 'claim.checked'],
      'escalated',
      'refused',
      'released',
      'backtracked',
    ],
  ]);
  const runs = entries.flatMap(({ type, data, artifacts }) =>
    type === 'claim.checked' ? [{ ...data, artifacts }] : [],
  );
  expect(runs.map((one) => ('agent' in one ? one.agent : undefined))).toEqual([
    ...['reviewer', 'reviewer', null, null],
  ]);
  const kept = `sha256:${createHash('sha256').update(JSON.stringify(right)).digest('hex')}`;
  expect(runs[1]).toMatchObject({ resultDigest: kept, artifacts: expect.arrayContaining([kept]) });
  const counted = (await target.hone('events', 'list', '--json', '--limit', '100')).out;
  for (const word of [
    'phase_skips_attempted',
    'evidence_gate_failed',
    'phase_backtracks',
    'process.violation',
  ])
    expect(counted).toContain(word);
});
