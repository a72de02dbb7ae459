/** What is published works where it is installed, with plain Node and nothing else. */
import { spawnSync } from 'node:child_process';
import { globSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, makeInstallation } from './cli.ts';
import { type PackedHone, packHone } from './packed.ts';

let packed: PackedHone;
let here: Installation;
beforeAll(() => {
  packed = packHone();
  here = makeInstallation({ bin: [process.execPath, packed.bin] });
}, 120_000);
afterAll(() => {
  here[Symbol.dispose]();
  packed[Symbol.dispose]();
});

test('hone --version', async () => {
  expect(await here.hone('--version')).toMatchObject({ exit: 0, out: '0.2.0\n', err: '' });
});

test('hone init, status, and a verified ledger', async () => {
  expect((await here.hone('init')).out).toContain('Hone is set up');
  expect((await here.hone('status')).out).toMatch(/Configuration +accepted/);
  expect((await here.hone('token', 'list')).out).toContain('operator');
  expect((await here.hone('ledger', 'verify')).out).toContain('Verified 3 entries.');
  // The engine of the policies is there, with its wasm.
  const resumed = await here.hone('resume', '--reason', 'r');
  expect(resumed.err).toContain('Only an operator may do this');
});

test('so many events that they are written in a thread', async () => {
  const lines = Array.from({ length: 1500 }, (_, at) =>
    JSON.stringify({
      timestamp: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
      session_id: `s-${at % 90}`,
      event_type: 'tool_call',
      agent: `agent-${at % 7}`,
      tool: 'search',
      success: true,
      latency_ms: at,
    }),
  );
  writeFileSync(join(here.repository, 'events.jsonl'), `${lines.join('\n')}\n`);
  expect(await here.hone('ingest', 'events.jsonl')).toMatchObject({
    exit: 0,
    out: expect.stringContaining('Read 1500 new events'),
  });
});

test('a hook refuses and records without the file of the schemas', async () => {
  await here.hone('init');
  await here.hone('switch', 'set', 'hooks', 'enforce', '--reason', 'r');
  const [schemas] = globSync(join(dirname(realpathSync(packed.bin)), 'chunks/ask-*.js'));
  const event = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash' };
  const input = JSON.stringify({ ...event, tool_input: { command: 'rm -rf /' } });
  renameSync(schemas!, `${schemas}.away`);
  const { status, stderr } = spawnSync(process.execPath, [packed.bin, 'hook', 'claude-code'], {
    ...{ cwd: here.repository, env: here.environment, input, encoding: 'utf8' },
  });
  renameSync(`${schemas}.away`, schemas!);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('destroys') });
  expect((await here.hone('ledger', 'show')).out).toContain('gateway.refused');
  expect((await here.hone('ledger', 'verify')).exit).toBe(0);
});
