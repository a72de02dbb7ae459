import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { agentFile, calls, makeTarget, SETTINGS } from './target.test-support.ts';

test('OBS-7 events are counted by any dimension, with failures and percentiles', async () => {
  using target = await makeTarget({ 'agents/a.yaml': agentFile('researcher', 'web_search') });
  writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
  await target.installation.stateDir();
  target.append(
    calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now(), all: 200, failed: 20 }),
  );
  await target.hone('cycle');
  const read = async (...args: string[]) =>
    contracts.eventsCountJson.parse(
      (await target.hone('events', 'count', ...args, '--json')).json(),
    );
  const { rows } = await read('--by', 'tool');
  expect(rows).toMatchObject([{ name: 'web_search', events: 200, failed: 20, judged: 200 }]);
  expect(rows[0]!.p50Ms).toBeGreaterThan(250);
  expect(rows[0]!.p95Ms).toBeGreaterThan(rows[0]!.p50Ms!);
  expect((await read('--by', 'layer')).rows).toMatchObject([{ name: 'tool', events: 200 }]);
  expect((await read('--by', 'errorCode')).rows).toMatchObject([
    { name: '', events: 180 },
    { name: 'TIMEOUT', events: 20 },
  ]);
  expect((await read('--until', '7d', '--since', '14d')).rows).toEqual([]);
  expect((await target.hone('events', 'count', '--by', 'tool')).out).toMatch(
    /tool +events +failed +half within +95 % within\nweb_search +200 +20 \(10 %\)/,
  );
});
