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
