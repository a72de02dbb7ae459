import { describe, expect, test } from 'vitest';
import { ruledMissing, ruledTier, VERIFICATION } from '../../test/gate-rules.ts';
import {
  allDecisions,
  attestation,
  attestationsOf,
  DIGEST,
  OTHER,
  PROPOSER,
  type Scenario,
  type Setting,
  VALIDATIONS,
} from '../../test/gate-scenarios.ts';
import { MODES, TARGET } from '../../test/proposals.ts';
import { type Actor, type Attestation, PROPOSAL_TYPES, RISKS, TIERS } from '../facts/index.ts';
import { deployGate, evidenceDigest, type GateReason } from './index.ts';

/** One kind of content per rule of the tier table, each with every way the operator set it. */
const SETTINGS: readonly Setting[] = (
  [
    ['constant_tune', 'low'],
    ['skill_improve', 'low'],
    ['constant_tune', 'medium'],
    ['meta', 'low'],
  ] as const
).flatMap(([type, risk]) => [
  ...([[], ['auto'], ['notify']] as const).map((automaticTiers) => ({
    type,
    risk,
    stopped: false,
    automaticTiers,
  })),
  { type, risk, stopped: true, automaticTiers: ['auto', 'notify'] as const },
]);

const APPROVED = {
  maker: 'human',
  verified: 'signature',
  tier: 'require',
  sawEvidence: true,
  beforeValidation: false,
} as const;

const PROVEN = {
  requiredModes: MODES,
  verification: VERIFICATION,
  target: TARGET,
  approvers: { approve: 1, require: 1 },
  owned: [],
  provenMakers: [],
  isSignatureValid: true,
  isReviewValid: true,
  isRecordProven: true,
} as const;

const content = ({ type, risk }: Setting) => ({ type, risk, proposer: PROPOSER });

function judge(setting: Setting, scenario: Scenario, attestations: readonly Attestation[]) {
  const verdict = deployGate({
    ...setting,
    digest: DIGEST,
    content: content(setting),
    attestations,
    ...PROVEN,
  });
  const actual = verdict.open ? [] : [...verdict.missing].sort();
  const expected = ruledMissing(setting, scenario).sort();
  // Compared by hand: a million calls of `expect` would take minutes.
  if (actual.join() === expected.join() && verdict.tier === ruledTier(setting, scenario))
    return verdict;
  throw new Error(`${JSON.stringify({ setting, scenario })}: said ${actual}, ruled ${expected}`);
}

describe('the deploy gate', () => {
  test('agrees with the rules on every combination', () => {
    let judged = 0;
    let open = 0;
    for (const vetting of ['none', 'passed', 'held', 'of other bytes'] as const)
      for (const validation of VALIDATIONS)
        for (const backup of ['none', 'made', 'failed', 'before the decision'] as const)
          for (const decision of allDecisions(vetting === 'passed' ? TIERS : ['require'])) {
            const scenario = { vetting, validation, decision, backup };
            const attestations = attestationsOf(scenario);
            for (const setting of SETTINGS) {
              judged += 1;
              if (judge(setting, scenario, attestations).open) open += 1;
            }
          }
    expect(judged).toBe(489_216);
    expect(open).toBeGreaterThan(0);
  });

  test('agrees for every type, risk and automatic tier', () => {
    const settings = PROPOSAL_TYPES.flatMap((type) =>
      RISKS.flatMap((risk) =>
        [[], ['auto'], ['notify'], ['auto', 'notify'], TIERS].flatMap((automaticTiers) =>
          [true, false].map((stopped) => ({ type, risk, automaticTiers, stopped }) as Setting),
        ),
      ),
    );
    let open = 0;
    for (const vetting of ['passed', 'passed, then held', 'failed'] as const)
      for (const validation of VALIDATIONS)
        for (const backup of ['made', 'of other bytes'] as const)
          for (const maker of ['human', 'system'] as const)
            for (const tier of TIERS) {
              const decision = { ...APPROVED, maker, tier };
              const scenario: Scenario = { vetting, validation, backup, decision };
              const attestations = attestationsOf(scenario);
              for (const setting of settings)
                if (judge(setting, scenario, attestations).open) open += 1;
            }
    expect(open).toBeGreaterThan(0);
  });

  test.each<[string, Partial<Parameters<typeof deployGate>[0]>, GateReason]>([
    [
      'APP-3 another branch',
      { target: { ...TARGET, branch: 'release' } },
      'decision_for_other_target',
    ],
    [
      'APP-3 another repository',
      { target: { ...TARGET, repository: 'shop-2' } },
      'decision_for_other_target',
    ],
    ['a signature that does not verify', { isSignatureValid: false }, 'signature_not_valid'],
    ['rows that were not proven', { isRecordProven: false }, 'rows_differ_from_ledger'],
  ])('%s closes it, for a reason of its own', (_, other, reason) => {
    const signed = { ...APPROVED, verified: 'signature' } as const;
    const scenario = { vetting: 'passed', validation: 'passed', backup: 'made' } as const;
    for (const setting of SETTINGS.filter(({ stopped }) => !stopped)) {
      const attestations = attestationsOf({ ...scenario, decision: signed });
      const input = { ...setting, ...PROVEN, digest: DIGEST, content: content(setting) };
      expect(deployGate({ ...input, attestations }).open).toBe(true);
      const missing = deployGate({ ...input, attestations, ...other });
      // At a tier that decides without a person there is no signature to ask for.
      const isAsked = reason !== 'signature_not_valid' || !setting.automaticTiers.length;
      if (isAsked) expect(missing).toMatchObject({ open: false, missing: [reason] });
    }
  });

  test('a decision about no target at all opens nothing', () => {
    const scenario = { vetting: 'passed', validation: 'passed', backup: 'made' } as const;
    // A row that somebody wrote past Hone may lack anything.
    const attestations = attestationsOf({ ...scenario, decision: APPROVED }).map(
      (one) => ({ ...one, target: undefined }) as unknown as Attestation,
    );
    const setting = SETTINGS[0]!;
    const input = { ...setting, ...PROVEN, digest: DIGEST, content: content(setting) };
    expect(deployGate({ ...input, attestations })).toMatchObject({
      missing: ['decision_for_other_target'],
    });
  });

  test('a decision whose verdict is not one of its own counts as none', () => {
    const scenario: Scenario = {
      vetting: 'passed',
      validation: 'passed',
      backup: 'made',
      decision: APPROVED,
    };
    const attestations = attestationsOf(scenario);
    const setting = SETTINGS[0]!;
    const gate = (all: readonly Attestation[]) =>
      deployGate({
        ...setting,
        digest: DIGEST,
        content: content(setting),
        attestations: all,
        ...PROVEN,
      });
    expect(gate(attestations).open).toBe(true);
    const odd = attestations.map((one) =>
      one.kind === 'decision' ? ({ ...one, verdict: 'passed' } as unknown as Attestation) : one,
    );
    expect(gate(odd)).toMatchObject({ open: false, missing: ['decision_rejected'] });
  });

  test('a review meets require only where the forge was chosen for it, and was read again', () => {
    const reviewed = { ...APPROVED, verified: 'forge' } as const;
    const attestations = attestationsOf({
      ...({ vetting: 'passed', validation: 'passed', backup: 'made' } as const),
      decision: reviewed,
    });
    const ask = (more: Partial<Parameters<typeof deployGate>[0]>) =>
      deployGate({
        ...SETTINGS[0]!,
        ...PROVEN,
        digest: DIGEST,
        content: { type: 'meta', risk: 'high', proposer: PROPOSER },
        attestations,
        ...more,
      });
    const forge = { approve: 'local', require: 'forge' } as const;
    expect(ask({ verification: forge }).open).toBe(true);
    expect(ask({ verification: forge, isReviewValid: false })).toMatchObject({
      missing: ['review_not_valid'],
    });
    for (const require of ['local', 'token', 'signature'] as const)
      expect(ask({ verification: { approve: 'local', require } })).toMatchObject({
        missing: ['not_verified_enough'],
      });
  });

  test.each([
    'operator@example.org',
    'Operator@Example.ORG',
    ' operator@example.org',
    'oper\u200bator@example.org',
    '\uff4fperator@example.org',
  ])('nobody approves their own proposal, however they spell themselves: %j', (id) => {
    const scenario: Scenario = {
      vetting: 'passed',
      validation: 'passed',
      backup: 'made',
      decision: APPROVED, // by operator@example.org
    };
    const gate = (proposer: Actor) =>
      deployGate({
        ...SETTINGS[0]!,
        digest: DIGEST,
        content: { type: 'meta', risk: 'high', proposer },
        attestations: attestationsOf(scenario),
        ...PROVEN,
      });
    const own = { open: false, tier: 'require', missing: ['own_proposal'] };
    expect(gate({ kind: 'human', id, verified: 'local' })).toEqual(own);
    expect(gate({ kind: 'human', id: `another-${id}`, verified: 'local' }).open).toBe(true);
  });

  test('any new vetting or validation, and any file of theirs, is other evidence', () => {
    const vetting = attestation('vetting', 'passed');
    const validation = attestation('validation', 'passed') as Attestation<'validation'>;
    const all: readonly (readonly Attestation[])[] = [
      [],
      [vetting],
      [vetting, validation],
      [vetting, validation, attestation('validation', 'passed')],
      [vetting, validation, attestation('validation', 'passed', { mode: 'canary' })],
      [vetting, { ...validation, mode: 'canary' }],
      [vetting, { ...validation, artifacts: [OTHER] }],
      [vetting, { ...validation, verdict: 'inconclusive' }],
    ];
    const digests = all.map((one) => evidenceDigest(one, DIGEST));
    expect(new Set(digests).size).toBe(digests.length);
    const unrelated = [
      vetting,
      validation,
      attestation('backup', 'made'),
      attestation('vetting', 'held', { contentDigest: OTHER }),
    ];
    expect(evidenceDigest(unrelated, DIGEST)).toBe(digests[2]);
  });
});
