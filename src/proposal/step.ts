/**
 * What a room gives back when the loop asks it for one step of a proposal: data only. The loop makes
 * one plan of it (`planStep`) and commits that, so a step happens completely or not at all.
 */

import { type Artifact, artifactWrite } from '../artifact/index.ts';
import type { NewId } from '../base/index.ts';
import { assert } from '../base/index.ts';
import type {
  Actor,
  Attestation,
  AttestationKind,
  EffectDraft,
  EntryDraft,
  ProposalContent,
  ProposalState,
  ScopeOf,
  VerdictOf,
} from '../facts/index.ts';
import type { Expectation, Plan, Write } from '../store/index.ts';
import { decisionGate, type GateVerdict } from './deploy-gate.ts';
import {
  type AttestationDraft,
  type GateSettings,
  type Planned,
  planAdvance,
  planAmend,
  planAttest,
  planCreate,
} from './plans.ts';
import type { Dossier } from './types.ts';

export interface ProposalStep {
  /** One plain sentence: what was done, and why. */
  readonly did: string;
  /** Statements about the proposal's present content, in order. */
  readonly attestations?: readonly StepAttestation[];
  /** The state it moves to; absent when it stays where it is. */
  readonly to?: ProposalState;
  /**
   * Other bytes, in the place of `to`: it is a draft again, and no attestation about the present bytes counts
   * from then on.
   */
  readonly amend?: NewContent;
  /** Other proposals, which begin with this step. */
  readonly spawn?: readonly Spawned[];
  /** When to look again. Absent: at once if it moved, else when somebody changes it. */
  readonly dueAtMs?: number;
  /** It takes back a trial that brought nothing: nobody was harmed. */
  readonly isVain?: true;
  /** It needs a person; names the need, so that one notice is sent however often it is found. */
  readonly needsPerson?: string;
  /** The room's own rows, entries and effects; they commit with the rest. */
  readonly writes?: readonly Write[];
  readonly entries?: readonly EntryDraft[];
  readonly effects?: readonly EffectDraft[];
  /** What must still be true when it commits, such as the mode of a gate that let it pass. */
  readonly expect?: readonly Expectation[];
}

/** What is proposed, with the files that it names and that may not be kept yet, such as the diff. */
export interface NewContent {
  readonly content: ProposalContent;
  readonly files?: readonly Artifact[];
}

export interface Spawned extends NewContent {
  readonly id: string;
}

/** Always about the present content; its actor is whoever takes the step, unless given. */
export type StepAttestation<K extends AttestationKind = AttestationKind> = {
  [Kind in K]: {
    readonly kind: Kind;
    readonly verdict: VerdictOf<Kind>;
    readonly artifacts?: readonly string[];
    readonly files?: readonly Artifact[];
    readonly actor?: Actor;
  } & ScopeOf<Kind>;
}[K];

export interface StepContext {
  readonly actor: Actor;
  readonly gate: GateSettings;
  readonly nowMs: number;
  readonly newId: NewId;
}

/** One plan for the whole step: it expects the version that was read, whatever it adds. */
export function planStep(dossier: Dossier, step: ProposalStep, context: StepContext): Planned {
  const { actor, gate, nowMs, newId } = context;
  const { digest } = dossier.proposal;
  let seen = dossier;
  const parts: Plan[] = [];
  for (const one of step.attestations ?? []) {
    const draft: AttestationDraft = {
      artifacts: [],
      actor,
      ...one,
      id: newId('att'),
      contentDigest: digest,
    };
    parts.push(planAttest(seen.proposal, draft, nowMs));
    seen = withAttestation(seen, draft, nowMs);
  }
  assert(step.to === undefined || step.amend === undefined, 'amended bytes are a draft');
  if (step.amend !== undefined) {
    const { content, files = [] } = step.amend;
    const planned = planAmend(seen.proposal, content, actor, nowMs);
    if ('refused' in planned) return planned;
    parts.push(withFiles(planned.plan, files, nowMs));
  }
  if (step.to !== undefined) {
    const advance = { to: step.to, actor, reason: step.did, gate, nowMs };
    const planned = planAdvance(seen, advance);
    if ('refused' in planned) return planned;
    parts.push(planned.plan);
  }
  const [first, ...rest] = parts;
  // Later parts expect versions that this plan itself makes; only the first expected version exists yet.
  const spawned = (step.spawn ?? []).map(({ id, content, files = [] }) =>
    withFiles(planCreate(id, content, nowMs), files, nowMs),
  );
  const all = [...parts, ...spawned];
  const later = [...rest, ...spawned]
    .flatMap((part) => part.expect ?? [])
    .filter(({ name }) => name !== 'version');
  return {
    plan: {
      expect: [...(first?.expect ?? []), ...later, ...(step.expect ?? [])],
      writes: [...all.flatMap((part) => part.writes ?? []), ...(step.writes ?? [])],
      entries: [...all.flatMap((part) => part.entries ?? []), ...(step.entries ?? [])],
      effects: [...(step.effects ?? [])],
    },
  };
}

/** What the decision gate would say of the present content, once these were said too. */
export function verdictWith(
  dossier: Dossier,
  said: readonly StepAttestation[],
  { actor, gate, nowMs }: Omit<StepContext, 'newId'>,
): GateVerdict {
  const { digest: contentDigest } = dossier.proposal;
  const after = said.reduce<Dossier>((seen, one, at) => {
    const draft = { artifacts: [], actor, ...one, id: `att_next_${at}`, contentDigest };
    return withAttestation(seen, draft as AttestationDraft, nowMs);
  }, dossier);
  const { content, attestations } = after;
  return decisionGate({ ...gate, digest: contentDigest, content, attestations });
}

function withFiles(plan: Plan, files: readonly Artifact[], nowMs: number): Plan {
  const writes = files.map((file) => artifactWrite(file, nowMs));
  return { ...plan, writes: [...writes, ...(plan.writes ?? [])] };
}

function withAttestation(dossier: Dossier, draft: AttestationDraft, atMs: number): Dossier {
  const { files = [], ...rest } = draft;
  const artifacts = [...rest.artifacts, ...files.map((file) => file.digest)];
  const { proposal } = dossier;
  const attestation = { ...rest, artifacts, proposalId: proposal.id, atMs } as Attestation;
  return {
    content: dossier.content,
    proposal: { ...proposal, version: proposal.version + 1 },
    attestations: [...dossier.attestations, attestation],
  };
}
