import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import type { HooksProbed } from '../contracts/hooks.ts';
import type { Status } from '../contracts/status.ts';
import { PROBE_SESSION } from './judge-hook.ts';

/** A hook as Hone's: it refuses what destroys. */
const REFUSES = `case "$(cat)" in *'rm -rf'*|*'push --force'*) echo 'Refused by Hone: it destroys.' >&2; exit 2;; esac`;

/** A client as the documentation describes it, with a model that it asks twice; `honours`: a refusal of its hook. */
const client = (honours: boolean) => `#!${process.execPath}
const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const ask = (messages) => fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
  method: 'POST', body: JSON.stringify({ tools: [{ name: 'Bash' }], messages }),
}).then((answer) => answer.json());
ask([{ role: 'user', content: 'go' }]).then(async ({ content: [{ name, input }] }) => {
  const { hooks } = JSON.parse(readFileSync('.claude/settings.json', 'utf8'));
  const event = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: name, tool_input: input };
  const hook = spawnSync('/bin/sh', ['-c', hooks.PreToolUse[0].hooks[0].command], { input: JSON.stringify(event), encoding: 'utf8' });
  const refused = ${honours} && hook.status === 2;
  if (!refused) spawnSync('/bin/sh', ['-c', input.command]);
  const result = { type: 'tool_result', is_error: refused, content: refused ? hook.stderr : 'ok' };
  await ask([{ role: 'user', content: [result] }]);
});
`;

/** Codex as it was seen to work (0.169.0): it asks the hook, or runs the call where nobody is asked. */
const codex = (honours: boolean) => `#!${process.execPath}
const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const url = /base_url="([^"]*)"/.exec(process.argv.join(' '))[1];
const ask = async (input) => {
  const body = JSON.stringify({ stream: true, tools: [{ name: 'exec_command' }], input });
  const events = await (await fetch(url + '/responses', { method: 'POST', body })).text();
  return JSON.parse(/event: response.output_item.done\\ndata: (.*)/.exec(events)[1]).item;
};
ask([]).then(async ({ call_id, arguments: given }) => {
  const { hooks } = JSON.parse(readFileSync('.codex/hooks.json', 'utf8'));
  const command = JSON.parse(given).cmd;
  const event = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } };
  const hook = spawnSync('/bin/sh', ['-c', hooks.PreToolUse[0].hooks[0].command], { input: JSON.stringify(event), encoding: 'utf8' });
  const refused = ${honours} && hook.status === 2;
  if (!refused) spawnSync('/bin/sh', ['-c', command]);
  const output = refused ? 'Command blocked by PreToolUse hook: ' + hook.stderr : 'ok';
  await ask([{ type: 'function_call_output', call_id, output }]);
});
`;

async function installed(hook = REFUSES, more: object = {}): Promise<Installation> {
  const here = makeInstallation({ inProcess: true });
  await here.stateDir();
  await here.hone('switch', 'set', 'hooks', 'enforce', '--reason', 'x');
  await here.hone('hooks', 'install', 'claude-code', '--write');
  const script = join(here.stateHome, 'hone.sh');
  writeFileSync(script, hook);
  settings(here, (handler) => ({
    ...handler,
    command: `/bin/sh ${script} hook claude-code`,
    ...more,
  }));
  return here;
}

const fileOf = ({ repository }: Installation) => join(repository, '.claude/settings.json');

function settings(here: Installation, change: (handler: object) => object): void {
  const all = JSON.parse(readFileSync(fileOf(here), 'utf8')) as {
    hooks: Record<string, { hooks: object[] }[]>;
  };
  for (const matchers of Object.values(all.hooks))
    for (const matcher of matchers) matcher.hooks = matcher.hooks.map(change);
  writeFileSync(fileOf(here), JSON.stringify(all));
}

function withClient(here: Installation, script: string, name = 'claude'): void {
  const folder = join(here.stateHome, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, name), script);
  chmodSync(join(folder, name), 0o755);
  here.environment['PATH'] = `${folder}:${here.environment['PATH']}`;
}

const probe = async (here: Installation) => {
  const ran = await here.hone('hooks', 'probe', '--json');
  return { ...(ran.json() as HooksProbed).probes[0]!, exit: ran.exit };
};
const standing = async (here: Installation) =>
  ((await here.hone('status', '--json')).json() as Status).hooks[0];

describe('hone hooks probe', () => {
  test.each([
    ['a client that honours its hook', true, 'proven', 'honours it'],
    ['a client that ignores it', false, 'not proven', 'made a call that its hook refused'],
  ])('%s', async (_, honours, verdict, why) => {
    using here = await installed();
    withClient(here, client(honours));
    expect(await standing(here)).toMatchObject({ verdict: 'not proven', probedAt: null });
    expect(await probe(here)).toMatchObject({ verdict, why: expect.stringContaining(why) });
    expect(await standing(here)).toMatchObject({ verdict, why: expect.stringContaining(why) });
    const text = (await here.hone('status')).out;
    expect(text).toMatch(new RegExp(`Hooks +claude-code ${verdict} \\(tried`));
  });

  test.each([
    ['is tried and honours its hook', codex(true), 'The client itself was tried, and honours it.'],
    ['is tried and ignores it', codex(false), 'made a call that its hook refused'],
    ['ends at once', `#!/bin/sh\nexit 3\n`, 'did not come as far as the call (it ended with 3)'],
  ])('Codex %s: never proven, because nobody may have trusted the hook', async (_, script, why) => {
    using here = makeInstallation({ inProcess: true });
    await here.stateDir();
    await here.hone('switch', 'set', 'hooks', 'enforce', '--reason', 'x');
    await here.hone('hooks', 'install', 'codex', '--write');
    const hook = join(here.stateHome, 'hone.sh');
    // It tells what it was asked, and where.
    writeFileSync(hook, `tee ${hook}.asked | { pwd > ${hook}.at; ${REFUSES}; }`);
    const file = join(here.repository, '.codex/hooks.json');
    const all = readFileSync(file, 'utf8').replaceAll(
      /"command": ".*"/g,
      `"command": "/bin/sh ${hook} hook codex"`,
    );
    writeFileSync(file, all);
    withClient(here, script, 'codex');
    const { probes } = (await here.hone('hooks', 'probe', '--json')).json() as HooksProbed;
    expect(probes[1]).toMatchObject({
      ...{ client: 'codex', verdict: 'not proven', why: expect.stringContaining(why) },
    });
    expect(probes[1]!.why).toContain('only after somebody trusted it');
    expect(readFileSync(`${hook}.at`, 'utf8').trim()).toBe(here.repository);
    expect(readFileSync(`${hook}.asked`, 'utf8')).toContain(PROBE_SESSION);
  });

  test('is not proven without the client, and says so', async () => {
    using here = await installed();
    here.environment['PATH'] = '/usr/bin:/bin';
    expect(await probe(here)).toMatchObject({
      exit: 1,
      verdict: 'not proven',
      why: 'The command denies. claude is not installed here, so that was not tried.',
    });
  });

  test.each([
    ['a hook that crashes', 'exit 1', {}, 'must be denied was not: the command ended with 1'],
    ['a hook that refuses all', 'echo no >&2; exit 2', {}, 'must pass did not'],
    ['a failure that passes', REFUSES, { onFailure: 'allow' }, 'lets a call pass'],
  ])('%s is not proven', async (_, hook, more, why) => {
    using here = await installed(hook, more);
    expect(await probe(here)).toMatchObject({
      verdict: 'not proven',
      why: expect.stringContaining(why),
    });
  });
});

/** One phase, and it is strict. */
const STRICT = `
process:
  own:
    - { name: short, phases: [{ name: verify, risk: low, strict: true, gates: [] }] }
`;

async function withTask(here: Installation): Promise<() => Promise<unknown>> {
  const file = join(here.repository, 'hone.yaml');
  writeFileSync(file, readFileSync(file, 'utf8') + STRICT);
  await here.accept();
  return async () => {
    const started = await here.hone('task', 'start', 'T', '--process', 'short', '--json');
    const { id } = started.json() as { id: string };
    const ran = await here.hone('task', 'advance', id, '--json');
    const { advanced, missing } = ran.json() as { advanced: boolean; missing: { code: string }[] };
    return advanced ? 'passes' : missing.map(({ code }) => code).join(' ');
  };
}

describe('hooks that are taken away', () => {
  test('without an operator’s token: tasks stop at verify until they are back', async () => {
    using here = await installed();
    const verify = await withTask(here);
    expect(await verify()).toBe('passes');
    await here.hone('hooks', 'off', '--reason', 'they are in my way');
    expect(await verify()).toBe('hooks_off');
    expect((await here.hone('outbox', 'list', '--json')).out).toContain('hooks/off');
    expect((await here.hone('status')).out).toContain('TAKEN AWAY');
    expect((await here.hone('doctor')).exit).toBe(1);
    await here.hone('hooks', 'install', 'claude-code', '--write');
    expect(await verify()).toBe('passes');
    // An operator may.
    await here.honeAsOperator('hooks', 'off', '--reason', 'enough');
    expect([await verify(), await standing(here)]).toEqual(['passes', undefined]);
  });

  test.each([
    ['the settings file is edited', (here: Installation) => writeFileSync(fileOf(here), '{}')],
    [
      'the command only looks like Hone’s',
      (here: Installation) =>
        settings(here, (handler) => ({ ...handler, command: 'true # hook claude-code' })),
    ],
    [
      'the settings load other code into hooks',
      (here: Installation) => {
        const text = readFileSync(fileOf(here), 'utf8').replace(
          '{',
          '{"env":{"NODE_OPTIONS":"--require ./x.cjs"},',
        );
        writeFileSync(fileOf(here), text);
      },
    ],
    [
      'all hooks are switched off beside it',
      (here: Installation) =>
        writeFileSync(
          join(here.repository, '.claude/settings.local.json'),
          '{"disableAllHooks":true}',
        ),
    ],
  ])(
    '%s: found at the next step, told once by the probe, settled by an operator',
    async (_, act) => {
      using here = await installed();
      const verify = await withTask(here);
      act(here);
      expect(await verify()).toBe('hooks_off');
      for (const _ of [1, 2]) expect(await probe(here)).toMatchObject({ verdict: 'taken away' });
      const told = (await here.hone('outbox', 'list', '--json')).out;
      expect(told.match(/"key":"[^"]*hooks\/gone/g)).toHaveLength(1);
      const settled = await here.honeAsOperator('hooks', 'off', '--reason', 'on purpose', '--json');
      expect(settled.json()).toMatchObject({ recorded: true });
      expect(await verify()).toBe('passes');
      const rebuilt = (await here.hone('ledger', 'rebuild', '--json')).out;
      expect(rebuilt).not.toMatch(/"(?:altered|extra|missing)":[1-9]/);
    },
  );
});
