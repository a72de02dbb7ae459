/** Proposals for tests: a content, and the way a proposal takes when everybody does their part. */
import { digestOfBytes } from '../src/base/index.ts';
import type {
  Actor,
  AttestationKind,
  ProposalContent,
  ScopeOf,
  Target,
  Verdict,
} from '../src/facts/index.ts';
import { type Dossier, evidenceDigest, type GateSettings } from '../src/proposal/index.ts';
import type { AttestationDraft } from '../src/proposal/plans.ts';

export const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'token' };
export const BOB: Actor = { kind: 'human', id: 'bob@example.org', verified: 'local' };
export const CODER: Actor = { kind: 'agent', id: 'coder', verified: 'token' };

export const TARGET: Target = { repository: 'shop-1', branch: 'main', forge: 'local' };

/** Two are enough to tell that one does not stand for the other. */
export const MODES = ['policy', 'replay'] as const;

/** Of somebody who has just proven what there is to prove. */
export const GATE: GateSettings = {
  stopped: false,
  requiredModes: MODES,
  automaticTiers: [],
  verification: { approve: 'local', require: 'token' },
  approvers: { approve: 1, require: 1 },
  owned: [],
  provenMakers: [],
  target: TARGET,
  isSignatureValid: true,
  isReviewValid: true,
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
    diffDigest: digestOfBytes('diff'),
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
    patternId: null,
    proposer: CODER,
    ...changes,
  };
}

export type Draft<K extends AttestationKind = AttestationKind> = {
  [Kind in K]: Omit<AttestationDraft<Kind>, 'id'>;
}[K];

const DEPLOYMENT = { what: 'deployment' } as const;

/** What an attestation of each kind says beside its verdict, unless a test says otherwise. */
export const SCOPES: { readonly [K in AttestationKind]: ScopeOf<K> } = {
  vetting: {},
  validation: { mode: 'replay', evidenceKinds: ['recorded_sessions'], improvesTarget: null },
  decision: {
    allows: DEPLOYMENT,
    evidenceDigest: digestOfBytes('none'),
    tier: 'require',
    target: TARGET,
  },
  hold: {},
  backup: {},
  deployment: {},
  arrival: {},
  monitoring: {},
  rollback: {},
};

export function draft<K extends AttestationKind>(
  kind: K,
  verdict: Verdict,
  contentDigest: string,
  more: Partial<Draft<K>> = {},
): Draft {
  return {
    kind,
    verdict,
    contentDigest,
    artifacts: [],
    actor: { kind: 'system', id: 'hone', verified: 'local' },
    ...SCOPES[kind],
    ...more,
  } as unknown as Draft;
}

/** One verdict of each required mode. */
export function validations(
  verdict: Verdict,
  contentDigest: string,
  more: Partial<Draft<'validation'>> = {},
): Draft[] {
  return MODES.map((mode) => draft('validation', verdict, contentDigest, { mode, ...more }));
}

/** A decision by somebody who was shown what there is. */
export function decision(dossier: Dossier, more: Partial<Draft<'decision'>> = {}): Draft {
  const { digest } = dossier.proposal;
  return draft('decision', 'approved', digest, {
    actor: OPERATOR,
    evidenceDigest: evidenceDigest(dossier.attestations, digest),
    ...more,
  });
}
