import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { agentFile, calls, makeTarget, SETTINGS } from './target.test-support.ts';

/** What a person is shown of the one proposal that a cycle makes. */
async function shownFor(file: string, tool: string): Promise<string> {
  using target = await makeTarget({ 'agents/researcher.yaml': file });
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  target.append(calls({ agent: 'researcher', tool, untilMs: Date.now() }));
  await target.installation.stateDir();
  expect((await target.hone('cycle', '--json')).exit).toBe(0);
  const list = contracts.proposalsListJson.parse(
    (await target.hone('proposals', 'list', '--json')).json(),
  );
  expect(list.proposals).toHaveLength(1);
  return (await target.hone('proposals', 'show', list.proposals[0]!.id)).out;
}

test('a timeout of every tool is shown as one, with the risk of one', async () => {
  const shown = await shownFor(
    'name: researcher\ntimeout_ms: 800\ntools:\n  slow_tool: { retries: 2 }\n  fetch: { retries: 1 }\n',
    'slow_tool',
  );
  expect(shown).toMatch(/Raise timeout_ms of every tool of researcher from 800 to \d+/);
  expect(shown.replace(/\s+/g, ' ')).toContain(
    'it applies to every tool of researcher that has no value of its own, such as slow_tool, fetch.',
  );
  expect(shown).toContain('risk medium');
});

test('the timeout of a tool whose name has the word tool is tuned like any other', async () => {
  const shown = await shownFor(agentFile('researcher', 'weather_tool'), 'weather_tool');
  expect(shown).toMatch(/Raise timeout_ms of weather_tool from 800 to \d+/);
  expect(shown).not.toMatch(/changes what an agent may do/);
  expect(shown.replace(/\s+/g, ' ')).toContain('and only weather_tool uses it');
});
