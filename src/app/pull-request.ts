/** The text of a task's pull request, made from its evidence and nothing else; kept as Hone's own evidence of the phase. */
import type { EvidenceShown, PullRequest } from '../contracts/task.ts';
import { evidenceOf, readManifest } from '../evidence/index.ts';
import { findTask } from '../process/index.ts';
import { type AppContext, withOpened } from './context.ts';
import { keepEvidence } from './evidence.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { shownEvidence, workerOf } from './task-work.ts';

export function makePullRequest(
  context: AppContext,
  given: string,
  input: { readonly worker?: string | undefined },
): Promise<PullRequest | Refusal> {
  return withOpened(context, async (opened): Promise<PullRequest | Refusal> => {
    const { store } = opened;
    const task = await findTask(store, given);
    const fresh = (await evidenceOf(store, task.id)).filter(
      (fact) => fact.isValid && shownEvidence(task, fact).isFresh,
    );
    const lines: string[] = [];
    for (const { kind, name, origin, phase, id, manifestDigest } of fresh) {
      const { found } = await readManifest(store, manifestDigest);
      const figures = Object.entries(found).map(([key, value]) => `${key} ${value}`);
      const by = origin === 'own' ? 'run by Hone' : 'handed in';
      lines.push(
        `- ${phase}: ${kind} ${name}, ${by} (${figures.join(', ')}); ${id}, ${manifestDigest}`,
      );
    }
    if (!fresh.some(({ origin }) => origin === 'own'))
      return {
        refused:
          'There is no evidence of Hone’s own at the task’s commit: run "hone evidence run" in verify first.',
      };
    const rounds = task.round === 0 ? 'It never went back.' : `It went back ${task.round} times.`;
    const text = [
      `# ${task.title}`,
      '',
      '## Summary',
      '',
      `Task ${task.id} of the process ${task.process}, on commit ${task.commit} from ${task.baseCommit}. ${rounds}`,
      '',
      '## Evidence',
      '',
      ...lines,
      '',
      `Every step: hone ledger show --subject task:${task.id}`,
      '',
      '## Rollback',
      '',
      `Revert the commits behind ${task.baseCommit}.`,
      '',
    ].join('\n');
    const doing = await workerOf(context, opened, input.worker);
    const made = {
      kind: 'document',
      origin: 'own',
      commit: task.commit,
      file: { name: 'pull_request.md', text },
    } as const;
    const kept: EvidenceShown | Refusal = await keepEvidence(context, opened, {
      task,
      doing,
      made,
    });
    return isRefusal(kept) ? kept : { text, evidence: kept };
  });
}
