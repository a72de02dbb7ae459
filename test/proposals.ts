/** Proposals for tests: a content, and the way a proposal takes when everybody does their part. */
import { digestOfBytes } from '../src/base/index.ts';
import type { Actor, ProposalContent, Target } from '../src/facts/index.ts';
import { type Dossier, evidenceDigest, type GateSettings } from '../src/proposal/index.ts';
import type { AttestationDraft } from '../src/proposal/plans.ts';

export const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'token' };
export const BOB: Actor = { kind: 'human', id: 'bob@example.org', verified: 'local' };
export const CODER: Actor = { kind: 'agent', id: 'coder', verified: 'token' };

export const TARGET: Target = { repository: 'shop-1', branch: 'main', forge: 'local' };

/** Of somebody who has just proven what there is to prove. */
export const GATE: GateSettings = {
  stopped: false,
  automaticTiers: [],
  verification: { approve: 'local', require: 'token' },
  target: TARGET,
  isSignatureValid: true,
  isRecordProven: true,
  expect: [{ table: 'policy_stops', where: { id: 1, stopped: 1 }, exists: false, name: 'stop' }],
};

export function makeContent(changes: Partial<ProposalContent> = {}): ProposalContent {
  return {
    title: 'Wait longer for the search tool',
    type: 'constant_tune',
    category: 'bugfix',
    severity: 'medium',
    risk: 'low',
    diff: digestOfBytes('diff'),
    baseCommit: 'a'.repeat(40),
    files: ['agents/search.yaml'],
    change: {
      kind: 'set_value',
      file: 'agents/search.yaml',
      path: ['tools', 'search', 'timeout_ms'],
      from: 1000,
      to: 3000,
    },
    reach: null,
    rationale: 'It times out.',
    rootCause: 'The limit is below its p99.',
    riskAndMitigation: 'Slower answers; watched.',
    rollback: 'Revert the commit.',
    validationPlan: 'Replay.',
    evidence: ['event:1'],
    pattern: null,
    proposer: CODER,
    ...changes,
  };
}

export type Draft = Omit<AttestationDraft, 'id'>;

export function draft(
  kind: Draft['kind'],
  verdict: Draft['verdict'],
  subject: string,
  more: Partial<Draft> = {},
): Draft {
  return {
    kind,
    verdict,
    subject,
    artifacts: [],
    actor: { kind: 'system', id: 'hone', verified: 'local' },
    evidence: null,
    tier: null,
    improvesTarget: null,
    target: null,
    ...more,
  };
}

/** A decision by somebody who was shown what there is. */
export function decision(dossier: Dossier, more: Partial<Draft> = {}): Draft {
  const { digest } = dossier.proposal;
  const evidence = evidenceDigest(dossier.attestations, digest);
  return draft('decision', 'approved', digest, {
    actor: OPERATOR,
    tier: 'require',
    evidence,
    target: TARGET,
    ...more,
  });
}
