/**
 * The same change on the target's new head: other bytes, so another digest and another decision. Undefined
 * when it no longer applies there.
 */
import { makeArtifact } from '../artifact/index.ts';
import type { CommitId } from '../git/index.ts';
import type { Dossier, NewContent } from '../proposal/index.ts';
import { approvedDiff } from './patch-commit.ts';
import type { DeployPorts } from './types.ts';

export async function movedContent(
  dossier: Dossier,
  head: CommitId,
  ports: DeployPorts,
): Promise<NewContent | undefined> {
  const { content } = dossier;
  const { repository, author, nowMs } = ports;
  const applied = await repository.applyPatch(head, await approvedDiff(dossier, ports));
  if (!applied.ok) return undefined;
  const commit = await repository.commit({
    tree: applied.tree,
    parents: [head],
    message: content.title,
    author: { ...author, atMs: nowMs },
  });
  const diff = makeArtifact(await repository.diff(head, commit), 'text/x-diff');
  return {
    content: { ...content, baseCommit: head, diffDigest: diff.digest },
    files: [diff],
  };
}
