/**
 * The kernel's moves, as pure functions from what was read to a plan. Each plan expects the version
 * that was read, so a decision is never applied to a proposal its maker did not see.
 */
import { type Artifact, artifactWrite, makeArtifact } from '../artifact/index.ts';
import { assert, canonicalJson, digestOf } from '../base/index.ts';
import {
  type Actor,
  ATTESTATION_VERDICTS,
  type Attestation,
  type AttestationKind,
  type EntryPayload,
  type ProposalContent,
  type ProposalState,
  type ScopeOf,
  type Verdict,
} from '../facts/index.ts';
import { attestationScopes, proposalContentSchema } from '../facts/schemas.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Expectation, Plan, Write } from '../store/index.ts';
import { latest, latestDecision, validationOf } from './attestations.ts';
import { decisionGate, deployGate, type GateInput, type GateReason } from './deploy-gate.ts';
import { ProposalError } from './errors.ts';
import { AMENDABLE_STATES, findTransition, type Need } from './transitions.ts';
import type { Dossier, Proposal } from './types.ts';

export const PROPOSALS = 'proposal_proposals';
export const ATTESTATIONS = 'proposal_attestations';

export type Refusal =
  | { readonly why: 'no_such_transition'; readonly from: ProposalState; readonly to: ProposalState }
  | { readonly why: 'missing_attestation'; readonly needs: readonly Need[] }
  | { readonly why: 'needs_human' }
  | { readonly why: 'gate_closed'; readonly missing: readonly GateReason[] }
  | { readonly why: 'cannot_be_amended'; readonly state: ProposalState }
  | { readonly why: 'final'; readonly state: ProposalState }
  /** Somebody else changed it since it was read. */
  | { readonly why: 'changed' };

export type Planned = { readonly plan: Plan } | { readonly refused: Refusal };

export interface GateSettings extends Omit<GateInput, 'digest' | 'content' | 'attestations'> {
  /** Checked inside the commit: a switch pulled after it was read still closes the gate. */
  readonly expect: readonly Expectation[];
}

export interface AdvanceRequest {
  readonly to: ProposalState;
  readonly actor: Actor;
  readonly reason: string;
  readonly gate: GateSettings;
  readonly nowMs: number;
}

export function planCreate(id: string, content: ProposalContent, nowMs: number): Plan {
  const artifact = contentArtifact(content);
  const title = recordedText(content.title);
  const { digest } = artifact;
  return {
    expect: [{ table: PROPOSALS, where: { id }, exists: false }],
    writes: [
      artifactWrite(artifact, nowMs),
      {
        insert: PROPOSALS,
        row: {
          id,
          version: 1,
          state: 'draft',
          digest,
          title,
          created_at_ms: nowMs,
          changed_at_ms: nowMs,
        },
      },
    ],
    entries: [
      {
        type: 'proposal.created',
        actor: content.proposer,
        subject: `proposal:${id}`,
        data: { contentDigest: digest, title },
        artifacts: [digest, content.diffDigest],
        atMs: nowMs,
      },
    ],
  };
}

/** The most text of a step that the ledger takes. */
const REASON_MAX = 4000;

const GATES = { decision: decisionGate, deploy: deployGate };

/** The one guarded way from state to state. */
export function planAdvance(dossier: Dossier, request: AdvanceRequest): Planned {
  const { proposal, content, attestations } = dossier;
  const { to, actor, nowMs } = request;
  const transition = findTransition(proposal.state, to);
  if (transition === undefined) {
    return { refused: { why: 'no_such_transition', from: proposal.state, to } };
  }
  if (transition.human === true && actor.kind !== 'human')
    return { refused: { why: 'needs_human' } };
  const said = { attestations, digest: proposal.digest, requiredModes: request.gate.requiredModes };
  const needs = transition.needs.filter((need) => !isMet(need, said));
  if (needs.length > 0) return { refused: { why: 'missing_attestation', needs } };
  if (transition.gate !== undefined) {
    const { digest } = proposal;
    const verdict = GATES[transition.gate]({ ...request.gate, digest, content, attestations });
    if (!verdict.open) return { refused: { why: 'gate_closed', missing: verdict.missing } };
  }
  const gated = transition.gate === 'deploy';
  return {
    plan: {
      expect: [unchanged(proposal), ...(gated ? request.gate.expect : [])],
      writes: [change(proposal, { state: to }, nowMs)],
      entries: [
        {
          type: 'proposal.advanced',
          actor,
          subject: `proposal:${proposal.id}`,
          data: {
            from: proposal.state,
            to,
            contentDigest: proposal.digest,
            reason: recordedText(request.reason, { lengthMax: REASON_MAX, keep: [actor.id] }),
          },
          atMs: nowMs,
        },
      ],
    },
  };
}

type SaidSoFar = Pick<GateInput, 'attestations' | 'digest' | 'requiredModes'>;

function isMet(need: Need, said: SaidSoFar): boolean {
  if (need.or !== undefined && isMet(need.or, said)) return true;
  const { verdict, actor } = newestOf(need.kind, said);
  if (verdict === undefined || !need.verdict.includes(verdict)) return false;
  return need.byPerson !== true || actor?.kind === 'human';
}

/** For validations the combined verdict of all modes, for decisions the one about the deployment. */
function newestOf(
  kind: AttestationKind,
  { attestations, digest, requiredModes }: SaidSoFar,
): { readonly verdict?: Verdict | undefined; readonly actor?: Actor } {
  if (kind === 'validation') {
    return { verdict: validationOf(attestations, digest, requiredModes).verdict };
  }
  if (kind === 'decision') return latestDecision(attestations, digest) ?? {};
  return latest(attestations, kind, digest) ?? {};
}

export type AttestationDraft<K extends AttestationKind = AttestationKind> = {
  [Kind in K]: Omit<Attestation<Kind>, 'proposalId' | 'atMs'> & {
    /** Files to keep with it; their digests join `artifacts`. */
    readonly files?: readonly Artifact[];
  };
}[K];

/** The fields that only its kind has. */
function scopeOf<K extends AttestationKind>(draft: AttestationDraft<K>): ScopeOf<K> {
  const given = draft as unknown as Readonly<Record<string, unknown>>;
  const names = Object.keys(attestationScopes[draft.kind]).filter(
    (name) => given[name] !== undefined,
  );
  return Object.fromEntries(names.map((name) => [name, given[name]])) as ScopeOf<K>;
}

/** Adds a statement about the present content, or about earlier content (which then does not count). */
export function planAttest(proposal: Proposal, draft: AttestationDraft, nowMs: number): Plan {
  const files = draft.files ?? [];
  const artifacts = [...draft.artifacts, ...files.map((file) => file.digest)];
  const { id, kind, contentDigest, verdict } = draft;
  const scope = scopeOf(draft);
  const known: readonly Verdict[] = ATTESTATION_VERDICTS[kind];
  assert(known.includes(verdict), `${verdict} is not a verdict of ${kind}`);
  const insert: Write = {
    insert: ATTESTATIONS,
    row: {
      id,
      proposal_id: proposal.id,
      position: proposal.version,
      kind,
      content_digest: contentDigest,
      verdict,
      scope: canonicalJson(scope),
      artifacts: canonicalJson(artifacts),
      actor: canonicalJson(draft.actor),
      at_ms: nowMs,
    },
  };
  return {
    expect: [unchanged(proposal)],
    writes: [
      ...files.map((file) => artifactWrite(file, nowMs)),
      insert,
      change(proposal, {}, nowMs),
    ],
    entries: [
      {
        type: 'proposal.attested',
        actor: draft.actor,
        subject: `proposal:${proposal.id}`,
        data: {
          attestationId: id,
          contentDigest,
          kind,
          verdict,
          ...scope,
        } as EntryPayload<'proposal.attested'>,
        artifacts,
        atMs: nowMs,
      },
    ],
  };
}

/** New bytes: no attestation about the old ones counts, so it starts again as a draft. */
export function planAmend(
  proposal: Proposal,
  content: ProposalContent,
  actor: Actor,
  nowMs: number,
): Planned {
  if (!AMENDABLE_STATES.includes(proposal.state)) {
    return { refused: { why: 'cannot_be_amended', state: proposal.state } };
  }
  const artifact = contentArtifact(content);
  const { digest } = artifact;
  const title = recordedText(content.title);
  return {
    plan: {
      expect: [unchanged(proposal)],
      writes: [
        artifactWrite(artifact, nowMs),
        change(proposal, { state: 'draft', digest, title }, nowMs),
      ],
      entries: [
        {
          type: 'proposal.amended',
          actor,
          subject: `proposal:${proposal.id}`,
          data: { contentDigest: digest, previousDigest: proposal.digest, title },
          artifacts: [digest, content.diffDigest],
          atMs: nowMs,
        },
      ],
    },
  };
}

function contentArtifact(content: ProposalContent): Artifact {
  const checked = proposalContentSchema.safeParse(content);
  if (!checked.success) {
    const problems = checked.error.issues.map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
    throw new ProposalError('bad_content', `The proposal is not complete: ${problems.join('; ')}.`);
  }
  const artifact = makeArtifact(canonicalJson(content), 'application/json');
  if (artifact.digest !== digestOf(content)) throw new Error('a digest names its bytes');
  return artifact;
}

function unchanged(proposal: Proposal): Expectation {
  return {
    table: PROPOSALS,
    where: { id: proposal.id, version: proposal.version },
    name: 'version',
  };
}

function change(
  proposal: Proposal,
  set: { state?: ProposalState; digest?: string; title?: string },
  nowMs: number,
): Write {
  return {
    update: PROPOSALS,
    where: unchanged(proposal).where,
    set: { ...set, version: proposal.version + 1, changed_at_ms: nowMs },
  };
}
