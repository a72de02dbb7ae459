/** Tasks, read back. */
import type { EscalationCause } from '../facts/index.ts';
import type { Plan, Row, Store } from '../store/index.ts';
import { ProcessError } from './errors.ts';
import { SESSIONS, TASKS } from './task-rows.ts';
import type { Task, TaskPersona, TaskState } from './types.ts';

const READ = `SELECT id, version, title, process, definition_digest, state, phase, round, fresh_from, base_commit,
  current_commit, persona, worker, violations, escalated, escalated_why, progressed_at_ms, created_at_ms, changed_at_ms
  FROM ${TASKS}`;

/** By its id, or by a unique prefix of it. */
export async function findTask(store: Store, given: string): Promise<Task> {
  // A range, not LIKE: what was given may hold its wildcards. Ids are ASCII below `~`.
  const rows = await store.all(`${READ} WHERE id >= ? AND id < ? ORDER BY id LIMIT 3`, [
    given,
    `${given}~`,
  ]);
  const found = rows.map(taskOf);
  const one = found.find(({ id }) => id === given) ?? (found.length === 1 ? found[0] : undefined);
  if (one !== undefined) return one;
  if (found.length === 0)
    throw new ProcessError('unknown', `There is no task ${given}.`, {
      hint: '"hone task list" shows them.',
    });
  const ids = found.map(({ id }) => id).join(', ');
  throw new ProcessError('unknown', `More than one task begins with ${given}: ${ids}.`, {
    hint: 'Give more of its id.',
  });
}

/** The newest first. */
export async function listTasks(
  store: Store,
  filter: { readonly state?: TaskState | undefined; readonly limit: number },
): Promise<Task[]> {
  const { state, limit } = filter;
  const [where, given] = state === undefined ? ['', []] : ['WHERE state = ?', [state]];
  const rows = await store.all(`${READ} ${where} ORDER BY id DESC LIMIT ?`, [...given, limit]);
  return rows.map(taskOf);
}

/** Open ones without progress since then, about which nobody was asked yet. */
export async function stalledTasks(
  store: Store,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): Promise<Task[]> {
  const rows = await store.all(
    `${READ} WHERE state = 'open' AND progressed_at_ms <= ? AND escalated IS NULL
     ORDER BY progressed_at_ms LIMIT ?`,
    [beforeMs, limit],
  );
  return rows.map(taskOf);
}

/** Those about which a person is asked, the one that waits longest first. */
export async function escalatedTasks(store: Store, limit: number): Promise<Task[]> {
  const rows = await store.all(
    `${READ} WHERE state = 'open' AND escalated IS NOT NULL ORDER BY changed_at_ms, id LIMIT ?`,
    [limit],
  );
  return rows.map(taskOf);
}

/** The task that a client's session works on; undefined if it is bound to none. */
export async function taskOfSession(store: Store, sessionId: string): Promise<Task | undefined> {
  const [row] = await store.all(
    `${READ} WHERE id = (SELECT task_id FROM ${SESSIONS} WHERE session_id = ?)`,
    [sessionId],
  );
  return row === undefined ? undefined : taskOf(row);
}

export async function sessionsOf(store: Store, taskId: string): Promise<string[]> {
  const rows = await store.all(
    `SELECT session_id FROM ${SESSIONS} WHERE task_id = ? ORDER BY bound_at_ms, session_id`,
    [taskId],
  );
  return rows.map((row) => row['session_id'] as string);
}

function taskOf(row: Row): Task {
  const text = (column: string) => row[column] as string;
  const orNull = (column: string) => row[column] as string | null;
  const number = (column: string) => row[column] as number;
  const persona = orNull('persona');
  return {
    id: text('id'),
    version: number('version'),
    title: text('title'),
    process: text('process'),
    definitionDigest: text('definition_digest'),
    state: text('state') as TaskState,
    phase: text('phase'),
    round: number('round'),
    freshFrom: JSON.parse(text('fresh_from')) as Record<string, number>,
    baseCommit: orNull('base_commit'),
    commit: orNull('current_commit'),
    persona: persona === null ? null : (JSON.parse(persona) as TaskPersona),
    worker: text('worker'),
    violations: JSON.parse(text('violations')) as Record<string, number>,
    escalated: orNull('escalated') as EscalationCause | null,
    escalatedWhy: orNull('escalated_why'),
    progressedAtMs: number('progressed_at_ms'),
    createdAtMs: number('created_at_ms'),
    changedAtMs: number('changed_at_ms'),
  };
}

/**
 * The task as a plan that was committed left it. Its commit expected the version that was read, so nothing else has
 * changed; reading it back took a twentieth of a transition.
 */
export function taskAfter(task: Task, plan: Plan): Task {
  const update = plan.writes?.find((write) => 'update' in write && write.update === TASKS);
  if (update === undefined || !('update' in update)) throw new Error('the plan changes no task');
  return taskOf({ ...rowOf(task), ...(update.set as Row) });
}

function rowOf(task: Task): Row {
  return {
    id: task.id,
    version: task.version,
    title: task.title,
    process: task.process,
    definition_digest: task.definitionDigest,
    state: task.state,
    phase: task.phase,
    round: task.round,
    fresh_from: JSON.stringify(task.freshFrom),
    base_commit: task.baseCommit,
    current_commit: task.commit,
    persona: task.persona === null ? null : JSON.stringify(task.persona),
    worker: task.worker,
    violations: JSON.stringify(task.violations),
    escalated: task.escalated,
    escalated_why: task.escalatedWhy,
    progressed_at_ms: task.progressedAtMs,
    created_at_ms: task.createdAtMs,
    changed_at_ms: task.changedAtMs,
  };
}
