/**
 * The same change on the target's new head: other bytes, so another digest and another decision. Undefined
 * when it no longer applies there.
 */
import { artifactWrite, makeArtifact, readArtifact } from '../artifact/index.ts';
import type { ProposalContent } from '../facts/index.ts';
import type { CommitId } from '../git/index.ts';
import type { Dossier } from '../proposal/index.ts';
import type { Write } from '../store/index.ts';
import { authorOf } from './adapters/target.ts';
import type { Moment } from './moment.ts';

export async function movedContent(
  { content }: Dossier,
  head: CommitId,
  moment: Moment,
): Promise<{ content: ProposalContent; diff: Write } | undefined> {
  const { store, repository, nowMs } = moment;
  const old = Buffer.from((await readArtifact(store, content.diffDigest)).content).toString();
  const applied = await repository.applyPatch(head, old);
  if (!applied.ok) return undefined;
  const commit = await repository.commit({
    tree: applied.tree,
    parents: [head],
    message: content.title,
    author: { ...authorOf(moment), atMs: nowMs },
  });
  const diff = makeArtifact(await repository.diff(head, commit), 'text/x-diff');
  return {
    content: { ...content, baseCommit: head, diffDigest: diff.digest },
    diff: artifactWrite(diff, nowMs),
  };
}
