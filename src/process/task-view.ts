/** Where a task stands, for whoever judges a tool call of its agents. */
import type { TaskContext } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { readDefinition } from './processes.ts';
import { findTask, taskOfSession } from './task-store.ts';
import type { Task } from './types.ts';

/** Undefined when the task is done: its agents have nothing more to do in its name. */
export async function taskContextOf(
  store: Store,
  taskId: string,
): Promise<TaskContext | undefined> {
  return contextOf(store, await findTask(store, taskId));
}

/** Undefined when the session is bound to no task, or to one that is done. */
export async function taskContextOfSession(
  store: Store,
  sessionId: string,
): Promise<TaskContext | undefined> {
  const task = await taskOfSession(store, sessionId);
  return task === undefined ? undefined : contextOf(store, task);
}

async function contextOf(store: Store, task: Task): Promise<TaskContext | undefined> {
  if (task.state === 'done') return undefined;
  const { phases } = await readDefinition(store, task.definitionDigest);
  const phase = phases.find(({ name }) => name === task.phase)!;
  return {
    taskId: task.id,
    process: task.process,
    phase: phase.name,
    phaseRisk: phase.risk,
    phaseTools: phase.tools ?? [],
    personaTools: task.persona?.tools,
  };
}
