/**
 * Asking the right person. The tier says who may decide; a decision is bound to the exact content and
 * to the evidence its maker was shown. Waiting never approves: it is asked again, louder.
 */
import { makeArtifact } from '../artifact/index.ts';
import { canonicalJson, type Digest, isoTime } from '../base/index.ts';
import { type Actor, SYSTEM, type Target, type Tier, targetWords } from '../facts/index.ts';
import { type Dossier, evidenceDigest, type ProposalStep, tierOf } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { ApprovePorts, Decision, TierSettings } from './types.ts';

const DIGEST_CHARACTERS_MIN = 8;

/** All that is asked about so far. */
const DEPLOYMENT = { what: 'deployment' } as const;

export function askedTier({ content, proposal, attestations }: Dossier, asked: TierSettings): Tier {
  return tierOf({ ...asked, content, attestations, digest: proposal.digest });
}

/** For a validated or inconclusive proposal: it is put before whoever decides. */
export async function ask(dossier: Dossier, ports: ApprovePorts): Promise<ProposalStep> {
  const { proposal, content, attestations } = dossier;
  const tier = askedTier(dossier, ports.gate);
  const contentDigest = proposal.digest;
  return {
    did: isAutomatic(tier)
      ? `tier ${tier}: no person is asked`
      : `asked for a decision at tier ${tier}`,
    to: 'pending',
    entries: [
      {
        type: 'approve.asked',
        actor: SYSTEM,
        subject: `proposal:${proposal.id}`,
        data: {
          tier,
          contentDigest,
          evidenceDigest: evidenceDigest(attestations, contentDigest),
        },
        atMs: ports.nowMs,
      },
    ],
    effects: isAutomatic(tier)
      ? []
      : ports.notice({
          // By its version: the same content is asked about again when its target changed.
          key: `approve/${proposal.id}/${proposal.version}`,
          to: 'approver',
          severity: content.severity,
          ...askedWords(dossier, await ports.beforeDecision(), ports.notCarried),
        }),
  };
}

/** Whoever approved it before must hear that this no longer counts, and what to do about it. */
function askedWords(
  { proposal, content, attestations }: Dossier,
  beforeDecision: readonly string[],
  notCarried: string | undefined,
): { title: string; text: string } {
  const look = `Look: hone proposals show ${proposal.id}`;
  const text = (first: string) => [first, ...beforeDecision].join('\n');
  const earlier = attestations.findLast(({ kind }) => kind === 'decision');
  if (earlier?.verdict !== 'approved' && earlier?.verdict !== 'carried') {
    return { title: `Decision needed: ${content.title}`, text: text(look) };
  }
  return {
    title: `Asked again, because the earlier approval no longer counts: ${content.title}`,
    text: text(
      `${staleWords(earlier.contentDigest === proposal.digest, notCarried)} ${look}, then: ${approveCommand(proposal)}`,
    ),
  };
}

function staleWords(isSameContent: boolean, notCarried: string | undefined): string {
  if (notCarried !== undefined)
    return `Its base moved after the approval, which is not carried over: ${notCarried}.`;
  return isSameContent
    ? 'Its target or its evidence changed after the approval.'
    : 'Its base moved after the approval, so the change is a new one.';
}

/** The exact command that approves the current version. */
export function approveCommand({ id, digest }: Dossier['proposal']): string {
  return `hone approve ${id} --digest ${digest.slice(7, 19)}`;
}

/** For a pending proposal: an automatic tier decides at once; a person is waited for. */
export function awaitDecision(dossier: Dossier, ports: ApprovePorts): ProposalStep {
  const { proposal, content } = dossier;
  const tier = askedTier(dossier, ports.gate);
  if (isAutomatic(tier)) {
    return {
      did: `approved without a person, at tier ${tier}`,
      attestations: [
        {
          kind: 'decision',
          verdict: 'approved',
          allows: DEPLOYMENT,
          tier,
          evidenceDigest: seen(dossier),
          target: ports.gate.target,
          files: [
            makeArtifact(
              canonicalJson({ allowedBy: [...(ports.allowedBy ?? [])] }),
              'application/json',
            ),
          ],
        },
      ],
      to: 'approved',
      effects:
        tier === 'notify'
          ? ports.notice({
              key: `approve/${proposal.id}/${proposal.version}/told`,
              to: 'operator',
              severity: content.severity,
              title: `Approved at tier notify: ${content.title}`,
              text: `Look: hone proposals show ${proposal.id}`,
            })
          : [],
    };
  }
  // If it was asked while the clock was ahead, it waits from now on, not until that date comes.
  const waitedMs = Math.max(0, ports.nowMs - proposal.changedAtMs);
  const times = Math.floor(waitedMs / ports.askAgainAfterMs);
  const dueAtMs = ports.nowMs - waitedMs + (times + 1) * ports.askAgainAfterMs;
  if (times === 0) return { did: 'waiting for a decision', dueAtMs };
  return {
    did: `asked again after ${Math.round(waitedMs / 86_400_000)} days without an answer`,
    dueAtMs,
    entries: [
      {
        type: 'approve.asked_again',
        actor: SYSTEM,
        subject: `proposal:${proposal.id}`,
        data: { tier, times },
        atMs: ports.nowMs,
      },
    ],
    effects: ports.notice({
      key: `approve/${proposal.id}/${proposal.version}/again/${times}`,
      to: 'operator',
      severity: 'critical',
      title: `Still waiting for a decision: ${content.title}`,
      text: `Asked since ${isoTime(proposal.changedAtMs)}. Look: hone proposals show ${proposal.id}`,
    }),
  };
}

export type Decided = { readonly step: ProposalStep } | { readonly refused: string };

/** A person's decision on what they saw. The kernel's gate judges whether they may. */
export function decide(
  dossier: Dossier,
  decision: Decision,
  options: TierSettings & { readonly actor: Actor; readonly target: Target },
): Decided {
  const { proposal } = dossier;
  const given = decision.digest?.replace(/^sha256:/, '');
  if (given !== undefined) {
    if (given.length < DIGEST_CHARACTERS_MIN) {
      return { refused: `Give at least ${DIGEST_CHARACTERS_MIN} characters of the digest.` };
    }
    if (!proposal.digest.slice('sha256:'.length).startsWith(given)) {
      return {
        refused: `The proposal is ${proposal.digest} now, which is not what you saw. Look at it again.`,
      };
    }
  }
  const { actor, target } = options;
  const tier = decision.verdict === 'escalated' ? 'require' : askedTier(dossier, options);
  const reason = recordedText(decision.reason);
  const words = reason === '' ? '' : `: ${reason}`;
  const step: ProposalStep = {
    did: `${VERDICT_WORDS[decision.verdict]} by ${actor.id}${decision.verdict === 'approved' ? ` for ${targetWords(target)}` : ''}${words}`,
    attestations: [
      {
        kind: 'decision',
        verdict: decision.verdict,
        allows: DEPLOYMENT,
        tier,
        evidenceDigest: seen(dossier),
        actor,
        target,
        // Kept with the decision, so that whoever sees it sees why.
        files: reason === '' ? [] : [makeArtifact(canonicalJson({ reason }), 'application/json')],
      },
    ],
    ...movesTo(decision.verdict, proposal.state),
  };
  return { step };
}

const VERDICT_WORDS = {
  approved: 'approved',
  rejected: 'rejected',
  changes_requested: 'changes requested',
  escalated: 'escalated to tier require',
} as const satisfies Record<Decision['verdict'], string>;

/** What was approved before is asked about again; the rest stays where it is. */
function movesTo(
  verdict: Decision['verdict'],
  state: Dossier['proposal']['state'],
): Pick<ProposalStep, 'to'> {
  if (verdict === 'approved' || verdict === 'rejected') return { to: verdict };
  return state === 'approved' ? { to: 'validating' } : {};
}

function seen({ proposal, attestations }: Dossier): Digest {
  return evidenceDigest(attestations, proposal.digest);
}

function isAutomatic(tier: Tier): boolean {
  return tier === 'auto' || tier === 'notify';
}
