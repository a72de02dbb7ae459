/** `hone patterns` and `hone diagnose` on a real repository with telemetry. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { agentFile, calls, makeTarget, SETTINGS } from './target.test-support.ts';

const FILES = { 'agents/researcher.yaml': agentFile('researcher', 'web_search') };

test('a pattern is listed with what became of it, explained, ignored and forgotten', async () => {
  using target = await makeTarget(FILES);
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  await target.installation.stateDir();
  expect((await target.hone('patterns', 'list')).out).toContain('"hone cycle"');
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  expect((await target.hone('collect')).exit).toBe(0);
  const looked = await target.hone('diagnose', '--json');
  expect(looked.err).toBe('');
  const diagnosis = contracts.diagnosisJson.parse(looked.json());
  expect(diagnosis.patterns).toMatchObject([{ kind: 'timeout', layer: 'settings' }]);
  expect((await target.hone('patterns', 'list', '--json')).json()).toEqual({
    patterns: [],
    next: null,
  });

  expect((await target.hone('cycle')).exit).toBe(0);
  const list = async () => {
    const { json } = await target.hone('patterns', 'list', '--json');
    return contracts.patternsListJson.parse(json()).patterns;
  };
  const [one, ...others] = await list();
  expect(others).toEqual([]);
  expect(one).toMatchObject({
    agent: 'researcher',
    tool: 'web_search',
    kind: 'timeout',
    layer: 'settings',
    trigger: 'none',
    status: 'proposed',
    why: expect.stringContaining('Raise timeout_ms'),
  });
  const shown = await target.hone('patterns', 'show', one!.id.slice(0, 9), '--json');
  const seen = contracts.patternsShowJson.parse(shown.json());
  expect(seen.considered[0]).toMatchObject({
    what: expect.stringContaining('agents/researcher.yaml'),
    for: expect.arrayContaining([
      expect.stringContaining('800'),
      'It is there all the time, as the place is.',
    ]),
  });
  expect(seen.settledBy).toContain('Replaying');
  const text = (await target.hone('patterns', 'show', one!.id)).out;
  expect(text).toContain('What would settle it');
  expect((await target.hone('diagnose')).out).toContain('found 1 recurring failure');

  expect((await target.hone('patterns', 'show', 'pat_none')).exit).toBe(2);
  const ignored = await target.hone('patterns', 'ignore', one!.id, '--reason', 'known to us');
  expect(ignored.exit).toBe(0);
  expect(await list()).toMatchObject([{ status: 'ignored', why: 'known to us' }]);
  const again = contracts.diagnosisJson.parse((await target.hone('diagnose', '--json')).json());
  expect(again.patterns).toEqual([]);
  expect(again.passedOver).toMatchObject([{ why: expect.stringContaining('known to us') }]);
  expect((await target.hone('patterns', 'forget', one!.id, '--reason', 'new owner')).exit).toBe(0);
  expect(await list()).toEqual([]);
});
