/** What the use cases of tasks share: who does it, on which commit, what is known, and how it is shown. */
import { isoTime } from '../base/index.ts';
import type { EvidenceShown, ShownTask } from '../contracts/task.ts';
import type { Actor, EvidenceFact, EvidenceKind } from '../facts/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import { findTask, type Task, Tasks } from '../process/index.ts';
import type { AppContext, Opened } from './context.ts';
import { commitOf } from './read-git.ts';
import { type Refusal, usage } from './refusal.ts';

export interface Worker {
  readonly actor: Actor;
  readonly worker: string;
}

/** Whoever asks; agents too. Their name is one word, so that it fits an entry. */
export async function workerOf(
  context: AppContext,
  { config }: Pick<Opened, 'config'>,
  given: string | undefined,
): Promise<Worker> {
  const actor = await context.actor(config.identity.agents);
  const worker = (given ?? actor.id).replace(/[\s\p{Cc}]+/gu, '_').slice(0, 200);
  return { actor, worker: worker || 'unknown' };
}

export const tasksOf = (context: AppContext, { store, config }: Pick<Opened, 'store' | 'config'>) =>
  new Tasks({ store, newId: context.newId, settings: config.process });

/**
 * The task as it is on the commit that its agents work on now: the one given, else what is checked out where the caller
 * is. A commit that moved is recorded before anything is judged.
 */
export async function taskOnCommit(
  context: AppContext,
  opened: Opened,
  given: { readonly id: string; readonly commit: string | undefined; readonly actor: Actor },
): Promise<Task | Refusal> {
  const task = await findTask(opened.store, given.id);
  // Over HTTP nobody has a folder of their own: the commit stays what it was.
  if (given.commit === undefined && context.door === 'http') return task;
  const commit = await commitOf(context, given.commit ?? 'HEAD');
  if (commit === undefined) {
    if (given.commit !== undefined) return usage(`There is no commit ${given.commit}.`);
    return task;
  }
  if (commit === task.commit || task.state === 'done') return task;
  const moved = await tasksOf(context, opened).moveCommit(task, given.actor, commit);
  return moved ? findTask(opened.store, task.id) : CHANGED;
}

export const CHANGED: Refusal = {
  refused:
    'Somebody else changed the task at the same moment. Look at it ("hone task show"), then try again.',
};

/** What the accepted configuration has a command for. */
export function configuredKinds({ validate, evidence }: HoneConfig): ReadonlySet<EvidenceKind> {
  const kinds: EvidenceKind[] = [];
  if (validate.test.length > 0) kinds.push('tests');
  if (validate.test.length > 0 && evidence.coverageReport !== '') kinds.push('coverage');
  if (evidence.build.length > 0) kinds.push('build');
  return new Set(kinds);
}

export function shownTask(task: Task): ShownTask {
  const { id, title, process, state, phase, round, baseCommit, commit, worker, persona } = task;
  return {
    ...{ id, title, process, state, phase, round, baseCommit, commit, worker },
    persona: persona?.name ?? null,
    escalated:
      task.escalated === null ? null : { cause: task.escalated, why: task.escalatedWhy ?? '' },
    startedAt: isoTime(task.createdAtMs),
    progressedAt: isoTime(task.progressedAtMs),
  };
}

export function shownEvidence(task: Task, fact: EvidenceFact): EvidenceShown {
  const { atMs, actor, ...rest } = fact;
  const isFresh =
    fact.round >= (task.freshFrom[fact.phase] ?? 0) &&
    (fact.commit === null || fact.commit === task.commit);
  return { ...rest, task: task.id, isFresh, by: { ...actor }, at: isoTime(atMs) };
}
