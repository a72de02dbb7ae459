/**
 * The rules of the deploy gate, written down a second time: over a scenario's description, not over
 * attestations, so that the gate's way of reading attestations is tested too.
 */
import { TIERS, type Tier } from '../src/facts/index.ts';
import type { GateReason } from '../src/proposal/index.ts';
import type { Scenario, Setting } from './gate-scenarios.ts';

export const VERIFICATION = { approve: 'local', require: 'token' } as const;

/** The tier by APP-1, with what is not switched on acting as approve. */
export function ruledTier({ type, risk, automaticTiers }: Setting, { validation }: Scenario): Tier {
  const passed = validation === 'improves' || validation === 'passed';
  const always = ['formula_change', 'behavior_fix', 'meta'].includes(type);
  if (risk === 'high' || always || !passed) return 'require';
  if (risk === 'medium') return 'approve';
  const tier = type === 'constant_tune' && validation === 'improves' ? 'auto' : 'notify';
  return automaticTiers.includes(tier) ? tier : 'approve';
}

/** The rules, one line each. */
export function ruledMissing(setting: Setting, scenario: Scenario): GateReason[] {
  const { vetting, validation, decision, backup } = scenario;
  const tier = ruledTier(setting, scenario);
  const missing: GateReason[] = [];
  if (setting.stopped) missing.push('stopped');
  if (vetting !== 'passed') missing.push('not_vetted');
  if (!['improves', 'passed', 'inconclusive'].includes(validation)) missing.push('not_validated');
  if (decision === 'none' || decision === 'of other bytes') missing.push('no_decision');
  else if (decision === 'rejected') missing.push('decision_rejected');
  else {
    if (!decision.sawEvidence) missing.push('decision_on_other_evidence');
    if (decision.beforeValidation && validation !== 'none' && validation !== 'of other bytes') {
      missing.push('decision_older_than_evidence');
    }
    if (decision.tier === null || TIERS.indexOf(decision.tier) < TIERS.indexOf(tier)) {
      missing.push('tier_too_low');
    }
    if (decision.maker === 'agent') missing.push('agent_decided');
    else if (tier === 'approve' || tier === 'require') {
      if (decision.maker === 'system') missing.push('not_a_person');
      if (decision.maker === 'proposer') missing.push('own_proposal');
      const enough =
        tier === 'approve'
          ? ['local', 'token', 'signature', 'forge']
          : ['token', 'signature', 'forge'];
      if (!enough.includes(decision.verified)) missing.push('not_verified_enough');
    }
  }
  const decided = decision !== 'none' && decision !== 'of other bytes';
  if (backup === 'before the decision' && decided) missing.push('backup_older_than_decision');
  else if (backup !== 'made' && backup !== 'before the decision') missing.push('no_backup');
  return missing;
}
