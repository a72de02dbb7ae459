import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import type { HooksProbed } from '../contracts/hooks.ts';
import type { Status } from '../contracts/status.ts';

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

function withClient(here: Installation, honours: boolean): void {
  const folder = join(here.stateHome, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'claude'), client(honours));
  chmodSync(join(folder, 'claude'), 0o755);
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
    withClient(here, honours);
    expect(await standing(here)).toMatchObject({ verdict: 'not proven', probedAt: null });
    expect(await probe(here)).toMatchObject({ verdict, why: expect.stringContaining(why) });
    expect(await standing(here)).toMatchObject({ verdict, why: expect.stringContaining(why) });
    const text = (await here.hone('status')).out;
    expect(text).toMatch(new RegExp(`Hooks +claude-code ${verdict} \\(tried`));
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
