/** DEP-6: what each step is asked, one test for each invariant that breaks it. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { CODER, makeContent, OPERATOR, SCOPES } from '../../test/proposals.ts';
import { digestOf } from '../base/index.ts';
import { type Actor, type Attestation, type EntryDraft, SYSTEM } from '../facts/index.ts';
import { type Dossier, planCreate } from '../proposal/index.ts';
import { callBack, type LoopPorts } from './index.ts';
import { brokenByStep, brokenSince } from './invariants-after-step.ts';
import { HOUR_MS, type World, worldPerTest } from './loop.test-support.ts';

describe('DEP-6 V1 to V4 stop a step', () => {
  const content = makeContent({ type: 'constant_tune', risk: 'low', proposer: SYSTEM });
  const digest = digestOf(content);

  const said = (kind: Attestation['kind'], verdict: string, actor: Actor = SYSTEM, more = {}) =>
    ({
      ...{ id: `att_${kind}`, proposalId: 'p_1', contentDigest: digest, artifacts: [], atMs: 1 },
      ...{ kind, verdict, actor, ...SCOPES[kind], ...more },
    }) as Attestation;

  const HONEST = [
    said('validation', 'passed', SYSTEM, { improvesTarget: true }),
    said('decision', 'approved', OPERATOR, { tier: 'approve' }),
    said('backup', 'made'),
  ];
  const dossierOf = (attestations: readonly Attestation[]) =>
    ({
      content,
      attestations,
      proposal: { id: 'p_1', digest, state: 'approved', createdAtMs: 0, changedAtMs: 1 },
    }) as unknown as Dossier;
  const DEPLOYS = [
    {
      type: 'proposal.advanced',
      actor: SYSTEM,
      subject: 'proposal:p_1',
      data: { from: 'approved', to: 'deploying', reason: '' },
      atMs: 2,
    },
  ] as unknown as EntryDraft[];
  const without = (kind: Attestation['kind']) => HONEST.filter((one) => one.kind !== kind);

  test('an honest one is done', () => {
    expect(brokenByStep(dossierOf(HONEST), DEPLOYS)).toEqual([]);
    expect(brokenByStep(dossierOf([]), [])).toEqual([]);
  });

  test.each([
    ['V1', without('validation')],
    ['V2', without('decision')],
    ['V3', without('backup')],
    ['V4', [...without('decision'), said('decision', 'approved', CODER, { tier: 'approve' })]],
  ])('%s', (invariant, attestations) => {
    expect(brokenByStep(dossierOf(attestations), DEPLOYS).join()).toContain(`${invariant}:`);
  });
});

describe('DEP-6 V5 to V10 are recorded and told', () => {
  const makeWorld = worldPerTest('memory');

  const broken = async ({ store }: World) =>
    (await recorded(store)).flatMap(({ type, subject, data }) =>
      type === 'loop.invariant_broken' ? [[data['invariant'], subject]] : [],
    );
  const told = async ({ store }: World) =>
    JSON.stringify(await store.all('SELECT payload FROM outbox_effects'));

  test('an honest story breaks none', async () => {
    const world = await makeWorld();
    await world.deployed();
    expect(await broken(world)).toEqual([]);
  });

  test('V5: evidence that leads to no event', async () => {
    const world = await makeWorld();
    const dossier = await world.propose();
    const telemetry = { ...world.telemetry, all: async () => [] };
    const { id } = dossier.proposal;
    const entries = [created(id, dossier.proposal.digest)];
    const found = await asked(world, 'cycle', entries, { telemetry });
    expect(found).toEqual([['V5', `proposal:${id}`]]);
  });

  test('V6: content that is not there', async () => {
    const world = await makeWorld();
    const { id } = (await world.propose()).proposal;
    expect(await asked(world, 'cycle', [created(id, digestOf('another'))])).toEqual([
      ['V6', `proposal:${id}`],
    ]);
  });

  test('V7: two cycles at once', async () => {
    const world = await makeWorld();
    await world.loop().startCycle('human');
    expect(await asked(world, 'cycle', [], {})).toEqual([
      ['V7', expect.stringMatching(/^cycle:c_/)],
    ]);
  });

  test('V8: over, and nothing was learnt', async () => {
    const world = await makeWorld();
    const { id } = (await world.deployed()).proposal;
    await callBack(id, 'no', { actor: OPERATOR, ports: world.ports() });
    await world.run();
    const done = { plan: {}, rests: true, data: {} };
    const found = await brokenSince({ kind: 'proposal', subject: id }, done, world.ports());
    expect(found.map(({ invariant }) => invariant)).toEqual(['V8']);
  });

  test('V9: taken back too late, which the loop itself records and tells', async () => {
    const world = await makeWorld();
    const { id } = (await world.deployed()).proposal;
    await callBack(id, 'the bill doubled', { actor: OPERATOR, ports: world.ports() });
    world.clock.advance(HOUR_MS);
    await world.run();
    expect(await broken(world)).toEqual([['V9', `proposal:${id}`]]);
    expect(await told(world)).toContain(`V9 does not hold for proposal:${id}`);
  });

  test('V10: a change to Hone that Hone proposed', async () => {
    const world = await makeWorld();
    const meta = makeContent({ type: 'meta', proposer: SYSTEM, patternId: null });
    await world.store.commit(planCreate('p_meta', meta, await world.store.nowMs()));
    const entries = [created('p_meta', digestOf(meta))];
    expect(await asked(world, 'cycle', entries)).toEqual([['V10', 'proposal:p_meta']]);
  });

  const created = (id: string, contentDigest: string) =>
    ({
      type: 'proposal.created',
      actor: SYSTEM,
      subject: `proposal:${id}`,
      data: { contentDigest, title: 't' },
      atMs: 1,
    }) as unknown as EntryDraft;

  const asked = async (
    world: World,
    kind: 'cycle' | 'proposal',
    entries: readonly EntryDraft[],
    changes: Partial<LoopPorts> = {},
  ) =>
    (
      await brokenSince(
        { kind, subject: 'c_1' },
        { plan: { entries }, rests: false, data: {} },
        world.ports(changes),
      )
    ).map(({ invariant, subject }) => [invariant, subject]);
});
