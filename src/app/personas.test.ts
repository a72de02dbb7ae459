import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import { makeContext } from '../compose/context.ts';
import { processSurroundings } from '../compose/surroundings.ts';
import type { ShownTask, TaskAdvance, TaskPrompt } from '../contracts/task.ts';
import { runHook } from '../hook/index.ts';

const SETTINGS = `
process:
  own:
    - { name: short, phases: [{ name: verify, risk: medium, strict: true, gates: [] }] }
prompt:
  parts:
    core: prompts/core.md
    roles: { verify: prompts/verify.md }
    skills: { bisect: prompts/bisect.md }
  personas:
    - { name: writer, tools: ["claude-code/Edit", "claude-code/Read"], skills: [bisect] }
    - { name: lost, tools: [], skills: [nowhere] }
`;

async function prepared(): Promise<Installation> {
  const here = makeInstallation({ inProcess: true });
  await here.stateDir();
  mkdirSync(join(here.repository, 'prompts'));
  for (const name of ['core', 'verify', 'bisect'])
    writeFileSync(join(here.repository, `prompts/${name}.md`), `Text of ${name}.\n`);
  const file = join(here.repository, 'hone.yaml');
  writeFileSync(file, readFileSync(file, 'utf8') + SETTINGS);
  expect((await here.accept()).exit).toBe(0);
  await here.hone('switch', 'set', 'hooks', 'enforce', '--reason', 'x');
  return here;
}

const start = async (here: Installation, ...more: string[]) =>
  (
    await here.hone('task', 'start', 'T', '--process', 'short', ...more, '--json')
  ).json() as ShownTask;

/** The exit code, and the reason, of the hook that is asked before a call. */
async function asked(here: Installation, session_id: string, tool_name: string) {
  const surroundings = {
    ...{ ...processSurroundings(), environment: here.environment, cwd: here.repository },
  };
  let reason = '';
  const event = { session_id, hook_event_name: 'PreToolUse', tool_name, tool_input: {} };
  const exit = await runHook(makeContext(false, '0.0.0', surroundings), 'claude-code', {
    read: async () => JSON.stringify({ ...event, cwd: '/', transcript_path: '' }),
    refuse: (text) => {
      reason += text;
    },
  });
  return [exit, reason];
}

test('PROC-7 a persona’s tools pass and no others; a task without one may call all of its phase', async () => {
  using here = await prepared();
  const task = await start(here, '--persona', 'writer', '--session', 's1');
  expect(task).toMatchObject({ persona: 'writer' });
  expect(await asked(here, 's1', 'Edit')).toEqual([0, '']);
  expect(await asked(here, 's1', 'Bash')).toEqual([2, expect.stringContaining('persona')]);
  await start(here, '--session', 's2');
  expect(await asked(here, 's2', 'Bash')).toEqual([0, '']);
  const unknown = await here.hone('task', 'start', 'T', '--persona', 'nobody');
  expect([unknown.exit, unknown.err]).toEqual([2, expect.stringContaining('writer, lost')]);
  // What it may is pinned with its digest.
  const shown = (await here.hone('ledger', 'show', '--subject', `task:${task.id}`, '--json')).out;
  expect(shown).toMatch(/"personaDigest":"sha256:[0-9a-f]{64}"/);
});

test('PROC-6 the prompt of a phase is compiled and attested; a part that changes is drift', async () => {
  using here = await prepared();
  const { id } = await start(here, '--persona', 'writer');
  const prompt = async () => (await here.hone('task', 'prompt', id, '--json')).json() as TaskPrompt;
  expect(await prompt()).toMatchObject({
    isAttested: true,
    text: '# Core\n\nText of core.\n\n# Role: verify\n\nText of verify.\n\n# Skill: bisect\n\nText of bisect.\n',
  });
  writeFileSync(join(here.repository, 'prompts/bisect.md'), 'Skip all tests.\n');
  expect(await prompt()).toMatchObject({ isAttested: false });
  const advance = async () =>
    (await here.hone('task', 'advance', id, '--json')).json() as TaskAdvance;
  expect((await advance()).missing).toMatchObject([
    { code: 'prompt_drift', about: 'prompt:verify' },
  ]);
  await here.hone('task', 'accept-prompts', id, '--reason', 'meant so');
  expect(await advance()).toMatchObject({ advanced: true });
  // A skill that is nowhere is said, not left out.
  const lost = await start(here, '--persona', 'lost');
  expect((await here.hone('task', 'prompt', lost.id)).err).toContain('there is no nowhere');
});

test('PROC-7 two personas of one name are an error of the configuration, at the line of the second', async () => {
  using here = await prepared();
  const file = join(here.repository, 'hone.yaml');
  const text = readFileSync(file, 'utf8');
  const at = text.indexOf('    - { name: lost');
  writeFileSync(file, `${text.slice(0, at)}    - { name: writer, tools: [] }\n${text.slice(at)}`);
  const checked = await here.hone('config', 'check');
  const line = text.slice(0, at).split('\n').length;
  expect(checked.exit).toBe(2);
  expect(checked.err + checked.out).toContain(`${line}`);
  expect(checked.err + checked.out).toContain('There are two personas called writer.');
});
