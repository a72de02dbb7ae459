import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { channelContract, effectOf, NOTICE, portsOf } from '../channel-contract.test-support.ts';
import type { ChannelPorts } from '../types.ts';
import { commands } from './command.ts';

type Run = NonNullable<ChannelPorts['run']>;

const SETTING = [{ name: 'page', run: ['/usr/bin/env', 'tell'] }];

channelContract('command', async () => {
  const got: string[] = [];
  let how: Awaited<ReturnType<Run>> = { how: 'done', code: 0 };
  return {
    channel: commands,
    setting: SETTING,
    off: [],
    received: () => got.join(''),
    fail: async () => {
      how = { how: 'failed', code: 3 };
    },
    ports: {
      run: async (_, { variables }) => {
        const { HONE_NOTICE_SEVERITY: severity, HONE_NOTICE_TITLE: title } = variables;
        got.push(`${severity} ${title}\n${variables['HONE_NOTICE_TEXT']}`);
        return how;
      },
    },
  };
});

test.each([
  [{ how: 'failed', code: 3 }, 'the command ended with 3', undefined],
  [{ how: 'timeout', code: null }, 'the command took too long', undefined],
  [{ how: 'not_started', code: null }, 'the command cannot be started', true],
] as const)('%o is told', async (answer, error, notDone) => {
  const { ports } = portsOf({ run: async () => answer });
  const [to] = commands.open(SETTING, ports);
  const sent = await to!.send(effectOf(NOTICE), new AbortController().signal);
  expect(sent).toMatchObject({ outcome: 'failed', error });
  expect((sent as { notDone?: boolean }).notDone).toBe(notDone);
});

test('a real command gets the notice, in words that no shell reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hone-command-'));
  const file = join(folder, 'told');
  const { deployRunner } = await import('../../compose/deploy-runner.ts');
  const { systemClock } = await import('../../base/index.ts');
  const runner = deployRunner({ environment: process.env, clock: systemClock });
  const script = `printf '%s|%s' "$HONE_NOTICE_KEY" "$HONE_NOTICE_TITLE" > "$1"`;
  const run: Run = (words, given, signal) =>
    runner(signal).run(words, { ...given, timeoutMs: 10_000 });
  const setting = [{ name: 'page', run: ['/bin/sh', '-c', script, 'sh', file] }];
  const [to] = commands.open(setting, portsOf({ run }).ports);
  const notice = { ...NOTICE, title: '$(touch x); `id`' };
  const sent = await to!.send(effectOf(notice, 'notice/1'), new AbortController().signal);
  expect(sent).toEqual({ outcome: 'delivered' });
  expect(await readFile(file, 'utf8')).toBe('notice/1|$(touch x); `id`');
  await rm(folder, { recursive: true });
});

test('where no commands are run it is left out, and said', () => {
  const { ports, warned } = portsOf();
  expect(commands.open(SETTING, ports)).toEqual([]);
  expect(warned).toEqual(['no commands are run here']);
});
