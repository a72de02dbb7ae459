/** A failure that is back after its fix: told at once, and left to a person. */
import { expect, test } from 'vitest';
import { draft, makeContent, OPERATOR } from '../../test/proposals.ts';
import { digestOf } from '../base/index.ts';
import type { Attestation } from '../facts/index.ts';
import { recordFix } from '../learn/index.ts';
import { readReport } from './cycle-end.ts';
import { HOUR_MS, traffic, worldPerTest } from './loop.test-support.ts';

const makeWorld = worldPerTest('memory');

test('LRN-4 a pattern that returns after its fix is told once, and not fixed in the same layer again', async () => {
  const world = await makeWorld();
  const nowMs = world.clock.nowMs();
  const ILL_HOURS = 30;
  world.files.text =
    traffic({
      untilMs: nowMs - ILL_HOURS * HOUR_MS,
      overMs: 100 * HOUR_MS,
      calls: 600,
      failEvery: 601,
    }) + traffic({ untilMs: nowMs, overMs: ILL_HOURS * HOUR_MS, calls: 200, failEvery: 4 });
  const first = await world.propose();
  expect(first.content.change).toMatchObject({ path: ['tools', 'web_search', 'timeout_ms'] });
  // As if it had been fixed four days ago.
  const content = makeContent({ patternId: first.content.patternId, madeBy: first.content.madeBy });
  const digest = digestOf(content);
  const decision = {
    ...draft('decision', 'approved', digest, { actor: OPERATOR }),
    ...{ id: 'att_1', proposalId: 'p_fix', atMs: nowMs - 96 * HOUR_MS },
  } as Attestation;
  const proposal = { ...first.proposal, id: 'p_fix', state: 'implemented', digest } as const;
  const { writes = [], entries = [] } = recordFix(
    { proposal, content, attestations: [decision] },
    { reason: 'it helped', nowMs, seen: { outcome: 'proven' } },
  );
  await world.store.commit({ writes, entries });
  const told = async () =>
    (await world.store.all('SELECT title AS text FROM notify_pending'))
      .map(({ text }) => String(text))
      .filter((text) => text.startsWith('Back after its fix: web_search of researcher times out'));
  expect(await told()).toEqual([]);
  for (const _ of [1, 2]) {
    world.clock.advance(1000);
    const loop = world.loop();
    const started = await loop.startCycle('human');
    await world.run(loop);
    if (!started.started) throw new Error(started.why);
    const [finding] = (await readReport(world.store, started.cycle))!.findings;
    expect(finding?.why).toMatch(
      /^Nothing was found in the target's files that causes it; it seems to begin in the (tool|environment) layer/,
    );
  }
  expect(await told()).toHaveLength(1);
});
