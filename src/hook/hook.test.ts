import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import { makeContext } from '../compose/context.ts';
import { processSurroundings } from '../compose/surroundings.ts';
import { runHook } from './index.ts';

const event = (hook_event_name: string, more: object = {}) =>
  JSON.stringify({
    session_id: 's1',
    transcript_path: '/none',
    cwd: '/',
    hook_event_name,
    ...more,
  });
const asking = (tool_name: string, tool_input: object, tool_use_id = 't1') =>
  event('PreToolUse', { tool_name, tool_input, tool_use_id });

/** As the client's process gets it. */
async function hook(here: Installation, client: string | undefined, input: string) {
  const surroundings = {
    ...processSurroundings(),
    environment: here.environment,
    cwd: here.repository,
  };
  let reason = '';
  const exit = await runHook(makeContext(false, '0.0.0', surroundings), client, {
    read: async () => input,
    refuse: (text) => {
      reason += text;
    },
  });
  return { exit, reason };
}

const enforced = async () => {
  const here = makeInstallation({ inProcess: true });
  await here.stateDir();
  await here.hone('switch', 'set', 'hooks', 'enforce', '--reason', 'x');
  return here;
};

describe('hone hook', () => {
  test.each(['claude-code', 'codex'])(
    '%s: silence lets pass, exit code 2 with a reason refuses',
    async (client) => {
      using here = await enforced();
      const read =
        client === 'codex'
          ? ['mcp__files__resources.read', { uri: 'x' }]
          : ['Read', { file_path: 'a' }];
      expect(await hook(here, client, asking(read[0] as string, read[1] as object))).toEqual({
        exit: 0,
        reason: '',
      });
      const refused = await hook(here, client, asking('Bash', { command: 'rm -rf /' }, 't2'));
      expect([refused.exit, refused.reason]).toEqual([2, expect.stringContaining('destroys')]);
      // Without a task only read-only tools pass.
      expect((await hook(here, client, asking('Bash', { command: 'ls' }, 't3'))).exit).toBe(2);
      const ledger = await here.hone('ledger', 'show', '--subject', 'session:s1', '--json');
      expect(ledger.out.match(/gateway\.refused/g)).toHaveLength(2);
    },
  );

  test('observes until it is switched, and says what it would have done', async () => {
    using here = makeInstallation({ inProcess: true });
    await here.stateDir();
    expect((await hook(here, 'claude-code', asking('Bash', { command: 'rm -rf /' }))).exit).toBe(0);
    expect((await here.hone('ledger', 'show', '--json')).out).toContain('gateway.let_pass');
  });

  test('no input, no client, something else, no installation: refused', async () => {
    using here = await enforced();
    for (const input of [
      '',
      'x',
      '[]',
      '{}',
      event('PreToolUse'),
      '{"hook_event_name":"PreToolUse"}',
    ])
      expect((await hook(here, 'claude-code', input)).exit).toBe(2);
    expect((await hook(here, 'someone', asking('Read', {}))).exit).toBe(2);
    expect((await hook(here, 'claude-code', event('SessionStart'))).exit).toBe(0);
    using bare = makeInstallation({ inProcess: true });
    const refused = await hook(bare, 'claude-code', asking('Read', { file_path: 'a' }));
    expect([refused.exit, refused.reason]).toEqual([2, expect.stringContaining('not set up')]);
  });

  test('a secret in an output, then a tool that sends', async () => {
    using here = await enforced();
    await hook(here, 'claude-code', asking('Read', { file_path: 'notes' }));
    const key = [
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ',
      '-----END OPENSSH PRIVATE KEY-----',
    ].join('\n');
    const after = event('PostToolUse', {
      tool_name: 'Read',
      tool_input: {},
      tool_use_id: 't1',
      tool_response: { text: key },
    });
    expect((await hook(here, 'claude-code', after)).exit).toBe(0);
    const sent = await hook(
      here,
      'claude-code',
      asking('mcp__mail__resources.read', { uri: 'x' }, 't9'),
    );
    expect([sent.exit, sent.reason]).toEqual([
      2,
      expect.stringContaining('something secret was read'),
    ]);
  });

  test('a call that came without a decision is found by the next event, and in the transcript', async () => {
    using here = await enforced();
    await hook(here, 'claude-code', asking('Read', { file_path: 'a' }, 'asked'));
    await hook(here, 'claude-code', asking('Bash', { command: 'rm -rf /' }, 'defied'));
    const made = (id: string) =>
      event('PostToolUse', {
        tool_name: 'Bash',
        tool_input: {},
        tool_use_id: id,
        tool_response: 'ok',
      });
    await hook(here, 'claude-code', made('asked'));
    const count = async () =>
      ((await here.hone('ledger', 'show', '--json')).out.match(/gateway\.undecided/g) ?? []).length;
    expect(await count()).toBe(0);
    await hook(here, 'claude-code', made('never-asked'));
    expect(await count()).toBe(1);
    const transcript = join(here.stateHome, 'transcript.jsonl');
    const block = (content: object) => `${JSON.stringify({ message: { content: [content] } })}\n`;
    writeFileSync(
      transcript,
      ['asked', 'never-asked', 'unseen', 'refused', 'defied']
        .map(
          (id) =>
            block({ type: 'tool_use', id, name: 'Bash' }) +
            block({ type: 'tool_result', tool_use_id: id, is_error: id === 'refused' }),
        )
        .join(''),
    );
    await hook(here, 'claude-code', event('Stop', { transcript_path: transcript }));
    const last = (await here.hone('ledger', 'show', '--subject', 'session:s1', '--json')).out;
    expect(await count()).toBe(2);
    expect(last).toContain('claude-code/Bash');
    // The one that no hook was asked about, and the one that was made although it was refused.
    expect(last).toContain('"calls":2');
  });
});

test('GATE-4 a hook into which other code was loaded refuses, and records why', async () => {
  using here = await enforced();
  here.environment['NODE_OPTIONS'] = '--require ./x.cjs';
  const { exit, reason } = await hook(here, 'claude-code', asking('Read', { file_path: 'a' }));
  expect([exit, reason]).toEqual([2, expect.stringContaining('NODE_OPTIONS loads other code')]);
  const shown = await here.hone('ledger', 'show', '--subject', 'session:s1', '--json');
  expect(shown.out).toContain('"foreign_code"');
});

describe('hone hook, as a process of its own', () => {
  const MAIN = new URL('../main.ts', import.meta.url).pathname;
  const started = (here: Installation, stdin: number | string) =>
    spawnSync(process.execPath, [MAIN, 'hook', 'claude-code'], {
      cwd: here.repository,
      env: here.environment,
      encoding: 'utf8',
      ...(typeof stdin === 'string' ? { input: stdin } : { stdio: [stdin, 'pipe', 'pipe'] }),
    });

  test('GATE-4 ends with its answer, and its refusal is in the ledger all the same', async () => {
    using here = await enforced();
    const passed = started(here, asking('Read', { file_path: 'a' }));
    expect([passed.status, passed.stdout, passed.stderr]).toEqual([0, '', '']);
    const refused = started(here, asking('Bash', { command: 'rm -rf /' }, 't2'));
    expect([refused.status, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('destroys');
    const shown = await here.hone('ledger', 'show', '--subject', 'session:s1');
    expect(shown.out).toContain('gateway.refused');
    expect((await here.hone('ledger', 'verify')).exit).toBe(0);
  });

  test('GATE-4 refuses where it is given no standard input', async () => {
    using here = await enforced();
    const nothing = openSync('/dev/null', 'r');
    try {
      for (const stdin of [nothing, '', '{"half', 'null'] as const) {
        const { status, stderr } = started(here, stdin);
        expect([status, stderr]).toEqual([2, expect.stringContaining('no event')]);
      }
    } finally {
      closeSync(nothing);
    }
  });
});
