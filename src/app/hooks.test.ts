import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeInstallation } from '../../test/cli.ts';

test('hooks are shown before they are written, keep what is there, and go without a trace', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  const file = join(here.repository, '.claude/settings.json');
  mkdirSync(join(here.repository, '.claude'));
  const own = {
    model: 'x',
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] }] },
  };
  const text = `${JSON.stringify(own, null, 2)}\n`;
  writeFileSync(file, text);
  const shown = await here.hone('hooks', 'install', 'claude-code');
  expect([shown.exit, readFileSync(file, 'utf8')]).toEqual([0, text]);
  expect(shown.out).toContain('hook claude-code');
  await here.hone('hooks', 'install', 'claude-code', '--write');
  await here.hone('hooks', 'install', 'claude-code', '--write');
  const installed = JSON.parse(readFileSync(file, 'utf8'));
  expect(installed.hooks.PreToolUse).toHaveLength(2);
  expect(installed.hooks.PreToolUse[0]).toEqual(own.hooks.PreToolUse[0]);
  expect(installed.hooks.PreToolUse[1].hooks[0].onFailure).toBe('block');
  const off = await here.hone('hooks', 'off', '--reason', 'enough', '--json');
  expect(off.json()).toEqual({ files: [file], recorded: true });
  expect(readFileSync(file, 'utf8')).toBe(text);
  const ledger = (await here.hone('ledger', 'show', '--subject', 'hooks:claude-code', '--json'))
    .out;
  expect(ledger).toMatch(/hooks_installed.*hooks_removed/s);
  // Without an operator's token everybody is told.
  expect((await here.hone('outbox', 'list', '--json')).out).toContain('hooks/off');
});

test('a settings file that is not plain JSON is left alone', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  mkdirSync(join(here.repository, '.claude'));
  writeFileSync(join(here.repository, '.claude/settings.json'), '{ // mine\n}');
  const refused = await here.hone('hooks', 'install', 'claude-code', '--write');
  expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining('not plain JSON')]);
});

test('GATE-4 Codex asks only hooks that somebody trusted, and the install says so', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  await here.hone('switch', 'set', 'hooks', 'enforce', '--reason', 'x');
  const installed = await here.hone('hooks', 'install', 'codex', '--write');
  expect(installed.out.replaceAll(/\s+/g, ' ')).toContain('after you reviewed and trusted it');
});

test('GATE-4 the installed command judges whatever the environment says', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  await here.hone('switch', 'set', 'hooks', 'enforce', '--reason', 'x');
  await here.hone('hooks', 'install', 'claude-code', '--write');
  const file = join(here.repository, '.claude/settings.json');
  const { hooks } = JSON.parse(readFileSync(file, 'utf8'));
  const command = (hooks.PreToolUse[0].hooks[0].command as string).replace(
    process.argv[1]!,
    new URL('../main.ts', import.meta.url).pathname,
  );
  // Another installation for the same repository, whose hooks are off.
  const elsewhere = join(here.stateHome, 'elsewhere');
  const more = { XDG_STATE_HOME: elsewhere };
  const token = /hone_\w+/.exec((await here.process(more, 'init')).out)?.[0] ?? '';
  const off = ['switch', 'set', 'hooks', 'off', '--reason', 'x'];
  expect((await here.process({ ...more, HONE_TOKEN: token }, ...off)).exit).toBe(0);
  const exits = join(here.stateHome, 'exits.cjs');
  writeFileSync(exits, 'process.exit(0);');
  const input = JSON.stringify({
    ...{ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't' },
    tool_input: { command: 'rm -rf /' },
  });
  for (const tricks of [
    { NODE_OPTIONS: `--require ${exits}` },
    { XDG_STATE_HOME: elsewhere, HOME: elsewhere },
    { PATH: '/nowhere', NODE_PATH: here.stateHome, LD_PRELOAD: '/nowhere.so' },
  ]) {
    const ran = spawnSync('/bin/sh', ['-c', command], {
      ...{ cwd: here.repository, input, encoding: 'utf8' },
      env: { ...here.environment, ...tricks },
    });
    expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining('destroys')]);
  }
});
