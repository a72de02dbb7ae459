/** An approval on a base that moved: it counts under every condition together, and under none that is broken. */
import { describe, expect, test } from 'vitest';
import { draft, GATE, makeContent, OPERATOR, TARGET, validations } from '../../test/proposals.ts';
import { digestOf } from '../base/index.ts';
import { type Attestation, SYSTEM } from '../facts/index.ts';
import {
  CARRIED_AGE_MS_MAX,
  type CarryFacts,
  deployGate,
  evidenceDigest,
  type GateInput,
  type GateReason,
} from './index.ts';

const OLD = digestOf('the change on the old base');
const NEW = digestOf('the change on the new base');
const [FROM, TO] = ['a'.repeat(40), 'b'.repeat(40)];
const DECIDED_MS = 1_000;
const FACTS: CarryFacts = {
  fromBase: FROM,
  toBase: TO,
  isDescendant: true,
  isSameChange: true,
  differing: [],
  isSameConfiguration: true,
  worse: [],
  nowMs: DECIDED_MS + CARRIED_AGE_MS_MAX,
};

type Change = (all: Attestation[]) => void;

/** Approved on the old base, carried over to the new one. `change` sees all of it before the backup is made. */
function story({ after, change }: { after?: Change; change?: Change } = {}): Attestation[] {
  const all: Attestation[] = [];
  const add = (one: ReturnType<typeof draft>, atMs = DECIDED_MS) =>
    all.push({ ...one, id: `att_${all.length}`, proposalId: 'p', atMs } as Attestation);
  const proven = (digest: string) => {
    add(draft('vetting', 'passed', digest));
    for (const one of validations('passed', digest, { improvesTarget: true })) add(one);
  };
  const decides = (digest: string) => ({
    ...({ tier: 'approve', target: TARGET, evidenceDigest: evidenceDigest(all, digest) } as const),
  });
  proven(OLD);
  add(draft('decision', 'approved', OLD, { ...decides(OLD), actor: OPERATOR }));
  const decisionId = all.at(-1)!.id;
  after?.(all);
  proven(NEW);
  const carried = { decisionId, fromBase: FROM, fromDigest: OLD, toBase: TO };
  add(draft('decision', 'carried', NEW, { ...decides(NEW), actor: SYSTEM, carried }));
  change?.(all);
  add(draft('backup', 'made', NEW));
  return all;
}

const { type } = makeContent();
function missing(attestations: readonly Attestation[], more: Partial<GateInput> = {}) {
  const content = { type, risk: 'low', proposer: SYSTEM } as const;
  const input: GateInput = { ...GATE, digest: NEW, content, attestations, carry: FACTS };
  const verdict = deployGate({ ...input, ...more });
  return verdict.open ? [] : verdict.missing;
}

/** Says it once more, about these bytes, by whoever is given. */
const said =
  (kind: 'rollback' | 'decision', verdict: string, digest: string, more = {}): Change =>
  (all) => {
    const one = draft(kind, verdict as 'requested', digest, { actor: OPERATOR, ...more });
    all.push({
      ...one,
      id: `att_more_${all.length}`,
      proposalId: 'p',
      atMs: DECIDED_MS,
    } as Attestation);
  };

const edited =
  (pick: (one: Attestation) => boolean, changes: object): Change =>
  (all) => {
    const at = all.findLastIndex(pick);
    all[at] = { ...all[at]!, ...changes } as Attestation;
  };

const isCarry = ({ verdict }: Attestation) => verdict === 'carried';
const isApproval = ({ verdict }: Attestation) => verdict === 'approved';
const named = (changes: object) => ({
  carried: { decisionId: 'att_3', fromBase: FROM, fromDigest: OLD, toBase: TO, ...changes },
});

describe('APP-3 a decision that is carried over', () => {
  test('opens the gate where every condition holds', () => {
    expect(missing(story())).toEqual([]);
  });

  test.each<[string, Partial<CarryFacts> | undefined, GateReason]>([
    ['a base that does not descend', { isDescendant: false }, 'carried_base_not_descendant'],
    ['another diff', { isSameChange: false }, 'carried_change_differs'],
    ['a file that it depends on', { differing: ['test/a.js'] }, 'carried_files_differ'],
    ['another configuration', { isSameConfiguration: false }, 'carried_configuration_differs'],
    ['a worse figure', { worse: ['unit: passed'] }, 'carried_metric_worse'],
    ['more than a week', { nowMs: FACTS.nowMs + 1 }, 'carried_too_old'],
    ['a clock that went back', { nowMs: DECIDED_MS - 1 }, 'carried_too_old'],
    ['other bases than were compared', { toBase: FROM }, 'carried_not_proven'],
    ['bases that nobody compared', undefined, 'carried_not_proven'],
  ])('is refused with %s', (_, facts, reason) => {
    expect(missing(story(), { carry: facts && { ...FACTS, ...facts } })).toEqual([reason]);
  });

  test.each<[string, Parameters<typeof story>[0], readonly GateReason[]]>([
    [
      'a mode that says something else now',
      { change: edited(({ kind }) => kind === 'validation', { improvesTarget: false }) },
      ['carried_validation_differs'],
    ],
    [
      'evidence about the old base that its maker did not see',
      { after: edited(({ kind }) => kind === 'validation', { artifacts: ['sha256:other'] }) },
      ['carried_validation_differs', 'decision_on_other_evidence'],
    ],
    [
      'tier require then',
      { after: edited(isApproval, { tier: 'require' }) },
      ['carried_at_require'],
    ],
    [
      'tier require now',
      { after: said('decision', 'escalated', OLD) },
      ['carried_at_require', 'tier_too_low'],
    ],
    [
      'a review, which is about its commit',
      { after: edited(isApproval, { actor: { ...OPERATOR, verified: 'forge' } }) },
      ['carried_review'],
    ],
    ['a person who took it back', { after: said('rollback', 'requested', OLD) }, ['carried_spent']],
    [
      'a decision that was rejected since',
      { after: said('decision', 'rejected', OLD, { allows: { what: 'deployment' } }) },
      ['carried_without_decision'],
    ],
    [
      'changes that somebody requested of the old one',
      { after: said('decision', 'changes_requested', OLD, { actor: { ...OPERATOR, id: 'x' } }) },
      ['changes_requested'],
    ],
    [
      'changes that somebody requested of the new one',
      { change: said('decision', 'changes_requested', NEW, { actor: { ...OPERATOR, id: 'x' } }) },
      ['changes_requested'],
    ],
    [
      'a decision that does not exist',
      { change: edited(isCarry, named({ decisionId: 'att_none' })) },
      ['carried_without_decision'],
    ],
    [
      'an earlier carry instead of a person',
      { change: edited(isCarry, named({ decisionId: 'att_7', fromDigest: NEW })) },
      ['carried_without_decision'],
    ],
    [
      'nothing named',
      { change: edited(isCarry, { carried: undefined }) },
      ['carried_without_decision'],
    ],
    [
      'an agent that carries it',
      { change: edited(isCarry, { actor: { kind: 'agent', id: 'coder', verified: 'token' } }) },
      ['carried_without_decision'],
    ],
    [
      'another target',
      { change: edited(isCarry, { target: { ...TARGET, branch: 'release' } }) },
      ['decision_for_other_target'],
    ],
    [
      'newer evidence than it was carried on',
      {
        change: (all) =>
          all.push({ ...all.findLast(({ kind }) => kind === 'validation')!, id: 'att_v' }),
      },
      ['decision_on_other_evidence', 'decision_older_than_evidence'],
    ],
  ])('is refused with %s', (_, changes, reasons) => {
    expect([...missing(story(changes))].sort()).toEqual([...reasons].sort());
  });

  test('needs of the approval what a new one would need: people, owners, a signature', () => {
    const approvers = { approve: 2, require: 2 };
    expect(missing(story(), { approvers })).toEqual(['more_approvals_needed']);
    const owned = [{ file: 'a', owners: ['@x'], people: ['x@example.org'] }];
    expect(missing(story(), { owned })).toEqual(['owner_approval_needed']);
    const signed = story({
      after: edited(isApproval, { actor: { ...OPERATOR, verified: 'signature' } }),
    });
    expect(missing(signed)).toEqual([]);
    expect(missing(signed, { isSignatureValid: false })).toEqual(['signature_not_valid']);
  });
});
