/** Everything that can be said about a proposal before it is deployed, described and as attestations. */
import {
  type Actor,
  type Attestation,
  type AttestationKind,
  type ProposalType,
  type Risk,
  type Tier,
  VERIFICATIONS,
  type VerdictOf,
  type Verification,
} from '../src/facts/index.ts';
import { evidenceDigest } from '../src/proposal/index.ts';
import { MODES, SCOPES } from './proposals.ts';

export const DIGEST = `sha256:${'1'.repeat(64)}` as const;
export const OTHER = `sha256:${'2'.repeat(64)}` as const;
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
  // One mode's verdict stands for no other's.
  'one mode missing',
  'one mode failed, another passed later',
  'one mode failed, then passed',
  'one mode inconclusive',
  'one mode improves, another denies it',
  'a mode that nobody asked for failed',
] as const;
const BACKUPS = ['none', 'made', 'failed', 'before the decision', 'of other bytes'] as const;

export type Decision =
  | 'none'
  | 'rejected'
  | 'of other bytes'
  // About something else than the deployment.
  | 'canary'
  | 'ab_trial'
  | 'deployment rejected, then canary'
  | 'deployment, then canary rejected'
  | {
      readonly maker: 'human' | 'proposer' | 'agent' | 'system';
      readonly verified: Verification;
      readonly tier: Tier;
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
  more: Partial<Attestation<K>> = {},
): Attestation {
  return {
    id: `att_${made++}`,
    proposalId: 'p_1',
    kind,
    contentDigest: DIGEST,
    verdict,
    artifacts: [],
    actor: { kind: 'system', id: 'hone', verified: 'local' },
    atMs: 0,
    ...SCOPES[kind],
    ...more,
  } as unknown as Attestation;
}

function vettings(which: Scenario['vetting']): Attestation[] {
  if (which === 'none') return [];
  if (which === 'of other bytes')
    return [attestation('vetting', 'passed', { contentDigest: OTHER })];
  if (which === 'passed, then held')
    return [attestation('vetting', 'passed'), attestation('vetting', 'held')];
  return [attestation('vetting', which)];
}

const CANARY = { what: 'canary', share: 0.1, durationMs: 14_400_000 } as const;
const AB_TRIAL = { what: 'ab_trial', share: 0.5, durationMs: 86_400_000 } as const;

function said(
  mode: string,
  verdict: VerdictOf<'validation'>,
  more: Partial<Attestation<'validation'>> = {},
): Attestation {
  return attestation('validation', verdict, { mode, ...more });
}

/** Each mode says the same. */
function allModes(
  verdict: VerdictOf<'validation'>,
  more: Partial<Attestation<'validation'>> = {},
): Attestation[] {
  return MODES.map((mode) => said(mode, verdict, more));
}

function validations(which: Scenario['validation']): Attestation[] {
  const [one, other] = MODES;
  switch (which) {
    case 'none':
      return [];
    case 'of other bytes':
      return allModes('passed', { contentDigest: OTHER });
    case 'improves':
      return [said(one, 'passed'), said(other, 'passed', { improvesTarget: true })];
    case 'passed':
      return allModes('passed', { improvesTarget: false });
    case 'passed, then failed':
      return [...allModes('passed', { improvesTarget: true }), ...allModes('failed')];
    case 'one mode missing':
      return [said(other, 'passed', { improvesTarget: true })];
    case 'one mode failed, another passed later':
      return [said(one, 'failed'), said(other, 'passed', { improvesTarget: true })];
    case 'one mode failed, then passed':
      return [said(one, 'failed'), said(other, 'passed'), said(one, 'passed')];
    case 'one mode inconclusive':
      return [said(one, 'inconclusive'), said(other, 'passed', { improvesTarget: true })];
    case 'one mode improves, another denies it':
      return [
        said(one, 'passed', { improvesTarget: false }),
        said(other, 'passed', { improvesTarget: true }),
      ];
    case 'a mode that nobody asked for failed':
      return [said('canary', 'failed'), ...allModes('passed', { improvesTarget: true })];
    default:
      return allModes(which);
  }
}

function decisions(which: Decision, shown: readonly Attestation[]): Attestation[] {
  if (which === 'none') return [];
  const human = { kind: 'human', id: 'operator@example.org', verified: 'signature' } as const;
  const seen = evidenceDigest(shown, DIGEST);
  const strong = { actor: human, tier: 'require', evidenceDigest: seen } as const;
  const approved = (more: Partial<Attestation<'decision'>> = {}) =>
    attestation('decision', 'approved', { ...strong, ...more });
  const rejected = (more: Partial<Attestation<'decision'>> = {}) =>
    attestation('decision', 'rejected', { ...strong, ...more });
  if (which === 'rejected') return [approved(), rejected()];
  if (which === 'of other bytes') return [approved({ contentDigest: OTHER })];
  if (which === 'canary') return [approved({ allows: CANARY })];
  if (which === 'ab_trial') return [approved({ allows: AB_TRIAL })];
  if (which === 'deployment rejected, then canary')
    return [rejected(), approved({ allows: CANARY })];
  if (which === 'deployment, then canary rejected')
    return [approved(), rejected({ allows: CANARY })];
  const kind = which.maker === 'proposer' ? 'human' : which.maker;
  const id = which.maker === 'proposer' ? PROPOSER.id : human.id;
  const actor: Actor = { kind, id, verified: which.verified };
  const { tier } = which;
  return [approved({ actor, tier, evidenceDigest: which.sawEvidence ? seen : OTHER })];
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
  const contentDigest = backup === 'of other bytes' ? OTHER : DIGEST;
  return [
    ...evidence,
    attestation('backup', backup === 'failed' ? 'failed' : 'made', { contentDigest }),
  ];
}

export function* allDecisions(tiers: readonly Tier[]): Generator<Decision> {
  yield* ['none', 'rejected', 'of other bytes', 'canary', 'ab_trial'] as const;
  yield* ['deployment rejected, then canary', 'deployment, then canary rejected'] as const;
  for (const maker of ['human', 'proposer', 'agent', 'system'] as const)
    for (const verified of VERIFICATIONS)
      for (const tier of tiers)
        for (const sawEvidence of [true, false])
          for (const beforeValidation of [false, true])
            yield { maker, verified, tier, sawEvidence, beforeValidation };
}
