/** Everything that can be said about a proposal before it is deployed, described and as attestations. */
import {
  type Actor,
  type Attestation,
  type AttestationKind,
  type ProposalType,
  type Risk,
  type Tier,
  VERIFICATIONS,
  type Verification,
} from '../src/facts/index.ts';
import { evidenceDigest } from '../src/proposal/index.ts';
import { TARGET } from './proposals.ts';

export const DIGEST = `sha256:${'1'.repeat(64)}`;
export const OTHER = `sha256:${'2'.repeat(64)}`;
export const PROPOSER: Actor = { kind: 'human', id: 'eve@example.org', verified: 'forge' };

const VETTINGS = [
  'none',
  'passed',
  'held',
  'failed',
  'passed, then held',
  'of other bytes',
] as const;
export const VALIDATIONS = [
  'none',
  'improves',
  'passed',
  'failed',
  'inconclusive',
  'passed, then failed',
  'of other bytes',
] as const;
const BACKUPS = ['none', 'made', 'failed', 'before the decision', 'of other bytes'] as const;

export type Decision =
  | 'none'
  | 'rejected'
  | 'of other bytes'
  | {
      readonly maker: 'human' | 'proposer' | 'agent' | 'system';
      readonly verified: Verification;
      readonly tier: Tier | null;
      readonly sawEvidence: boolean;
      readonly beforeValidation: boolean;
    };

export interface Scenario {
  readonly vetting: (typeof VETTINGS)[number];
  readonly validation: (typeof VALIDATIONS)[number];
  readonly decision: Decision;
  readonly backup: (typeof BACKUPS)[number];
}

export interface Setting {
  readonly type: ProposalType;
  readonly risk: Risk;
  readonly stopped: boolean;
  readonly automaticTiers: readonly Tier[];
}

let made = 0;
export function attestation<K extends AttestationKind>(
  kind: K,
  verdict: Attestation<K>['verdict'],
  more: Partial<Attestation> = {},
): Attestation {
  return {
    id: `att_${made++}`,
    proposalId: 'p_1',
    kind,
    subject: DIGEST,
    verdict,
    artifacts: [],
    actor: { kind: 'system', id: 'hone', verified: 'local' },
    atMs: 0,
    evidence: null,
    tier: null,
    improvesTarget: null,
    target: kind === 'decision' ? TARGET : null,
    ...more,
  };
}

function vettings(which: Scenario['vetting']): Attestation[] {
  if (which === 'none') return [];
  if (which === 'of other bytes') return [attestation('vetting', 'passed', { subject: OTHER })];
  if (which === 'passed, then held')
    return [attestation('vetting', 'passed'), attestation('vetting', 'held')];
  return [attestation('vetting', which)];
}

function validations(which: Scenario['validation']): Attestation[] {
  const passed = (more: Partial<Attestation> = {}) => attestation('validation', 'passed', more);
  if (which === 'none') return [];
  if (which === 'of other bytes') return [passed({ subject: OTHER })];
  if (which === 'improves') return [passed({ improvesTarget: true })];
  if (which === 'passed') return [passed({ improvesTarget: false })];
  if (which === 'passed, then failed')
    return [passed({ improvesTarget: true }), attestation('validation', 'failed')];
  return [attestation('validation', which)];
}

function decisions(which: Decision, shown: readonly Attestation[]): Attestation[] {
  if (which === 'none') return [];
  const human = { kind: 'human', id: 'operator@example.org', verified: 'forge' } as const;
  const evidence = evidenceDigest(shown, DIGEST);
  const strong = { actor: human, tier: 'require', evidence } as const;
  if (which === 'rejected')
    return [
      attestation('decision', 'approved', strong),
      attestation('decision', 'rejected', strong),
    ];
  if (which === 'of other bytes')
    return [attestation('decision', 'approved', { ...strong, subject: OTHER })];
  const kind = which.maker === 'proposer' ? 'human' : which.maker;
  const id = which.maker === 'proposer' ? PROPOSER.id : human.id;
  const actor: Actor = { kind, id, verified: which.verified };
  const seen = which.sawEvidence ? evidence : OTHER;
  return [attestation('decision', 'approved', { actor, tier: which.tier, evidence: seen })];
}

export function attestationsOf({ vetting, validation, decision, backup }: Scenario): Attestation[] {
  const vetted = vettings(vetting);
  const validated = validations(validation);
  const decided = decisions(decision, [...vetted, ...validated]);
  const early = typeof decision === 'object' && decision.beforeValidation;
  const evidence = early
    ? [...vetted, ...decided, ...validated]
    : [...vetted, ...validated, ...decided];
  if (backup === 'none') return evidence;
  if (backup === 'before the decision') return [attestation('backup', 'made'), ...evidence];
  const subject = backup === 'of other bytes' ? OTHER : DIGEST;
  return [...evidence, attestation('backup', backup === 'failed' ? 'failed' : 'made', { subject })];
}

export function* allDecisions(tiers: readonly (Tier | null)[]): Generator<Decision> {
  yield* ['none', 'rejected', 'of other bytes'] as const;
  for (const maker of ['human', 'proposer', 'agent', 'system'] as const)
    for (const verified of VERIFICATIONS)
      for (const tier of tiers)
        for (const sawEvidence of [true, false])
          for (const beforeValidation of [false, true])
            yield { maker, verified, tier, sawEvidence, beforeValidation };
}
