import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { GATE, MODES, makeContent, OPERATOR, SCOPES } from '../../test/proposals.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { makeArtifact, readArtifact } from '../artifact/index.ts';
import { SYSTEM } from '../facts/index.ts';
import {
  evidenceDigest,
  latest,
  type ProposalStep,
  planCreate,
  planStep,
  readDossier,
  readProposal,
} from './index.ts';

let ids = 0;
const newId = (prefix: string) => `${prefix}_${++ids}`;

describe.each(['memory', 'postgres'] as const)('a step of a proposal on %s', (kind) => {
  const open = storePerTest(kind);

  async function take(step: ProposalStep, actor = SYSTEM) {
    const { store } = open();
    const dossier = await readDossier(store, 'p_1');
    const nowMs = await store.nowMs();
    const planned = planStep(dossier, step, { actor, gate: GATE, nowMs, newId });
    if ('refused' in planned) return planned.refused;
    return (await store.commit(planned.plan)).committed;
  }

  async function create() {
    const { store } = open();
    await store.commit(planCreate('p_1', makeContent(), await store.nowMs()));
  }

  test('statements and the move they allow are one commit', async () => {
    await create();
    const step = { did: 'vetted', attestations: [{ kind: 'vetting', verdict: 'passed' }] } as const;
    expect(await take({ ...step, to: 'vetted' })).toBe(true);
    const { proposal, attestations } = await readDossier(open().store, 'p_1');
    expect(proposal).toMatchObject({ state: 'vetted', version: 3 });
    expect(attestations).toHaveLength(1);
    expect((await recorded(open().store)).map(({ type }) => type)).toEqual([
      'proposal.created',
      'proposal.attested',
      'proposal.advanced',
    ]);
  });

  test('several statements keep their order and their places', async () => {
    await create();
    await take({
      did: 'said twice',
      attestations: [
        { kind: 'vetting', verdict: 'held' },
        { kind: 'vetting', verdict: 'passed' },
      ],
      to: 'vetted',
    });
    const { attestations, proposal } = await readDossier(open().store, 'p_1');
    expect(attestations.map(({ verdict }) => verdict)).toEqual(['held', 'passed']);
    expect(proposal.version).toBe(4);
  });

  test('a move that its own statements do not allow is refused, and nothing happens', async () => {
    await create();
    const refusal = await take({
      did: 'cheated',
      attestations: [{ kind: 'vetting', verdict: 'failed' }],
      to: 'vetted',
    });
    expect(refusal).toMatchObject({ why: 'missing_attestation' });
    expect((await readProposal(open().store, 'p_1')).version).toBe(1);
  });

  test('somebody who changed it meanwhile refuses the whole step', async () => {
    await create();
    const { store } = open();
    const dossier = await readDossier(store, 'p_1');
    await take({ did: 'other', attestations: [{ kind: 'vetting', verdict: 'held' }] });
    const step: ProposalStep = {
      did: 'late',
      attestations: [{ kind: 'vetting', verdict: 'passed' }],
      to: 'vetted',
    };
    const nowMs = await store.nowMs();
    const planned = planStep(dossier, step, { actor: SYSTEM, gate: GATE, nowMs, newId });
    if (!('plan' in planned)) throw new Error('it could be planned');
    expect(await store.commit(planned.plan)).toMatchObject({ committed: false });
  });

  test('the gate sees what the step itself states: a backup opens it, none keeps it shut', async () => {
    await create();
    await take({ did: '', attestations: [{ kind: 'vetting', verdict: 'passed' }], to: 'vetted' });
    await take({ did: '', to: 'validating' });
    const passed = MODES.map(
      (mode) => ({ ...SCOPES.validation, kind: 'validation', verdict: 'passed', mode }) as const,
    );
    const [policy, replay] = passed;
    // A mode that says nothing is not made up for by another.
    expect(await take({ did: '', attestations: [policy!], to: 'validated' })).toMatchObject({
      why: 'missing_attestation',
    });
    expect(await take({ did: '', attestations: [policy!, replay!], to: 'validated' })).toBe(true);
    await take({ did: '', to: 'pending' });
    const { proposal, attestations } = await readDossier(open().store, 'p_1');
    const judged = {
      ...SCOPES.decision,
      evidenceDigest: evidenceDigest(attestations, proposal.digest),
    };
    const approved = { kind: 'decision', verdict: 'approved', ...judged } as const;
    expect(await take({ did: '', attestations: [approved], to: 'approved' }, OPERATOR)).toBe(true);
    expect(await take({ did: '', to: 'deploying' })).toMatchObject({
      why: 'gate_closed',
      missing: ['no_backup'],
    });
    const backup = { kind: 'backup', verdict: 'made' } as const;
    expect(await take({ did: '', attestations: [backup], to: 'deploying' })).toBe(true);
  });

  test('amended bytes are a draft again in the same commit, and what the step said is about the old ones', async () => {
    await create();
    await take({ did: '', attestations: [{ kind: 'vetting', verdict: 'passed' }], to: 'vetted' });
    const before = await readProposal(open().store, 'p_1');
    const diff = makeArtifact('another diff', 'text/x-diff');
    const content = makeContent({ title: 'Another', diffDigest: diff.digest });
    const held = { kind: 'vetting', verdict: 'held' } as const;
    const step = { did: 'moved', attestations: [held], amend: { content, files: [diff] } };
    expect(await take(step)).toBe(true);
    const { proposal, attestations, content: now } = await readDossier(open().store, 'p_1');
    expect(proposal).toMatchObject({ state: 'draft', version: before.version + 2 });
    expect(now).toEqual(content);
    expect(attestations.at(-1)).toMatchObject({ ...held, contentDigest: before.digest });
    expect(latest(attestations, 'vetting', proposal.digest)).toBeUndefined();
    expect((await readArtifact(open().store, diff.digest)).mediaType).toBe('text/x-diff');
  });

  test('where bytes can no longer change, the whole step is refused', async () => {
    await create();
    const vetted = { kind: 'vetting', verdict: 'passed' } as const;
    await take({ did: '', attestations: [vetted], to: 'vetted' });
    await take({ did: '', to: 'validating' });
    const spawn = [{ id: 'p_2', content: makeContent() }];
    const content = makeContent({ title: 'Another' });
    expect(await take({ did: '', amend: { content }, spawn })).toMatchObject({
      why: 'cannot_be_amended',
    });
    await expect(readProposal(open().store, 'p_2')).rejects.toMatchObject({ code: 'unknown' });
  });

  test('a spawned proposal begins with the step, or not at all', async () => {
    await create();
    const content = makeContent({ title: 'The same elsewhere' });
    const step = { did: '', to: 'aborted', spawn: [{ id: 'p_2', content }] } as const;
    expect(await take(step)).toBe(true);
    const { proposal, attestations } = await readDossier(open().store, 'p_2');
    expect(proposal).toMatchObject({ state: 'draft', version: 1, title: content.title });
    expect(attestations).toEqual([]);
    const entries = await recorded(open().store);
    expect(entries.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
      'proposal.created proposal:p_1',
      'proposal.advanced proposal:p_1',
      'proposal.created proposal:p_2',
    ]);
    // An id that is taken refuses everything.
    const again = { did: '', spawn: [{ id: 'p_2', content }] } as const;
    expect(await take(again)).toBe(false);
  });
});
