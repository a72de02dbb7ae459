/**
 * Later changes of Hone's own that an older one cannot be undone under, because they touch the same lines. They are taken
 * back first, the newest first: each is undone from the branch exactly as any other, so what people did since stays.
 * Where a person's commit is in the way as well, undoing Hone's own changes would not help, and nothing is taken back for it.
 */
import { z } from 'zod';
import { readArtifact } from '../artifact/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import { type Dossier, rollbackCall } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { jsonFile } from './answers.ts';
import { movedTo } from './deployment-store.ts';
import { sameBytes } from './patch-commit.ts';
import type { Deployment, DeployPorts } from './types.ts';
import { undo } from './undo.ts';

interface Conflict {
  readonly deployment: Deployment;
  readonly onto: CommitId;
  readonly conflicts: readonly string[];
}

/** Proposals, the newest first; empty where taking them back would not help. */
export async function changesOnTop(
  { deployment, onto, conflicts }: Conflict,
  { store, repository }: Pick<DeployPorts, 'store' | 'repository'>,
): Promise<string[]> {
  const later: Deployment[] = [];
  for (const one of await movedTo(store, deployment))
    if ((await isOnTop(one, deployment, repository)) && (await touches(one, conflicts, repository)))
      later.push(one);
  const first: string[] = [];
  let head = onto;
  for (const one of await newestFirst(later, repository)) {
    const undone = await undo(one, head, repository);
    if (!undone.ok) return [];
    first.push(one.proposalId);
    // Only tried: nothing names this commit, and git forgets it.
    const { author, message } = await repository.commitInfo(one.commit);
    head = await repository.commit({ tree: undone.tree, parents: [head], message, author });
    if ((await undo(deployment, head, repository)).ok) return first;
  }
  return [];
}

async function isOnTop(
  { commit }: Deployment,
  below: Deployment,
  repository: TargetRepository,
): Promise<boolean> {
  return commit !== below.commit && (await repository.isAncestor(below.commit, commit));
}

async function touches(
  { baseCommit, commit }: Deployment,
  paths: readonly string[],
  repository: TargetRepository,
): Promise<boolean> {
  for (const path of paths)
    if (!(await sameBytes(repository, path, [baseCommit, commit]))) return true;
  return false;
}

/** By what the branch says: rows are dated by a clock. */
async function newestFirst(
  some: readonly Deployment[],
  repository: TargetRepository,
): Promise<Deployment[]> {
  const ranked: { readonly one: Deployment; readonly below: number }[] = [];
  for (const one of some) {
    let below = 0;
    for (const other of some) if (await isOnTop(one, other, repository)) below += 1;
    ranked.push({ one, below });
  }
  return ranked.sort((a, b) => b.below - a.below).map(({ one }) => one);
}

/** What calls for the rollback of a change that is on top of another. */
export function onTopReport(below: string, reason: string) {
  return jsonFile({ verdict: 'degraded', blame: 'none', onTopOf: below, reason });
}

const reportSchema = z.object({ onTopOf: z.string() });

/** The change below, where that is why it is taken back; undefined where it has to answer for itself. */
export async function takenBackFor(
  { proposal, attestations }: Dossier,
  store: Store,
): Promise<string | undefined> {
  const call = rollbackCall(attestations, proposal.digest);
  const [digest] = call?.artifacts ?? [];
  if (call?.kind !== 'monitoring' || digest === undefined) return undefined;
  const { mediaType, content } = await readArtifact(store, digest);
  if (mediaType !== 'application/json') return undefined;
  const report = reportSchema.safeParse(JSON.parse(Buffer.from(content).toString()));
  return report.success ? report.data.onTopOf : undefined;
}
