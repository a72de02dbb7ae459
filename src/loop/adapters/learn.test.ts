import { expect, test } from 'vitest';
import { draft, makeContent } from '../../../test/proposals.ts';
import { storePerTest } from '../../../test/timed-store.ts';
import { artifactWrite, makeArtifact } from '../../artifact/index.ts';
import { canonicalJson, digestOf } from '../../base/index.ts';
import { patternParts } from '../../diagnose/index.ts';
import type { Attestation, Pattern, ProposalState } from '../../facts/index.ts';
import { recordFix } from '../../learn/index.ts';
import type { Dossier } from '../../proposal/index.ts';
import { seenOf } from './learn.ts';

const HOUR_MS = 3_600_000;
const ID = 'p_1';
/** A tenth of the calls fail. */
const PATTERN: Pattern = {
  id: 'pat_0123456789abcdef0123',
  title: 'web_search of researcher fails (100 of 1 000 calls)',
  kind: 'other',
  template: 'failed',
  agent: 'researcher',
  tool: 'web_search',
  errorCode: '',
  occurrences: 100,
  calls: 1000,
  sessions: 10,
  firstAtMs: 0,
  lastAtMs: HOUR_MS,
  score: 1,
  impact: 0.1,
  noise: 1,
  severity: 'medium',
  layer: 'settings',
  confidence: 0.9,
  reasons: ['It fails.'],
  evidence: ['event:e1'],
  subject: { kind: 'unknown' },
  failedLatency: null,
  succeededLatency: null,
};

const open = storePerTest('memory');

function dossierOf(state: ProposalState, calledAtMs?: number): Dossier {
  const content = makeContent({ patternId: PATTERN.id });
  const digest = digestOf(content);
  const actor = { kind: 'human', id: 'operator@example.org', verified: 'local' } as const;
  const call = { ...draft('rollback', 'requested', digest, { actor }), id: 'a_1', proposalId: ID };
  return {
    content,
    attestations: calledAtMs === undefined ? [] : [{ ...call, atMs: calledAtMs } as Attestation],
    proposal: {
      ...{ id: ID, version: 9, state, digest, title: content.title },
      ...{ createdAtMs: 0, changedAtMs: 0 },
    },
  };
}

interface Known {
  readonly benefit?: { readonly low: number; readonly high: number };
  readonly harmSinceMs?: number;
}

async function probation({ benefit, harmSinceMs }: Known): Promise<void> {
  const { store } = open();
  await store.commit(patternParts({ cycleId: 'cy_1', patterns: [PATTERN], nowMs: 0 }));
  const row = {
    ...{ from_ms: 0, until_ms: 99 * HOUR_MS, ended_at_ms: null },
    measured: benefit === undefined ? null : 'day',
    benefit: benefit === undefined ? null : (benefit.low + benefit.high) / 2,
    benefit_low: benefit?.low ?? null,
    benefit_high: benefit?.high ?? null,
    rollback_why: harmSinceMs === undefined ? null : 'It does harm.',
    rollback_since_ms: harmSinceMs ?? null,
  };
  await store.commit({ writes: [{ upsert: 'monitor_changes', key: { proposal_id: ID }, row }] });
}

const seen = (dossier: Dossier) => seenOf(open().store, dossier);

test.each([
  ['it helped', { low: 0.01, high: 0.2 }, 'proven'],
  ['a halving would have shown', { low: -0.04, high: 0.05 }, 'held'],
  ['too little was seen', { low: -0.1, high: 0.15 }, 'inconclusive'],
  ['nothing could be measured', undefined, 'inconclusive'],
] as const)('what was measured decides: %s', async (_, benefit, outcome) => {
  await probation(benefit === undefined ? {} : { benefit });
  expect(await seen(dossierOf('implemented'))).toMatchObject({ outcome });
});

test('what held before and holds again is known', async () => {
  await probation({ benefit: { low: -0.04, high: 0.05 } });
  const dossier = dossierOf('implemented');
  const first = await seen(dossier);
  expect(first).toMatchObject({ outcome: 'held', isKnown: false });
  const { writes = [], entries = [] } = recordFix(dossier, { reason: '', nowMs: 0, seen: first });
  await open().store.commit({ writes, entries });
  expect(await seen(dossier)).toMatchObject({ outcome: 'held', isKnown: true });
});

test('a person who takes back what is harmful agrees; one who did so before does not', async () => {
  await probation({ harmSinceMs: 5 * HOUR_MS });
  expect(await seen(dossierOf('reverted', 6 * HOUR_MS))).toMatchObject({ outcome: 'failed' });
  expect(await seen(dossierOf('reverted', 4 * HOUR_MS))).toBeUndefined();
  await probation({});
  expect(await seen(dossierOf('reverted', 6 * HOUR_MS))).toBeUndefined();
});

test('a trial that is taken back for bringing nothing did no harm', async () => {
  const { store } = open();
  const dossier = dossierOf('reverted');
  const outcomeAfter = async (blame: string) => {
    const report = makeArtifact(canonicalJson({ verdict: 'degraded', blame }), 'application/json');
    await store.commit({ writes: [artifactWrite(report, 0)] });
    const { digest } = dossier.proposal;
    const call = draft('monitoring', 'degraded', digest, { artifacts: [report.digest] });
    const said = { ...call, id: 'a_2', proposalId: ID, atMs: 1 } as Attestation;
    return (await seen({ ...dossier, attestations: [said] }))?.outcome;
  };
  expect(await outcomeAfter('none')).toBe('vain');
  expect(await outcomeAfter('doubt')).toBe('doubtful');
  expect(await outcomeAfter('own')).toBeUndefined();
});

test('a trial that stayed has shown what it promised, which is no halving', async () => {
  await probation({ benefit: { low: -0.04, high: 0.05 } });
  const dossier = dossierOf('implemented');
  const content = { ...dossier.content, trial: { cutOffMs: 800 } };
  expect(await seen({ ...dossier, content })).toMatchObject({ outcome: 'inconclusive' });
  expect(await seen(dossier)).toMatchObject({ outcome: 'held' });
});
