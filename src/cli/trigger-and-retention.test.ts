/** Asking for a cycle, and what became of old telemetry. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { agentFile, calls, makeTarget, SETTINGS } from './target.test-support.ts';

const FILES = { 'agents/researcher.yaml': agentFile('researcher', 'web_search') };

test('OBS-8 a person asks for a cycle; it waits where people see it, and a cycle takes it', async () => {
  using target = await makeTarget(FILES);
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  await target.installation.stateDir();
  expect((await target.hone('trigger', 'list')).out).toBe('Nothing asks for a cycle.\n');
  const key = `sk-ant-api03-${randomBytes(24).toString('hex')}`;
  const asked = await target.hone('trigger', 'request', '--reason', `the search is slow ${key}`);
  expect(asked.exit).toBe(0);
  const listed = contracts.triggerListJson.parse(
    (await target.hone('trigger', 'list', '--json')).json(),
  );
  expect(listed.triggers).toMatchObject([{ kind: 'human', urgency: 'high', cycle: null }]);
  expect(listed.triggers[0]!.detail).toContain('the search is slow');
  expect(listed.triggers[0]!.detail).not.toContain(key);
  expect((await target.hone('status')).out).toContain('1 waiting for a cycle');
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  expect((await target.hone('cycle')).out.replaceAll('\n', ' ')).toContain('Somebody asked for it');
  expect((await target.hone('trigger', 'list')).out).toMatch(/taken by\s+c_/);
  expect((await target.hone('status')).out).not.toContain('waiting for a cycle');
});

test('STORE-4 a dry run says what would go; then it goes, and counts stay', async () => {
  using target = await makeTarget(FILES);
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  await target.installation.stateDir();
  const old = { event_type: 'tool_call', agent: 'a', tool: 't', success: true, session_id: 's' };
  target.append(
    [40, 35, 1]
      .map((days) => new Date(Date.now() - days * 86_400_000).toISOString())
      .map((timestamp) => `${JSON.stringify({ ...old, timestamp })}\n`)
      .join(''),
  );
  await target.hone('cycle');
  const dry = await target.hone('retention', 'show');
  expect(dry.out).toContain('kept for 30d; 2 would go');
  expect(dry.out).toContain('Nothing was deleted.');
  const read = async (...args: string[]) =>
    contracts.retentionJson.parse((await target.hone('retention', ...args, '--json')).json());
  expect(await read('run')).toMatchObject({ deleted: true, events: 2, counts: 0, named: null });
  expect(await read('show')).toMatchObject({ deleted: false, events: 0, keep: { counts: '90d' } });
  expect((await target.hone('status')).out).toContain('events kept for 30 days');
});
