/** Tasks of agents at work: begin, look, advance, go back, bind a session, release. */
import { digestOf } from '../base/index.ts';
import type {
  ShownTask,
  TaskAdvance,
  TaskAdvanceInput,
  TaskBackInput,
  TaskBindInput,
  TaskList,
  TaskListInput,
  TaskReleaseInput,
  TaskShow,
  TaskStartInput,
} from '../contracts/task.ts';
import { evidenceOf } from '../evidence/index.ts';
import type { EvidenceNeed } from '../facts/index.ts';
import { escalationNotice } from '../loop/index.ts';
import { channelsOf } from '../notify/index.ts';
import {
  advanceGate,
  findTask,
  type GateReason,
  phasesInOrder,
  processesOf,
  readDefinition,
  listTasks as readTasks,
  sessionsOf,
  type Task,
  type TaskOutcome,
  type TaskPersona,
  taskContextOf,
} from '../process/index.ts';
import type { Persona } from '../prompt/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, type Opened, withLoop, withOpened } from './context.ts';
import { ungovernedClients } from './hook-records.ts';
import { commitOf } from './read-git.ts';
import { isRefusal, isSeenDigest, type Refusal, usage } from './refusal.ts';
import { attestFiles, promptsOf } from './task-prompts.ts';
import {
  CHANGED,
  configuredKinds,
  shownEvidence,
  shownTask,
  taskOnCommit,
  tasksOf,
  workerOf,
} from './task-work.ts';
import { recordWork } from './work-telemetry.ts';

export function startTask(
  context: AppContext,
  input: TaskStartInput,
): Promise<ShownTask | Refusal> {
  return withOpened(context, async (opened): Promise<ShownTask | Refusal> => {
    const { config, store } = opened;
    const known = processesOf(config.process.own);
    const definition = known.find(({ name }) => name === input.process);
    if (definition === undefined) {
      const names = known.map(({ name }) => name).join(', ');
      return usage(`There is no process ${input.process}. There are: ${names}.`);
    }
    const commit = await commitOf(context, input.commit ?? 'HEAD');
    if (input.commit !== undefined && commit === undefined)
      return usage(`There is no commit ${input.commit}.`);
    const personas = config.prompt.personas;
    const persona = personas.find(({ name }) => name === input.persona);
    if (input.persona !== undefined && persona === undefined) {
      const names = personas.map(({ name }) => name).join(', ') || 'none';
      return usage(`There is no persona ${input.persona}. There are: ${names}.`);
    }
    const doing = await workerOf(context, opened, input.worker);
    const tasks = tasksOf(context, opened);
    const started = await tasks.start({
      ...doing,
      title: input.title,
      definition,
      commit: commit ?? null,
      persona: persona === undefined ? null : pinned(persona),
    });
    await attestFiles(opened, started, doing.actor);
    if (input.session !== undefined) await tasks.bind(started, doing, input.session);
    return shownTask(await findTask(store, started.id));
  });
}

/** As it is now: what the configuration says of it later does not change a task that runs. */
const pinned = (persona: Persona): TaskPersona => ({
  name: persona.name,
  personaDigest: digestOf(persona),
  tools: persona.tools,
});

export function listTasks(context: AppContext, input: TaskListInput): Promise<TaskList> {
  return withOpened(context, async ({ store }) => ({
    tasks: (await readTasks(store, input)).map(shownTask),
  }));
}

export function showTask(context: AppContext, given: string): Promise<TaskShow> {
  return withOpened(context, async (opened) => {
    const { store, config } = opened;
    const task = await findTask(store, given);
    const { drift } = await promptsOf(opened, task);
    const may = await taskContextOf(store, task.id);
    const ungoverned = await ungovernedClients(context, opened);
    const [definition, evidence, sessions, nowMs] = await Promise.all([
      readDefinition(store, task.definitionDigest),
      evidenceOf(store, task.id),
      sessionsOf(store, task.id),
      store.nowMs(),
    ]);
    const phases = phasesInOrder(definition);
    const at = phases.findIndex(({ name }) => name === task.phase);
    const verdict = advanceGate({
      ...{ definition, task, to: undefined, evidence, drift, ungoverned, lease: { held: true } },
      ...{ configured: configuredKinds(config), nowMs, maxAgeMs: config.evidence.maxAge },
    });
    return {
      ...shownTask(task),
      phases: phases.map(({ name, risk, gates }, place) => ({
        ...{ name, risk },
        state: place < at || task.state === 'done' ? 'done' : place === at ? 'now' : 'ahead',
        gates: gates.map((gate) => ({ name: gate.name, needs: gate.needs.map(needWords) })),
      })),
      mayCall:
        may === undefined
          ? null
          : {
              risk: may.phaseRisk,
              tools: [...may.phaseTools],
              personaTools: may.personaTools === undefined ? null : [...may.personaTools],
            },
      missing: verdict.open || task.state === 'done' ? [] : verdict.reasons,
      sessions,
      evidence: evidence.map((fact) => shownEvidence(task, fact)),
    };
  });
}

function needWords({
  evidence,
  name,
  own,
  ifConfigured,
  independent,
  sections,
  min,
}: EvidenceNeed): string {
  return [
    name === undefined ? evidence : `${evidence} ${name}`,
    ...(own === true ? ['by Hone’s own run'] : []),
    ...(independent === true ? ['by somebody else'] : []),
    ...(sections === undefined ? [] : [`with ${sections.join(', ')}`]),
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(ifConfigured === true ? ['where a command is configured'] : []),
  ].join(', ');
}

/** Refused by the gate is an answer: it says what is missing. */
export function advanceTask(
  context: AppContext,
  given: string,
  input: TaskAdvanceInput,
): Promise<TaskAdvance | Refusal> {
  return withLoop(context, {}, async (opened, open): Promise<TaskAdvance | Refusal> => {
    const { store, config } = opened;
    const doing = await workerOf(context, opened, input.worker);
    const task = await taskOnCommit(context, opened, { id: given, commit: input.commit, ...doing });
    if (isRefusal(task)) return task;
    const [evidence, sessions, prompts] = await Promise.all([
      evidenceOf(store, task.id),
      sessionsOf(store, task.id),
      promptsOf(opened, task),
    ]);
    const outcome = await tasksOf(context, opened).advance(task, {
      ...doing,
      ...{ to: input.to, summary: input.summary, evidence },
      parts: { writes: [], entries: [] },
      drift: prompts.drift,
      ungoverned: await ungovernedClients(context, opened),
      promptDigests: prompts.digests,
      configured: configuredKinds(config),
      maxAgeMs: config.evidence.maxAge,
      session: sessions.at(-1),
      escalation: (why) => ({ effects: escalationNotice(task, why, channelsOf(config.notify)) }),
    });
    await recordWork(context, open, outcome.events);
    return advanceAnswer(outcome);
  });
}

function advanceAnswer(outcome: TaskOutcome): TaskAdvance | Refusal {
  const task = shownTask(outcome.task);
  if (outcome.done) {
    const warnings = outcome.warnings.map(({ what }) => `${what} is not what was attested.`);
    return { task, advanced: true, missing: [], escalated: false, warnings };
  }
  if (outcome.refused.why !== 'gate') return CHANGED;
  const { reasons, escalated } = outcome.refused;
  return { task, advanced: false, missing: reasons.map(shownReason), escalated, warnings: [] };
}

const shownReason = ({ code, about, why }: GateReason) => ({ code, about, why });

export function backtrackTask(
  context: AppContext,
  given: string,
  input: TaskBackInput,
): Promise<ShownTask | Refusal> {
  return withLoop(context, {}, async (opened, open): Promise<ShownTask | Refusal> => {
    const doing = await workerOf(context, opened, input.worker);
    const task = await findTask(opened.store, given);
    const session = (await sessionsOf(opened.store, task.id)).at(-1);
    const { to, reason } = input;
    const outcome = await tasksOf(context, opened).backtrack(task, {
      ...doing,
      to,
      reason,
      session,
    });
    await recordWork(context, open, outcome.events);
    if (outcome.done) return shownTask(outcome.task);
    return outcome.refused.why === 'no_way_back' ? { refused: outcome.refused.words } : CHANGED;
  });
}

export function bindSession(
  context: AppContext,
  given: string,
  input: TaskBindInput,
): Promise<ShownTask | Refusal> {
  return withOpened(context, async (opened): Promise<ShownTask | Refusal> => {
    const doing = await workerOf(context, opened, input.worker);
    const task = await findTask(opened.store, given);
    if (task.state === 'done') return { refused: 'The task is done: no session can work on it.' };
    const bound = await tasksOf(context, opened).bind(task, doing, input.session);
    return bound ? shownTask(await findTask(opened.store, task.id)) : CHANGED;
  });
}

/** By which `hone approve` and `hone reject` tell a task from a proposal. */
export const isTaskId = (given: string): boolean => given.startsWith('task_');

/** What a person saw who answers: the task as it stands, and why it was asked about. */
export function escalationDigest({ id, version, escalated, escalatedWhy }: Task): string {
  return digestOf({ id, version, escalated, escalatedWhy });
}

/** The same as `releaseTask`, for those who answer what waits in the queue: only for what they saw. */
export function approveTask(
  context: AppContext,
  given: string,
  { digest, reason }: { readonly digest: string; readonly reason: string },
): Promise<ShownTask | Refusal> {
  return withOpened(context, async (opened): Promise<ShownTask | Refusal> => {
    const task = await findTask(opened.store, given);
    if (task.escalated !== null && !isSeenDigest(escalationDigest(task), digest))
      return usage(`Give the digest of what you saw: "hone asks list" shows it for ${task.id}.`);
    return release(context, opened, task, reason);
  });
}

/** A person looked at an escalated task; agents never release one. */
export function releaseTask(
  context: AppContext,
  given: string,
  { reason }: TaskReleaseInput,
): Promise<ShownTask | Refusal> {
  return withOpened(context, async (opened): Promise<ShownTask | Refusal> => {
    return release(context, opened, await findTask(opened.store, given), reason);
  });
}

async function release(
  context: AppContext,
  opened: Opened,
  task: Task,
  reason: string,
): Promise<ShownTask | Refusal> {
  const maker = await authorise(context, opened, {
    action: 'release_task',
    subject: { kind: 'Task', id: task.id },
  });
  if ('refused' in maker) return maker;
  if (task.escalated === null) return { refused: 'Nobody is asked about this task.' };
  const released = await tasksOf(context, opened).release(task, maker.actor, reason);
  return released ? shownTask(await findTask(opened.store, task.id)) : CHANGED;
}
