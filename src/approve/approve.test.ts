import { describe, expect, test } from 'vitest';
import {
  BOB,
  CODER,
  draft,
  GATE,
  MODES,
  makeContent,
  OPERATOR,
  TARGET,
  validations,
} from '../../test/proposals.ts';
import { digestOf } from '../base/index.ts';
import { type Attestation, type ProposalContent, SYSTEM, type Tier } from '../facts/index.ts';
import { type Dossier, evidenceDigest, planStep } from '../proposal/index.ts';
import { type ApprovePorts, ask, askedTier, awaitDecision, decide, type Notice } from './index.ts';

const DAY_MS = 86_400_000;

function dossierOf(
  verdict: 'passed' | 'inconclusive',
  changes: Partial<ProposalContent> = {},
  state: Dossier['proposal']['state'] = 'pending',
): Dossier {
  const content = makeContent({ proposer: SYSTEM, ...changes });
  const digest = digestOf(content);
  const make = (one: ReturnType<typeof draft>, id: string): Attestation => ({
    ...one,
    id,
    proposalId: 'p_1',
    atMs: 0,
  });
  return {
    content,
    proposal: {
      id: 'p_1',
      version: 6,
      state,
      digest,
      title: content.title,
      createdAtMs: 0,
      changedAtMs: 0,
    },
    attestations: [
      make(draft('vetting', 'passed', digest), 'att_1'),
      ...validations(verdict, digest, { improvesTarget: verdict === 'passed' }).map((one, at) =>
        make(one, `att_2${at}`),
      ),
    ],
  };
}

function portsAt(nowMs: number, automaticTiers: readonly Tier[] = []) {
  const told: Notice[] = [];
  const ports: ApprovePorts = {
    nowMs,
    gate: { ...GATE, automaticTiers },
    askAgainAfterMs: 7 * DAY_MS,
    beforeDecision: async () => ['It reaches everything at once.'],
    notice: (notice) => {
      told.push(notice);
      return [];
    },
  };
  return { ports, told };
}

describe('asking', () => {
  test('a low-risk tune that helps would be auto, and acts as approve until switched on', () => {
    const dossier = dossierOf('passed');
    const asked = (of: Dossier, automaticTiers: readonly Tier[]) =>
      askedTier(of, { automaticTiers, requiredModes: MODES });
    expect(asked(dossier, [])).toBe('approve');
    expect(asked(dossier, ['auto'])).toBe('auto');
    expect(asked(dossierOf('inconclusive'), ['auto', 'notify'])).toBe('require');
  });

  test('the approver is told once for each content, with its severity', async () => {
    const { ports, told } = portsAt(5);
    const step = await ask(dossierOf('passed', { severity: 'high' }, 'validated'), ports);
    expect(step).toMatchObject({ to: 'pending', entries: [{ type: 'approve.asked' }] });
    expect(told).toMatchObject([{ to: 'approver', severity: 'high' }]);
    expect(told[0]!.text).toMatch(/^Look: .*\nIt reaches everything at once\.$/);
    const other = portsAt(6);
    await ask(dossierOf('passed', { severity: 'high' }, 'validated'), other.ports);
    expect(other.told[0]!.key).toBe(told[0]!.key);
  });

  test('an automatic tier asks nobody and decides in its own step', async () => {
    const { ports, told } = portsAt(5, ['auto']);
    await ask(dossierOf('passed', {}, 'validated'), ports);
    expect(told).toEqual([]);
    expect(awaitDecision(dossierOf('passed'), ports)).toMatchObject({
      to: 'approved',
      attestations: [{ kind: 'decision', verdict: 'approved', tier: 'auto' }],
    });
  });

  test('tier notify tells the operator that it was done', () => {
    const { ports, told } = portsAt(5, ['notify']);
    const dossier = dossierOf('passed', { type: 'skill_improve' });
    expect(awaitDecision(dossier, ports)).toMatchObject({ to: 'approved' });
    expect(told).toMatchObject([{ to: 'operator' }]);
  });
});

describe('waiting', () => {
  test('before its time it only waits', () => {
    const { ports, told } = portsAt(6 * DAY_MS);
    expect(awaitDecision(dossierOf('passed'), ports)).toEqual({
      did: 'waiting for a decision',
      dueAtMs: 7 * DAY_MS,
    });
    expect(told).toEqual([]);
  });

  test.each([7, 14, 70, 700])(
    'APP-2 after %i days it is asked again, louder, never approved',
    (days) => {
      const { ports, told } = portsAt(days * DAY_MS);
      const step = awaitDecision(dossierOf('passed'), ports);
      expect(step.to).toBeUndefined();
      expect(step.attestations).toBeUndefined();
      expect(step.dueAtMs).toBe((days + 7) * DAY_MS);
      expect(told).toMatchObject([{ severity: 'critical', to: 'operator' }]);
    },
  );
});

describe('deciding', () => {
  const context = { gate: GATE, nowMs: 10, newId: (prefix: string) => `${prefix}_9` };
  const asked = { automaticTiers: [], requiredModes: MODES, target: TARGET };
  const options = { ...asked, actor: OPERATOR };

  test('APP-3 a decision is bound to the content and to what was shown', () => {
    const dossier = dossierOf('passed');
    const decided = decide(dossier, { verdict: 'approved', reason: 'fine' }, options);
    expect(decided).toMatchObject({
      step: {
        to: 'approved',
        did: 'approved by operator@example.org for main of shop-1 (local): fine',
        attestations: [
          {
            actor: OPERATOR,
            tier: 'approve',
            target: TARGET,
            allows: { what: 'deployment' },
            evidenceDigest: evidenceDigest(dossier.attestations, dossier.proposal.digest),
          },
        ],
      },
    });
    if (!('step' in decided)) throw new Error('decided');
    expect(planStep(dossier, decided.step, { ...context, actor: OPERATOR })).toHaveProperty('plan');
  });

  test('the reason is cleaned of what no record keeps, and bounded', () => {
    const reason = ` fi\u0000ne${'x'.repeat(2000)}`;
    const decided = decide(dossierOf('passed'), { verdict: 'rejected', reason }, options);
    const did = `rejected by operator@example.org: fi ne${'x'.repeat(995)}`;
    expect(decided).toMatchObject({ step: { did } });
  });

  test('APP-3 what its maker saw must be what stands there', () => {
    const dossier = dossierOf('passed');
    const seen = dossier.proposal.digest;
    const verdict = 'approved' as const;
    for (const digest of [seen, seen.slice(7), seen.slice(7, 15)])
      expect(decide(dossier, { verdict, reason: '', digest }, options)).toHaveProperty('step');
    for (const digest of ['sha256:0000000000', seen.slice(7, 14), ''])
      expect(decide(dossier, { verdict, reason: '', digest }, options)).toHaveProperty('refused');
  });

  test.each([
    [CODER, 'agent_decided'],
    [{ ...BOB, verified: 'none' } as const, 'not_verified_enough'],
  ])('the kernel refuses %o', (actor, missing) => {
    const dossier = dossierOf('passed');
    const decided = decide(dossier, { verdict: 'approved', reason: '' }, { ...asked, actor });
    if (!('step' in decided)) throw new Error('decided');
    expect(planStep(dossier, decided.step, { ...context, actor })).toMatchObject({
      refused: { why: 'gate_closed', missing: [missing] },
    });
  });

  test('an inconclusive validation needs more than a local user', () => {
    const dossier = dossierOf('inconclusive');
    const decided = decide(dossier, { verdict: 'approved', reason: '' }, { ...asked, actor: BOB });
    if (!('step' in decided)) throw new Error('decided');
    expect(planStep(dossier, decided.step, { ...context, actor: BOB })).toMatchObject({
      refused: { missing: ['not_verified_enough'] },
    });
  });

  test('anybody verified may reject', () => {
    const dossier = dossierOf('passed');
    const decided = decide(
      dossier,
      { verdict: 'rejected', reason: 'no' },
      { ...asked, actor: BOB },
    );
    if (!('step' in decided)) throw new Error('decided');
    expect(planStep(dossier, decided.step, { ...context, actor: BOB })).toHaveProperty('plan');
  });
});
