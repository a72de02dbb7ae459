/**
 * The commit of an approved change: exactly the approved diff on exactly its base, and nothing else. It is
 * made from committed facts (the decision's time is the author's; where people review the commit itself, that of the
 * evidence), so making it again makes the same one.
 */
import { digestOfBytes } from '../base/index.ts';
import type { CommitId, TargetRepository, TreeId } from '../git/index.ts';
import { type Dossier, latestByMode, latestDecision } from '../proposal/index.ts';
import { gitProblem } from './answers.ts';
import { patchMessage } from './commit-message.ts';
import { DeployError } from './errors.ts';
import { forgeKind } from './forges.ts';
import { namesOf, plainLine } from './plain-text.ts';
import type { DeployPorts } from './types.ts';

export type PatchCommit =
  | { readonly commit: CommitId; readonly baseTree: TreeId }
  /** It can never be deployed as it is. */
  | { readonly why: string };

export async function makePatchCommit(dossier: Dossier, ports: DeployPorts): Promise<PatchCommit> {
  const { repository, author } = ports;
  const { baseCommit, files } = dossier.content;
  const applied = await applyApproved(dossier, ports);
  if ('why' in applied) return applied;
  const { tree: baseTree } = await repository.commitInfo(baseCommit);
  if (applied.tree === baseTree) return { why: 'its patch changes nothing' };
  const commit = await repository.commit({
    tree: applied.tree,
    parents: [baseCommit],
    message: patchMessage(dossier),
    author: { ...author, atMs: madeAtMs(dossier, ports.forge) },
  });
  const scope = await gitProblem(() => scopeOf(repository, { baseCommit, commit, files }));
  if (scope.why !== undefined) return { why: scope.why };
  const back = await repository.revert(commit, commit);
  if (!back.ok || back.tree !== baseTree)
    return { why: 'taking it back does not restore its base' };
  return { commit, baseTree };
}

/** The tree of the base with the approved diff applied. */
export async function applyApproved(
  dossier: Dossier,
  ports: DeployPorts,
): Promise<{ readonly tree: TreeId } | { readonly why: string }> {
  const diff = await approvedDiff(dossier, ports);
  const applied = await ports.repository.applyPatch(dossier.content.baseCommit, diff);
  return applied.ok ? applied : { why: `its patch does not apply: ${plainLine(applied.why)}` };
}

/** The stored diff is not trusted: it is compared with what was approved. */
export async function approvedDiff({ content }: Dossier, ports: DeployPorts): Promise<string> {
  const { diffDigest: digest } = content;
  const text = await ports.diffText(digest);
  if (digestOfBytes(text) === digest) return text;
  throw new DeployError('diff_altered', `The diff ${digest} is not the one that was approved.`, {
    hint: 'Somebody or something changed the database. Run hone ledger verify and restore a backup.',
  });
}

function madeAtMs(dossier: Dossier, forge: string): number {
  if (forgeKind(forge).isReviewed !== true) return decidedAtMs(dossier);
  const { proposal, attestations } = dossier;
  const evidence = [...latestByMode(attestations, proposal.digest).values()];
  return Math.max(0, ...evidence.map(({ atMs }) => atMs));
}

function decidedAtMs({ proposal, attestations }: Dossier): number {
  const decision = latestDecision(attestations, proposal.digest);
  if (decision !== undefined) return decision.atMs;
  throw new DeployError('no_decision', `Nobody has decided about the proposal ${proposal.id}.`);
}

interface Scope {
  readonly baseCommit: CommitId;
  readonly commit: CommitId;
  readonly files: readonly string[];
}

/** Exactly the declared files: the rest is one tree before and after, and each of them differs. */
async function scopeOf(
  repository: TargetRepository,
  { baseCommit, commit, files }: Scope,
): Promise<{ readonly why?: string }> {
  const gone = [...new Set(files)].map((path) => ({ path, content: null }));
  const [before, after] = [
    await repository.writeFiles(baseCommit, gone),
    await repository.writeFiles(commit, gone),
  ];
  if (before !== after) return { why: 'it changes files that it does not name' };
  const untouched: string[] = [];
  for (const path of files) {
    const same =
      (await sameBytes(repository, path, [baseCommit, commit])) &&
      (await kindOf(repository, baseCommit, path)) === (await kindOf(repository, commit, path));
    if (same) untouched.push(path);
  }
  return untouched.length === 0
    ? {}
    : { why: `it names files that it does not change: ${namesOf(untouched)}` };
}

/** Whether a file is the same in two commits; in neither is the same. */
export async function sameBytes(
  repository: TargetRepository,
  path: string,
  [one, other]: readonly [CommitId, CommitId],
): Promise<boolean> {
  const [a, b] = [await repository.readFile(one, path), await repository.readFile(other, path)];
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}

async function kindOf(
  repository: TargetRepository,
  commit: CommitId,
  path: string,
): Promise<string | undefined> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const files = await repository.listFiles(commit, folder);
  return files.find((file) => file.path === path)?.kind;
}
