/**
 * A person edits a proposed change: other bytes on the same base, so another digest. What is said of it is made from
 * the new bytes; nothing that was found out about the old ones counts, and it is vetted and validated anew. Who edited
 * it stands in its content, and the gate lets none of them approve it alone.
 */
import { makeArtifact } from '../artifact/index.ts';
import {
  type Actor,
  type Change,
  comparedId,
  type ProposalContent,
  RISKS,
  samePlace,
} from '../facts/index.ts';
import { AMENDABLE_STATES, type Dossier, readDossier } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { type ByHand, type ByHandOptions, commitByHand } from './by-hand.ts';
import { applyGiven, changeOf, type GivenDiff, secretIn } from './given-diff.ts';
import type { LoopPorts } from './types.ts';

const DIGEST_CHARACTERS_MIN = 8;
const MODIFIERS_MAX = 20;

export interface Modification {
  /** A unified diff on the proposal's base commit. */
  readonly diff: string;
  /** The content that its maker saw, or its first characters. */
  readonly digest: string;
  readonly reason: string;
  readonly title?: string | undefined;
}

export async function modifyByHand(
  id: string,
  modification: Modification,
  options: ByHandOptions,
): Promise<ByHand> {
  const { actor, ports } = options;
  const dossier = await readDossier(ports.store, id);
  const why = whyNot(dossier, modification, actor);
  if (why !== undefined) return { done: false, why };
  const edited = await editedFiles(dossier, modification.diff, ports);
  if ('why' in edited) return { done: false, why: edited.why };
  const reason = recordedText(modification.reason);
  const content = await contentOf(dossier.content, edited, { modification, reason, options });
  const diff = makeArtifact(edited.diff, 'text/x-diff');
  return commitByHand(
    dossier,
    { did: `edited by ${actor.id}: ${reason}`, amend: { content, files: [diff] } },
    options,
  );
}

function whyNot(
  { proposal, content }: Dossier,
  { digest, diff }: Modification,
  actor: Actor,
): string | undefined {
  if (actor.kind !== 'human') return 'Only a person may edit a proposal, never an agent.';
  if (!AMENDABLE_STATES.includes(proposal.state)) {
    return `It is ${proposal.state}: its content can no longer change.`;
  }
  const given = digest.replace(/^sha256:/, '');
  if (given.length < DIGEST_CHARACTERS_MIN) {
    return `Give at least ${DIGEST_CHARACTERS_MIN} characters of the digest.`;
  }
  if (!proposal.digest.slice('sha256:'.length).startsWith(given)) {
    return `The proposal is ${proposal.digest} now, which is not what you saw. Look at it again.`;
  }
  if ((content.modifiers?.length ?? 0) >= MODIFIERS_MAX) {
    return `It was edited ${MODIFIERS_MAX} times. Reject it, and propose the change anew.`;
  }
  return secretIn(diff);
}

async function editedFiles(
  { content }: Dossier,
  diff: string,
  ports: LoopPorts,
): Promise<GivenDiff | { readonly why: string }> {
  const { baseCommit, title } = content;
  const edited = await applyGiven({ diff, baseCommit, title }, ports);
  if ('why' in edited) return edited;
  if (makeArtifact(edited.diff, 'text/x-diff').digest === content.diffDigest) {
    return { why: 'The diff is the one that is proposed already.' };
  }
  return edited;
}

async function contentOf(
  before: ProposalContent,
  edited: GivenDiff,
  about: { modification: Modification; reason: string; options: ByHandOptions },
): Promise<ProposalContent> {
  const { modification, reason, options } = about;
  const { actor, ports } = options;
  const change = await changeOf(before.baseCommit, edited, ports);
  // The same value, only another number: what was said of the kind of change still holds.
  const isSameKind = before.change.kind === 'set_value' && isSameSetting(before.change, change);
  const title = recordedText(modification.title ?? `Edited: ${before.title}`).slice(0, 120);
  const { modifiers = [], ...kept } = before;
  return {
    ...kept,
    title: title.toWellFormed(),
    type: isSameKind ? before.type : 'behavior_fix',
    risk: isSameKind || before.risk !== RISKS[0] ? before.risk : 'medium',
    diffDigest: makeArtifact(edited.diff, 'text/x-diff').digest,
    files: edited.files.map(({ path }) => path),
    change,
    reach: isSameKind ? before.reach : null,
    rationale: `${before.rationale} Edited by ${actor.id} since this was written: ${reason}`,
    modifiers: [...modifiers.filter(({ id }) => comparedId(id) !== comparedId(actor.id)), actor],
  };
}

function isSameSetting(before: Change, after: Change): boolean {
  if (before.kind !== 'set_value' || after.kind !== 'set_value') return false;
  return samePlace(before, after) && typeof before.to === typeof after.to;
}
