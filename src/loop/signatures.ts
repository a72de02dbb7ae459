/** Decisions with a signature: made by hand, and verified again before a deployment. */
import type { Actor, Attestation } from '../facts/index.ts';
import { isKnownAgent } from '../identity/index.ts';
import {
  type Dossier,
  decidedBy,
  decisionStatement,
  type ProposalStep,
  readSignedDecision,
  signedDecisionFile,
} from '../proposal/index.ts';
import type { LoopPorts } from './types.ts';

/** Gives the signature of a text, or says why there is none. */
export type Sign = (
  text: string,
) => Promise<
  { readonly ok: true; readonly signature: string } | { readonly ok: false; readonly why: string }
>;

const NOT_AN_AGENT = 'An agent never approves, not even with a signature.';

/** Whether an allowed signer who is not an agent signed exactly the newest decision, or the one that it carries over. */
export async function isNewestSigned(
  { proposal, attestations }: Dossier,
  ports: Pick<LoopPorts, 'store' | 'config' | 'verifySignature'>,
): Promise<boolean> {
  const decision = decidedBy(attestations, proposal.digest);
  return decision !== undefined && isSignatureValid(decision, ports);
}

/** The same for one decision. */
export async function isSignatureValid(
  decision: Attestation<'decision'>,
  { store, config, verifySignature }: Pick<LoopPorts, 'store' | 'config' | 'verifySignature'>,
): Promise<boolean> {
  if (decision.actor.verified !== 'signature') return false;
  if (isKnownAgent(config.identity.agents, [decision.actor.id])) return false;
  const signed = await readSignedDecision(store, decision);
  if (signed === undefined) return false;
  const { statement: text, signature } = signed;
  return (await verifySignature({ text, signature, person: decision.actor.id })).ok;
}

/** The step of an approval with its signature, verified just as it will be before the deployment. */
export async function signedStep(
  { proposal }: Dossier,
  step: ProposalStep,
  { actor, sign, ports }: { actor: Actor; sign: Sign; ports: LoopPorts },
): Promise<{ readonly step: ProposalStep } | { readonly refused: string }> {
  if (isKnownAgent(ports.config.identity.agents, [actor.id])) return { refused: NOT_AN_AGENT };
  const [decision, ...others] = step.attestations ?? [];
  if (decision?.kind !== 'decision' || others.length > 0) throw new TypeError('not a decision');
  const { id: proposalId, digest: contentDigest } = proposal;
  const stated = { ...decision, proposalId, contentDigest, actor };
  const text = decisionStatement(stated, await ports.store.nowMs());
  const made = await sign(text);
  if (!made.ok) return { refused: `It was not signed: ${made.why}` };
  const { signature } = made;
  const verified = await ports.verifySignature({ text, signature, person: actor.id });
  if (!verified.ok) {
    return { refused: `The signature of ${actor.id} does not count: ${verified.why}` };
  }
  const files = [...(decision.files ?? []), signedDecisionFile({ statement: text, signature })];
  return { step: { ...step, attestations: [{ ...decision, actor, files }] } };
}
