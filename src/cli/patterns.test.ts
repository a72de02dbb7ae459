/** `hone patterns` and `hone diagnose` on a real repository with telemetry. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { CAUSE_LAYERS } from '../facts/index.ts';
import { agentFile, calls, makeTarget, SETTINGS } from './target.test-support.ts';

const FILES = { 'agents/researcher.yaml': agentFile('researcher', 'web_search') };

test('DIAG-6 two codes of one failure are merged, and counted as one from then on', async () => {
  using target = await makeTarget({
    ...FILES,
    'agents/writer.yaml': agentFile('writer', 'web_search'),
  });
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  await target.installation.stateDir();
  const untilMs = Date.now();
  const said = 'the index is being rebuilt';
  const failing = (agent: string, code: string, laterMs: number) =>
    calls({ agent, tool: 'web_search', untilMs: untilMs - laterMs, message: said }).replaceAll(
      'TIMEOUT',
      code,
    );
  target.append(
    failing('researcher', 'E17', 0) +
      failing('researcher', 'E18', 7_000) +
      failing('writer', 'E17', 11_000),
  );
  expect((await target.hone('cycle')).exit).toBe(0);
  const found = async () =>
    contracts.patternsListJson.parse((await target.hone('patterns', 'list', '--json')).json());
  const at = async (agent: string) =>
    (await found()).patterns.filter((one) => one.agent === agent).map(({ id }) => id);
  const [one, other] = await at('researcher');
  const [elsewhere] = await at('writer');
  const counted = async (id: string) => {
    const shown = await target.hone('patterns', 'show', id, '--json');
    return contracts.patternsShowJson.parse(shown.json()).occurrences;
  };
  const before = (await counted(one!)) + (await counted(other!));

  const merge = (from: string, into: string) =>
    target.hone('patterns', 'merge', from, '--into', into, '--reason', 'one index');
  expect((await merge(one!, elsewhere!)).err).toContain('They are at different places');
  expect((await merge(one!, one!)).err).toContain('Give two patterns');
  // What is proposed for it is decided first.
  const refused = await merge(one!, other!);
  const [, proposal] = /(p_\w+) is proposed for/.exec(refused.err)!;
  expect((await target.hone('reject', proposal!, '--reason', 'one index')).exit).toBe(0);
  expect((await merge(one!, other!)).out.replace(/\s+/g, ' ')).toContain(
    `${one} counts for ${other} from now on.`,
  );
  expect((await target.hone('cycle')).exit).toBe(0);
  expect(await at('researcher')).toEqual([other]);
  expect(await counted(other!)).toBe(before);
  // DIAG-6: what is counted is there, event by event, and so is all evidence; nothing else is.
  const listed = async (id: string, limit: string) => {
    const said = await target.hone('events', 'list', '--pattern', id, '--limit', limit, '--json');
    return contracts.eventsListJson.parse(said.json());
  };
  const { events, more } = await listed(other!, '1000');
  expect({ number: events.length, more }).toEqual({ number: before, more: false });
  for (const one of events)
    expect(one).toMatchObject({ failed: true, what: 'web_search of researcher' });
  const shown = await target.hone('patterns', 'show', other!, '--json');
  const { evidence } = contracts.patternsShowJson.parse(shown.json());
  expect(evidence.length).toBeGreaterThan(0);
  const ids = new Set(events.map(({ id }) => `event:${id}`));
  expect(evidence.filter((one) => !ids.has(one))).toEqual([]);
  expect((await listed(elsewhere!, '3')).events).toHaveLength(3);
  expect((await target.hone('patterns', 'forget', other!, '--reason', 'apart again')).exit).toBe(0);
  expect((await target.hone('cycle')).exit).toBe(0);
  expect((await at('researcher')).sort()).toEqual([one!, other!].sort());
});

test('DIAG-5 a pattern is listed with what became of it, explained, ignored and forgotten', async () => {
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
  // DIAG-5: what speaks for each of the seven layers, and where it began.
  expect(seen.layers.map(({ layer }) => layer)).toEqual([...CAUSE_LAYERS]);
  const settings = seen.layers.find(({ layer }) => layer === 'settings')!;
  expect(settings.confidence).toBeGreaterThan(0.6);
  expect(settings.for).toBeGreaterThan(1);
  expect(seen.layers.find(({ layer }) => layer === 'workflow')).toEqual({
    ...{ layer: 'workflow', confidence: 0, for: 0, against: 0 },
  });
  expect(seen.origin).toMatchObject({ agent: 'researcher', step: 'web_search' });
  expect(seen.origin!.sessions).toBe(seen.origin!.of);
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
