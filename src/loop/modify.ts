/**
 * A person edits a proposed change: other bytes on the same base, so another digest. What is said of it is made from
 * the new bytes; nothing that was found out about the old ones counts, and it is vetted and validated anew. Who edited
 * it stands in its content, and the gate lets none of them approve it alone.
 */
import { makeArtifact } from '../artifact/index.ts';
import { decodeText, readDocument } from '../document/index.ts';
import {
  type Actor,
  type Change,
  comparedId,
  type ProposalContent,
  RISKS,
  samePlace,
} from '../facts/index.ts';
import { type FilePatch, parsePatch } from '../git/index.ts';
import { AMENDABLE_STATES, type Dossier, readDossier } from '../proposal/index.ts';
import { maskDiff, recordedText } from '../sanitise/index.ts';
import { authorOf } from './adapters/target.ts';
import { type ByHand, commitByHand } from './by-hand.ts';
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

interface Options {
  readonly actor: Actor;
  readonly ports: LoopPorts;
}

export async function modifyByHand(
  id: string,
  modification: Modification,
  options: Options,
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
  // Before it is stored anywhere: the record cannot forget.
  const [secret] = maskDiff(diff).hidden.filter(({ incoming }) => incoming);
  if (secret !== undefined) {
    return `Line ${secret.line} of the diff brings in what looks like a secret or personal data (${secret.kind}). Take it out.`;
  }
  return undefined;
}

interface Edited {
  readonly commit: string;
  readonly diff: string;
  readonly files: readonly FilePatch[];
}

/** The diff as git writes it: whatever else the given text holds is not part of the change. */
async function editedFiles(
  { content }: Dossier,
  given: string,
  ports: LoopPorts,
): Promise<Edited | { readonly why: string }> {
  const { repository, store } = ports;
  const { baseCommit } = content;
  const applied = await repository.applyPatch(baseCommit, given);
  if (!applied.ok) {
    return {
      why: `The diff does not apply to the base ${baseCommit.slice(0, 12)}: ${applied.why}. Make it with "git diff ${baseCommit.slice(0, 12)}".`,
    };
  }
  const commit = await repository.commit({
    tree: applied.tree,
    parents: [baseCommit],
    message: content.title,
    author: { ...authorOf(ports), atMs: await store.nowMs() },
  });
  const diff = await repository.diff(baseCommit, commit);
  const parsed = parsePatch(diff);
  if (!parsed.ok || parsed.files.length === 0) return { why: 'The diff changes nothing.' };
  if (makeArtifact(diff, 'text/x-diff').digest === content.diffDigest) {
    return { why: 'The diff is the one that is proposed already.' };
  }
  return { commit, diff, files: parsed.files };
}

async function contentOf(
  before: ProposalContent,
  edited: Edited,
  about: { modification: Modification; reason: string; options: Options },
): Promise<ProposalContent> {
  const { modification, reason, options } = about;
  const { actor, ports } = options;
  const change = await changeOf(before, edited, ports);
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

const changedLines = ({ hunks }: FilePatch) =>
  hunks.flatMap(({ lines }) => lines).filter(([sign]) => sign !== ' ').length;

/** From the bytes: one value on one line of one file, or an edit of its first file. */
async function changeOf(
  before: ProposalContent,
  { files, commit }: Edited,
  { repository }: LoopPorts,
): Promise<Change> {
  const [first] = files;
  const file = first!.path;
  if (first!.action === 'create') return { kind: 'add_file', file };
  const edit = { kind: 'edit_code', file, symbol: 'several places' } as const;
  if (files.length > 1 || changedLines(first!) !== 2) return edit;
  const [old, now] = await Promise.all(
    [before.baseCommit, commit].map(async (at) => {
      const bytes = await repository.readFile(at, file);
      const reading = bytes && readDocument(file, decodeText(bytes) ?? '');
      return reading?.ok === true ? reading.document.values : undefined;
    }),
  );
  if (old === undefined || now === undefined || old.length !== now.length) return edit;
  const isEqual = (at: number) =>
    old[at]!.path.join('\0') === now[at]!.path.join('\0') && old[at]!.text === now[at]!.text;
  const [at, ...others] = old.keys().filter((index) => !isEqual(index));
  if (at === undefined || others.length > 0) return edit;
  const [{ path, value: from }, { value: to }] = [old[at]!, now[at]!];
  if (from === null || to === null || path.length === 0) return edit;
  return { kind: 'set_value', file, path: [...path], from, to };
}
