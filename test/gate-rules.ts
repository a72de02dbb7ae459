/**
 * The rules of the deploy gate, written down a second time: over a scenario's description, not over
 * attestations, so that the gate's way of reading attestations is tested too.
 */
import { TIERS, type Tier } from '../src/facts/index.ts';
import type { GateReason } from '../src/proposal/index.ts';
import type { Decision, Scenario, Setting } from './gate-scenarios.ts';

export const VERIFICATION = { approve: 'local', require: 'token' } as const;

const PASSED: readonly Scenario['validation'][] = [
  'improves',
  'passed',
  'one mode failed, then passed',
  'one mode improves, another denies it',
];
const IMPROVES: readonly Scenario['validation'][] = ['improves'];
const UNCLEAR: readonly Scenario['validation'][] = ['inconclusive', 'one mode inconclusive'];
const FAILED: readonly Scenario['validation'][] = [
  'failed',
  'passed, then failed',
  'one mode failed, another passed later',
  'a mode that nobody asked for failed',
];
const NO_DECISION: readonly Decision[] = ['none', 'of other bytes', 'canary', 'ab_trial'];
const REJECTED: readonly Decision[] = ['rejected', 'deployment rejected, then canary'];

/** The tier by APP-1, with what is not switched on acting as approve. */
export function ruledTier({ type, risk, automaticTiers }: Setting, { validation }: Scenario): Tier {
  const always = ['formula_change', 'behavior_fix', 'meta'].includes(type);
  if (risk === 'high' || always || !PASSED.includes(validation)) return 'require';
  if (risk === 'medium' || type === 'protocol_update') return 'approve';
  const tier = type === 'constant_tune' && IMPROVES.includes(validation) ? 'auto' : 'notify';
  return automaticTiers.includes(tier) ? tier : 'approve';
}

/** The rules, one line each. */
export function ruledMissing(setting: Setting, scenario: Scenario): GateReason[] {
  const { vetting, validation, backup } = scenario;
  // What is said about a canary afterwards changes nothing about the deployment.
  const decision =
    scenario.decision === 'deployment, then canary rejected' ? STRONG : scenario.decision;
  const tier = ruledTier(setting, scenario);
  const missing: GateReason[] = [];
  if (setting.stopped) missing.push('stopped');
  if (vetting !== 'passed') missing.push('not_vetted');
  if (FAILED.includes(validation)) missing.push('validation_failed');
  else if (!PASSED.includes(validation) && !UNCLEAR.includes(validation))
    missing.push('not_validated');
  if (NO_DECISION.includes(decision)) missing.push('no_decision');
  else if (REJECTED.includes(decision)) missing.push('decision_rejected');
  else if (typeof decision === 'object') {
    if (!decision.sawEvidence) missing.push('decision_on_other_evidence');
    if (decision.beforeValidation && validation !== 'none' && validation !== 'of other bytes') {
      missing.push('decision_older_than_evidence');
    }
    if (TIERS.indexOf(decision.tier) < TIERS.indexOf(tier)) missing.push('tier_too_low');
    if (decision.maker === 'agent') missing.push('agent_decided');
    else if (tier === 'approve' || tier === 'require') {
      if (decision.maker === 'system') missing.push('not_a_person');
      if (decision.maker === 'proposer') missing.push('own_proposal');
      const enough =
        tier === 'approve'
          ? ['local', 'token', 'signature', 'forge']
          : // A review meets require only where the forge was chosen for that, and here it was not.
            ['token', 'signature'];
      if (!enough.includes(decision.verified)) missing.push('not_verified_enough');
    }
  }
  const decided = !NO_DECISION.includes(decision);
  if (backup === 'before the decision' && decided) missing.push('backup_older_than_decision');
  else if (backup !== 'made' && backup !== 'before the decision') missing.push('no_backup');
  return missing;
}

/** Of somebody who may decide anything, and saw everything. */
const STRONG = {
  maker: 'human',
  verified: 'signature',
  tier: 'require',
  sawEvidence: true,
  beforeValidation: false,
} as const;
