/**
 * An approval and a base that moved: the change was applied to the new base and validated again, and the approval is carried
 * over where nothing that mattered for it differs (`proposal/carried-decision.ts`). Here is what the gate cannot find out:
 * what git says about the two bases, and what the reports of validation measured on them.
 */
import { posix } from 'node:path';
import { ArtifactError, readArtifact } from '../artifact/index.ts';
import { canonicalJson, type Digest, type Json } from '../base/index.ts';
import { acceptedAtMs } from '../config/index.ts';
import { type Attestation, type ProposalContent, SYSTEM } from '../facts/index.ts';
import { proposalContentSchema } from '../facts/schemas.ts';
import { CODE_OWNERS_PLACES, HONE_PATHS, matchingPath } from '../policy/index.ts';
import {
  type CarryFacts,
  type Dossier,
  evidenceDigest,
  type GateReason,
  type GateSettings,
  latestByMode,
  latestDecision,
  type ProposalStep,
  type StepAttestation,
  tierOf,
  verdictWith,
} from '../proposal/index.ts';
import { canBeRead, worseMeasures } from '../validate/index.ts';
import { authorOf } from './adapters/target.ts';
import { validatePorts } from './adapters/validate.ts';
import { approvalsOf } from './approvals.ts';
import type { Moment } from './moment.ts';
import { gateWords } from './refusal-text.ts';
import { isSignatureValid } from './signatures.ts';

export type Carried = NonNullable<Attestation<'decision'>['carried']>;

/** The step that carries it over, or why it cannot be; undefined where nobody approved an earlier base. */
export async function carryOver(
  dossier: Dossier,
  moment: Moment,
): Promise<{ readonly step: ProposalStep } | { readonly why: string } | undefined> {
  const decided = earlierApproval(dossier);
  if (decided === undefined) return undefined;
  const before = await contentOf(decided.contentDigest, moment);
  if (before === undefined) return { why: 'what was approved then cannot be read any more' };
  const said = carriedBy(dossier, { decided, before, moment });
  const gate = await carriedGate(dossier, said.carried!, moment);
  const verdict = verdictWith(dossier, [said], { actor: SYSTEM, gate, nowMs: moment.nowMs });
  if (!verdict.open) return { why: whyNot(verdict.missing, gate.carry!) };
  const [from, to] = [before.baseCommit, dossier.content.baseCommit].map((id) => id.slice(0, 12));
  const did = `The base moved from ${from} to ${to} and nothing that the change or its proof depends on differs: the approval by ${decided.actor.id} is carried over`;
  return { step: { did, attestations: [said], to: 'pending' } };
}

/** For the gate, about a decision that is carried over: everything is found out anew. */
export async function carriedGate(
  dossier: Dossier,
  carried: Carried,
  moment: Moment,
): Promise<GateSettings> {
  const decided = dossier.attestations.find(({ id }) => id === carried.decisionId);
  return {
    ...moment.gate,
    ...(await approvalsOf(dossier, carried.fromDigest, moment)),
    isSignatureValid: decided?.kind === 'decision' && (await isSignatureValid(decided, moment)),
    carry: await carryFacts(dossier, carried, moment),
  };
}

/** For a pending proposal: the gate judges what was carried over; what no longer may be is asked about again. */
export async function acceptCarried(
  dossier: Dossier,
  moment: Moment,
): Promise<ProposalStep | undefined> {
  const carried = carriedNow(dossier);
  if (carried === undefined) return undefined;
  const gate = await carriedGate(dossier, carried, moment);
  return (
    noLongerCarried(dossier, gate, moment) ?? {
      did: 'the approval of the earlier base counts',
      to: 'approved',
    }
  );
}

/** Time passes and rules change while it waits for its turn. Undefined where it still may be carried over. */
export function noLongerCarried(
  dossier: Dossier,
  gate: GateSettings,
  { nowMs }: Pick<Moment, 'nowMs'>,
): ProposalStep | undefined {
  const verdict = verdictWith(dossier, [], { actor: SYSTEM, gate, nowMs });
  if (verdict.open) return undefined;
  const why = whyNot(verdict.missing, gate.carry);
  const did = `The approval can no longer be carried over (${why}): it is validated and asked about again`;
  return { did, to: 'validating' };
}

/** What carries the newest decision, if anything does. */
export function carriedNow({ proposal, attestations }: Dossier): Carried | undefined {
  const newest = latestDecision(attestations, proposal.digest);
  return newest?.verdict === 'carried' ? newest.carried : undefined;
}

/** The newest approval of other bytes, where no decision came after it; what an earlier carry named counts, not the carry. */
function earlierApproval({ proposal, attestations }: Dossier): Attestation<'decision'> | undefined {
  const isDecided = (one: Attestation): one is Attestation<'decision'> =>
    one.kind === 'decision' &&
    one.allows.what === 'deployment' &&
    (one.verdict === 'approved' || one.verdict === 'rejected' || one.verdict === 'carried');
  const newest = attestations.findLast(isDecided);
  const named = newest?.carried?.decisionId;
  const decided =
    newest?.verdict === 'carried'
      ? attestations.filter(isDecided).find(({ id }) => id === named)
      : newest;
  const isOther = decided !== undefined && decided.contentDigest !== proposal.digest;
  // What Hone decided by itself, it decides anew.
  const isPersons = decided?.actor.kind === 'human';
  return isOther && isPersons && decided.verdict === 'approved' ? decided : undefined;
}

function carriedBy(
  dossier: Dossier,
  about: { decided: Attestation<'decision'>; before: ProposalContent; moment: Moment },
): StepAttestation<'decision'> {
  const { decided, before, moment } = about;
  const { proposal, content, attestations } = dossier;
  const { digest } = proposal;
  return {
    kind: 'decision',
    verdict: 'carried',
    allows: { what: 'deployment' },
    evidenceDigest: evidenceDigest(attestations, digest),
    tier: tierOf({ ...moment.gate, content, attestations, digest }),
    target: moment.gate.target,
    carried: {
      decisionId: decided.id,
      fromBase: before.baseCommit,
      fromDigest: decided.contentDigest as Digest,
      toBase: content.baseCommit,
    },
  };
}

async function carryFacts(
  dossier: Dossier,
  carried: Carried,
  moment: Moment,
): Promise<CarryFacts | undefined> {
  const before = await contentOf(carried.fromDigest, moment);
  const decided = dossier.attestations.find(({ id }) => id === carried.decisionId);
  if (before === undefined || decided === undefined) return undefined;
  const { content } = dossier;
  const [fromBase, toBase] = [before.baseCommit, content.baseCommit];
  const accepted = await acceptedAtMs(moment.store);
  return {
    fromBase,
    toBase,
    isDescendant: await moment.repository.isAncestor(fromBase, toBase),
    isSameChange: withoutBase(before) === withoutBase(content),
    differing: await differingFiles(content, { fromBase, toBase, moment }),
    isSameConfiguration: accepted === null || accepted <= decided.atMs,
    worse: await worseNow(dossier, carried.fromDigest, moment),
    nowMs: moment.nowMs,
  };
}

const withoutBase = (content: ProposalContent) =>
  canonicalJson({ ...content, baseCommit: '' } as unknown as Json);

async function contentOf(
  digest: string,
  { store }: Pick<Moment, 'store'>,
): Promise<ProposalContent | undefined> {
  try {
    const { content } = await readArtifact(store, digest);
    return proposalContentSchema.safeParse(JSON.parse(Buffer.from(content).toString())).data;
  } catch (error) {
    if (error instanceof ArtifactError) return undefined;
    throw error;
  }
}

/** What decides who must approve is read from the base, like what decides which rules hold. */
const RULE_PATHS: readonly string[] = [
  ...HONE_PATHS,
  ...CODE_OWNERS_PLACES.map((path) => `/${path}`),
];

/**
 * The files that differ and had to stay the same: those of the change, those that define agents (whoever the value reaches
 * is one of them), Hone's own and its policies, and all that the commands of validation can read.
 */
async function differingFiles(
  content: ProposalContent,
  { fromBase, toBase, moment }: { fromBase: string; toBase: string; moment: Moment },
): Promise<readonly string[]> {
  const { repository, config } = moment;
  const ports = validatePorts(moment);
  // A commit that no ref names, with the one as its parent and the other's files: git compares the two.
  const { tree } = await repository.commitInfo(toBase);
  const author = { ...authorOf(moment), atMs: 0 };
  const both = await repository.commit({ tree, parents: [fromBase], message: 'moved', author });
  const [changed = []] = await repository.changedPaths([both]);
  return changed.filter(
    (path) =>
      content.files.includes(path) ||
      config.target.agentFiles.some((glob) => posix.matchesGlob(path, glob)) ||
      matchingPath(path, RULE_PATHS) !== undefined ||
      canBeRead(path, ports),
  );
}

async function worseNow(
  { proposal, attestations }: Dossier,
  fromDigest: string,
  moment: Moment,
): Promise<readonly string[]> {
  const now = latestByMode(attestations, proposal.digest);
  const worse: string[] = [];
  for (const [mode, before] of latestByMode(attestations, fromDigest)) {
    const after = now.get(mode);
    const [then, since] = [await foundBy(before, moment), await foundBy(after, moment)];
    if (then === undefined || since === undefined) worse.push(`${mode}: its report`);
    else worse.push(...worseMeasures(mode, then, since));
  }
  return worse;
}

/** What a mode found, from its report; undefined where there is none that can be read. */
async function foundBy(
  validation: Attestation<'validation'> | undefined,
  { store }: Pick<Moment, 'store'>,
): Promise<Json | undefined> {
  for (const digest of validation?.artifacts ?? []) {
    const { mediaType, content } = await readArtifact(store, digest);
    if (mediaType !== 'application/json') continue;
    const report = JSON.parse(Buffer.from(content).toString()) as { found?: Json };
    return report.found;
  }
  return undefined;
}

const NAMED_MAX = 3;

function whyNot(missing: readonly GateReason[], facts: CarryFacts | undefined): string {
  const named = (all: readonly string[]) => {
    const more = all.length > NAMED_MAX ? ` and ${all.length - NAMED_MAX} more` : '';
    return all.length === 0 ? '' : ` (${all.slice(0, NAMED_MAX).join(', ')}${more})`;
  };
  const detail: Partial<Record<GateReason, string>> = {
    carried_files_differ: named(facts?.differing ?? []),
    carried_metric_worse: named(facts?.worse ?? []),
  };
  return missing.map((reason) => `${gateWords(reason)}${detail[reason] ?? ''}`).join('; ');
}
