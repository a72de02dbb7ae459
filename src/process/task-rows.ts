/** A task's row: what each ledger entry does to it. Plans and the fold of the ledger use the same functions. */
import { canonicalJson } from '../base/index.ts';
import type { EntryPayload } from '../facts/index.ts';
import type { Row, Write } from '../store/index.ts';
import type { Task } from './types.ts';

export const TASKS = 'process_tasks';
export const SESSIONS = 'process_sessions';

export const taskSubject = (id: string) => `task:${id}`;

type Set = Extract<Write, { update: string }>['set'];

export function startedRow(
  id: string,
  data: EntryPayload<'process.task_started'>,
  atMs: number,
): Row {
  const { title, process, definitionDigest, phase, baseCommit, persona, worker } = data;
  return {
    id,
    version: 1,
    title,
    process,
    definition_digest: definitionDigest,
    state: 'open',
    phase,
    round: 0,
    fresh_from: '{}',
    base_commit: baseCommit,
    current_commit: baseCommit,
    persona: persona === null ? null : canonicalJson(persona),
    worker,
    violations: '{}',
    escalated: null,
    escalated_why: null,
    progressed_at_ms: atMs,
    created_at_ms: atMs,
    changed_at_ms: atMs,
  };
}

const NO_TROUBLE = { violations: '{}', escalated: null, escalated_why: null } as const;

export function advancedSet(data: EntryPayload<'process.advanced'>, atMs: number): Set {
  const { from, to, worker } = data;
  return {
    ...(to === null ? { state: 'done', phase: from } : { phase: to }),
    ...NO_TROUBLE,
    worker,
    progressed_at_ms: atMs,
  };
}

export function backtrackedSet(
  { to, round, stalePhases }: EntryPayload<'process.backtracked'>,
  freshFrom: Task['freshFrom'],
  atMs: number,
): Set {
  const fresh = { ...freshFrom, ...Object.fromEntries(stalePhases.map((name) => [name, round])) };
  return {
    state: 'open',
    phase: to,
    round,
    fresh_from: canonicalJson(fresh),
    ...NO_TROUBLE,
    progressed_at_ms: atMs,
  };
}

export function refusedSet(
  { violation, worker }: EntryPayload<'process.refused'>,
  violations: Task['violations'],
): Set {
  const count = (violations[violation] ?? 0) + 1;
  return { violations: canonicalJson({ ...violations, [violation]: count }), worker };
}

export const escalatedSet = ({ cause, why }: EntryPayload<'process.escalated'>): Set => ({
  escalated: cause,
  escalated_why: why,
});

/** A released task begins to count anew. */
export const releasedSet = (atMs: number): Set => ({ ...NO_TROUBLE, progressed_at_ms: atMs });

/** Evidence that is right is progress. */
export const evidenceSet = ({ isValid }: { isValid: boolean }, atMs: number): Set =>
  isValid ? { progressed_at_ms: atMs } : {};

export function sessionWrite(
  taskId: string,
  { sessionId, worker }: EntryPayload<'process.session_bound'>,
  atMs: number,
): Write {
  return {
    upsert: SESSIONS,
    key: { session_id: sessionId },
    row: { task_id: taskId, worker, bound_at_ms: atMs },
  };
}
