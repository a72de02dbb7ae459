/** Several people about one change: how many, whose files, who edited it, who wants changes, who holds it. */
import { describe, expect, test } from 'vitest';
import { attestation, DIGEST, OTHER } from '../../test/gate-scenarios.ts';
import { BOB, CODER, GATE, MODES, OPERATOR } from '../../test/proposals.ts';
import { type Actor, type Attestation, SYSTEM } from '../facts/index.ts';
import { decisionGate, evidenceDigest, type GateInput, type GateReason } from './index.ts';

const ANN: Actor = { kind: 'human', id: 'ann@example.org', verified: 'token' };
const SIGNER: Actor = { kind: 'human', id: 'sig@example.org', verified: 'signature' };

const EVIDENCE: readonly Attestation[] = [
  attestation('vetting', 'passed'),
  ...MODES.map((mode) => attestation('validation', 'passed', { mode })),
];

function by(
  actor: Actor,
  verdict: 'approved' | 'changes_requested' | 'escalated' = 'approved',
  more: Partial<Attestation<'decision'>> = {},
): Attestation {
  const seen = evidenceDigest(EVIDENCE, DIGEST);
  const tier = 'approve';
  return attestation('decision', verdict, { actor, tier, evidenceDigest: seen, ...more });
}

function missing(said: readonly Attestation[], more: Partial<GateInput> = {}): GateReason[] {
  const verdict = decisionGate({
    ...GATE,
    digest: DIGEST,
    content: { type: 'constant_tune', risk: 'medium', proposer: SYSTEM },
    attestations: [...EVIDENCE, ...said],
    ...more,
  });
  return verdict.open ? [] : [...verdict.missing];
}

describe('two approvers', () => {
  const two = { approvers: { approve: 2, require: 1 } };

  test('one is not enough, and two are', () => {
    expect(missing([by(ANN)], two)).toEqual(['more_approvals_needed']);
    expect(missing([by(ANN), by(BOB)], two)).toEqual([]);
  });

  test.each([
    ['the same person twice', [by(ANN), by({ ...ANN, id: ' ANN@example.org' })]],
    ['one on other bytes', [by(ANN, 'approved', { contentDigest: OTHER }), by(BOB)]],
    ['one on other evidence', [by(ANN, 'approved', { evidenceDigest: OTHER }), by(BOB)]],
    ['one at a lower tier', [by(ANN, 'approved', { tier: 'notify' }), by(BOB)]],
    ['an agent', [by(CODER), by(BOB)]],
    ['a signature that was not verified again', [by(SIGNER), by(BOB)]],
  ])('%s does not count as two', (_, said) => {
    expect(missing(said, two)).toEqual(['more_approvals_needed']);
  });

  test('an earlier signature counts when it was just verified', () => {
    expect(missing([by(SIGNER), by(BOB)], { ...two, provenMakers: [SIGNER.id] })).toEqual([]);
  });

  test('a failed earlier approval does not spoil enough others', () => {
    expect(missing([by(SIGNER), by(ANN), by(BOB)], two)).toEqual([]);
  });
});

describe('owners', () => {
  const owned = [
    { file: 'a.yaml', owners: ['@core'], people: ['ann@example.org'] },
    { file: 'b.yaml', owners: ['@ops'], people: ['bob@example.org', 'ops@example.org'] },
  ];

  test('each file needs one of its people', () => {
    expect(missing([by(ANN)], { owned })).toEqual(['owner_approval_needed']);
    expect(missing([by(ANN), by(BOB)], { owned })).toEqual([]);
    expect(missing([by(ANN)], { owned: owned.slice(0, 1) })).toEqual([]);
  });

  test('an owner who is nobody known is never met', () => {
    const unknown = [{ file: 'a.yaml', owners: ['@core'], people: [] }];
    expect(missing([by(ANN), by(BOB)], { owned: unknown })).toEqual(['owner_approval_needed']);
  });
});

describe('who edited it', () => {
  const edited: Pick<GateInput, 'content'> = {
    content: { type: 'constant_tune', risk: 'low', proposer: SYSTEM, modifiers: [ANN] },
  };

  test('cannot approve it alone', () => {
    expect(missing([by(ANN)], edited)).toEqual(['modifier_alone']);
    expect(missing([by(ANN), by(BOB)], edited)).toEqual([]);
    expect(missing([by(BOB)], edited)).toEqual([]);
  });

  test('no automatic tier decides an edited change', () => {
    const verdict = decisionGate({
      ...{ ...GATE, ...edited, digest: DIGEST, attestations: EVIDENCE },
      automaticTiers: ['auto', 'notify'],
    });
    expect(verdict.tier).toBe('approve');
  });
});

describe('without deciding', () => {
  test('requested changes hold it until their maker approves or the bytes change', () => {
    const wanted = by(ANN, 'changes_requested');
    expect(missing([wanted, by(BOB)])).toEqual(['changes_requested']);
    expect(missing([by(BOB), wanted])).toEqual(['changes_requested']);
    expect(missing([wanted, by(BOB), by(ANN)])).toEqual([]);
    const earlier = by(ANN, 'changes_requested', { contentDigest: OTHER });
    expect(missing([earlier, by(BOB)])).toEqual([]);
  });

  test('escalated, it needs the highest tier, whatever its bytes became', () => {
    const escalated = by(ANN, 'escalated', { contentDigest: OTHER });
    expect(missing([escalated, by(OPERATOR)])).toEqual(['tier_too_low']);
    expect(missing([escalated, by(OPERATOR, 'approved', { tier: 'require' })])).toEqual([]);
    expect(missing([by(CODER, 'escalated'), by(OPERATOR)])).toEqual([]);
  });

  test('paused, nothing opens it until it is resumed', () => {
    const hold = (verdict: 'paused' | 'resumed', actor = ANN) =>
      attestation('hold', verdict, { actor, contentDigest: OTHER });
    expect(missing([by(BOB), hold('paused')])).toEqual(['paused']);
    expect(missing([hold('paused'), by(BOB), hold('resumed')])).toEqual([]);
    expect(missing([hold('paused'), hold('resumed', CODER), by(BOB)])).toEqual(['paused']);
  });
});
