/** What was on record before a deployment bounds when its watch begins, whatever the clock said then. */
import { describe, expect, test } from 'vitest';
import { placeAll } from '../../test/ledger.ts';
import { OPERATOR } from '../../test/proposals.ts';
import { STORE_KINDS } from '../../test/stores.ts';
import { ownWords } from '../base/index.ts';
import { latest, readDossier } from '../proposal/index.ts';
import { HOUR_MS, MINUTE_MS, worldPerTest } from './loop.test-support.ts';
import { recordedBeforeMs } from './recorded-before.ts';

describe.each(STORE_KINDS)('what was recorded before a deployment on %s', (kind) => {
  const open = worldPerTest(kind);

  test('also by others, and nothing that came after it', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    const { store, clock } = world;
    const dossier = await readDossier(store, proposal.id);
    const deployedAtMs = latest(dossier.attestations, 'deployment', proposal.digest)!.atMs;
    // Its own entries are older than the others' here: only the ledger's order says what came before.
    const own = { ...dossier, attestations: dossier.attestations.slice(-1) };
    clock.advance(HOUR_MS);
    const subject = 'switch:limits';
    const data = {
      gate: 'limits',
      mode: 'observe',
      previousMode: 'enforce',
      reason: ownWords('later'),
    } as const;
    await store.commit({
      entries: [{ type: 'policy.switch_set', actor: OPERATOR, subject, data }],
    });
    await placeAll(store);
    const beforeMs = await recordedBeforeMs(own, store, clock.nowMs());
    expect(beforeMs).toBeDefined();
    expect(deployedAtMs - beforeMs!).toBeGreaterThanOrEqual(0);
    expect(deployedAtMs - beforeMs!).toBeLessThan(MINUTE_MS);
  });

  test('times after now are a wrong clock’s and say nothing', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    const dossier = await readDossier(world.store, proposal.id);
    await placeAll(world.store);
    const created = proposal.createdAtMs - 1;
    const beforeMs = await recordedBeforeMs(dossier, world.store, created);
    expect(beforeMs === undefined || beforeMs <= created).toBe(true);
  });
});
