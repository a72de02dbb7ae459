/**
 * What is done to tasks, as pure functions from what was read to a plan. Each plan expects the version that was read, and
 * the lease of whoever works on the phase.
 */
import { type Artifact, artifactWrite } from '../artifact/index.ts';
import { type CleanText, ownWords } from '../base/index.ts';
import type { Actor, EntryDraft, EntryPayload, EscalationCause } from '../facts/index.ts';
import type { Expectation, Plan, Write } from '../store/index.ts';
import {
  advancedSet,
  backtrackedSet,
  escalatedSet,
  evidenceSet,
  refusedSet,
  releasedSet,
  sessionWrite,
  startedRow,
  TASKS,
  taskSubject,
} from './task-rows.ts';
import type { PlanParts, Task } from './types.ts';

type Set = Extract<Write, { update: string }>['set'];

export interface NewTask {
  readonly id: string;
  readonly actor: Actor;
  readonly data: EntryPayload<'process.task_started'>;
  readonly definition: Artifact;
  readonly nowMs: number;
}

export function planStart({ id, actor, data, definition, nowMs }: NewTask): Plan {
  return {
    expect: [{ table: TASKS, where: { id }, exists: false }],
    writes: [artifactWrite(definition, nowMs), { insert: TASKS, row: startedRow(id, data, nowMs) }],
    entries: [
      {
        type: 'process.task_started',
        actor,
        subject: taskSubject(id),
        data,
        artifacts: [definition.digest],
        atMs: nowMs,
      },
    ],
  };
}

const unchangedTask = ({ id, version }: Task): Expectation => ({
  table: TASKS,
  where: { id, version },
  name: 'version',
});

/** `steps`: how many entries of the task the plan has; each is one version. */
function change(task: Task, set: Set, nowMs: number, steps = 1): Write {
  return {
    update: TASKS,
    where: unchangedTask(task).where,
    set: { ...set, version: task.version + steps, changed_at_ms: nowMs },
  };
}

interface Advance {
  readonly task: Task;
  readonly actor: Actor;
  readonly data: EntryPayload<'process.advanced'>;
  readonly journal: Artifact;
  /** Of the evidence that the gate relied on. */
  readonly artifacts: readonly string[];
  /** Evidence handed in with the request, recorded in the same commit. */
  readonly parts: PlanParts;
  /** The lease of the phase, and of the one that follows. */
  readonly lease: { readonly expect: readonly Expectation[]; readonly writes: readonly Write[] };
  readonly nowMs: number;
}

export function planAdvance(advance: Advance): Plan {
  const { task, actor, data, journal, artifacts, parts, lease, nowMs } = advance;
  const steps = 1 + parts.entries.length;
  return {
    expect: [unchangedTask(task), ...lease.expect],
    writes: [
      ...parts.writes,
      artifactWrite(journal, nowMs),
      change(task, advancedSet(data, nowMs), nowMs, steps),
      ...lease.writes,
    ],
    entries: [
      ...parts.entries,
      {
        type: 'process.advanced',
        actor,
        subject: taskSubject(task.id),
        data,
        artifacts: [journal.digest, ...artifacts],
        atMs: nowMs,
      },
    ],
  };
}

interface Step<T extends EntryDraft['type']> {
  readonly task: Task;
  readonly actor: Actor;
  readonly data: EntryPayload<T>;
  readonly nowMs: number;
}

export function planBacktrack({ task, actor, data, nowMs }: Step<'process.backtracked'>): Plan {
  return {
    expect: [unchangedTask(task)],
    writes: [change(task, backtrackedSet(data, task.freshFrom, nowMs), nowMs)],
    entries: [
      { type: 'process.backtracked', actor, subject: taskSubject(task.id), data, atMs: nowMs },
    ],
  };
}

/** Evidence that came with the request is kept, though the gate said no. */
export function planRefusal(
  { task, actor, data, nowMs }: Step<'process.refused'>,
  parts: PlanParts,
  escalation?: {
    readonly cause: EscalationCause;
    readonly why: CleanText;
    readonly diary: Artifact;
  },
): Plan {
  const subject = taskSubject(task.id);
  const escalated =
    escalation === undefined
      ? undefined
      : { cause: escalation.cause, why: escalation.why, diaryDigest: escalation.diary.digest };
  const steps = 1 + parts.entries.length + (escalated === undefined ? 0 : 1);
  const set = {
    ...refusedSet(data, task.violations),
    ...(escalated === undefined ? {} : escalatedSet(escalated)),
  };
  return {
    expect: [unchangedTask(task)],
    writes: [
      ...parts.writes,
      ...(escalation === undefined ? [] : [artifactWrite(escalation.diary, nowMs)]),
      change(task, set, nowMs, steps),
    ],
    entries: [
      ...parts.entries,
      { type: 'process.refused', actor, subject, data, atMs: nowMs },
      ...(escalated === undefined
        ? []
        : [
            {
              type: 'process.escalated' as const,
              actor,
              subject,
              data: escalated,
              artifacts: [escalated.diaryDigest],
              atMs: nowMs,
            },
          ]),
    ],
  };
}

export function planEscalate(
  task: Task,
  told: {
    readonly actor: Actor;
    readonly cause: EscalationCause;
    readonly why: CleanText;
    readonly diary: Artifact;
    readonly nowMs: number;
  },
): Plan {
  const { actor, cause, why, diary, nowMs } = told;
  const data = { cause, why, diaryDigest: diary.digest };
  return {
    expect: [unchangedTask(task)],
    writes: [artifactWrite(diary, nowMs), change(task, escalatedSet(data), nowMs)],
    entries: [
      {
        type: 'process.escalated',
        actor,
        subject: taskSubject(task.id),
        data,
        artifacts: [diary.digest],
        atMs: nowMs,
      },
    ],
  };
}

export function planRelease({ task, actor, data, nowMs }: Step<'process.released'>): Plan {
  return {
    expect: [unchangedTask(task)],
    writes: [change(task, releasedSet(nowMs), nowMs)],
    entries: [
      { type: 'process.released', actor, subject: taskSubject(task.id), data, atMs: nowMs },
    ],
  };
}

export function planBind({ task, actor, data, nowMs }: Step<'process.session_bound'>): Plan {
  return {
    expect: [unchangedTask(task)],
    writes: [change(task, {}, nowMs), sessionWrite(task.id, data, nowMs)],
    entries: [
      { type: 'process.session_bound', actor, subject: taskSubject(task.id), data, atMs: nowMs },
    ],
  };
}

export function planCommit({ task, actor, data, nowMs }: Step<'process.commit_moved'>): Plan {
  return {
    expect: [unchangedTask(task)],
    writes: [change(task, { current_commit: data.toCommit }, nowMs)],
    entries: [
      { type: 'process.commit_moved', actor, subject: taskSubject(task.id), data, atMs: nowMs },
    ],
  };
}

/** Evidence that another room makes the parts of; it belongs to the phase, so its worker hands it in. */
export function planEvidence(
  task: Task,
  parts: PlanParts,
  given: { readonly isValid: boolean; readonly fence: Expectation; readonly nowMs: number },
): Plan {
  const { isValid, fence, nowMs } = given;
  return {
    expect: [unchangedTask(task), fence],
    writes: [
      ...parts.writes,
      change(task, evidenceSet({ isValid }, nowMs), nowMs, parts.entries.length),
    ],
    entries: parts.entries,
  };
}

export const NO_SUMMARY = ownWords('No summary was given.');
