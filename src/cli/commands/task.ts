/** `hone task start|prompt|list|show|advance|back|bind|release|pull-request`. */
import { makePullRequest } from '../../app/pull-request.ts';
import { acceptPrompts, taskPrompt as showPrompt } from '../../app/task-prompts.ts';
import {
  advanceTask,
  backtrackTask,
  bindSession,
  listTasks,
  releaseTask,
  showTask,
  startTask,
} from '../../app/tasks.ts';
import type {
  ShownTask,
  TaskAdvance,
  TaskAdvanceInput,
  TaskBackInput,
  TaskBindInput,
  TaskListInput,
  TaskReleaseInput,
  TaskShow,
  TaskStartInput,
} from '../../contracts/task.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { fields, table, wrap } from '../layout.ts';
import { shown, shownLines } from '../shown.ts';

export function taskStart(
  context: Context,
  title: string,
  options: Omit<TaskStartInput, 'title'>,
): Promise<number> {
  const { io } = context;
  return answer(context, startTask(context, { ...options, title }), (task) =>
    wrap(
      `Started ${task.id} in ${task.phase}. "hone task show ${task.id}" says what the phase asks for.`,
      io.columns,
    ),
  );
}

export function taskPrompt(context: Context, given: string): Promise<number> {
  const { columns } = context.io;
  return answer(context, showPrompt(context, given), ({ phase, text, digest, isAttested }) => {
    if (text === '')
      return wrap(
        `Nothing is configured for ${phase}: prompt.parts in hone.yaml says what.`,
        columns,
      );
    const note = isAttested ? '' : wrap('It is not what was attested for this task.', columns);
    return `${shownLines(text)}\n${digest}\n${note}`;
  });
}

export function taskList(context: Context, options: TaskListInput): Promise<number> {
  const { io } = context;
  return answer(context, listTasks(context, options), ({ tasks }) =>
    tasks.length === 0
      ? wrap('No tasks. "hone task start TITLE" begins one.', io.columns)
      : table(
          {
            head: ['ID', 'PROCESS', 'PHASE', 'TITLE'],
            rows: tasks.map(({ id, process, phase, state, title }) => [
              id,
              process,
              state === 'done' ? 'done' : phase,
              shown(title),
            ]),
            isLastProse: true,
            notes: tasks.map(({ escalated }) =>
              escalated === null
                ? null
                : io.style('yellow', `A person is asked: ${shown(escalated.why)}`),
            ),
          },
          io.columns,
        ),
  );
}

export function taskShow(context: Context, given: string): Promise<number> {
  const { io } = context;
  return answer(context, showTask(context, given), (task) => showText(task, io));
}

const MARKS = { done: 'done', now: 'now', ahead: '' } as const;

function showText(task: TaskShow, io: Io): string {
  const { columns } = io;
  const missing = task.missing.map(({ why }) => wrap(`- ${shown(why)}`, columns, '  '));
  return [
    io.style('bold', wrap(shown(task.title), columns)),
    fields(
      [
        ['id', task.id],
        ['process', `${task.process}, ${task.state === 'done' ? 'done' : `in ${task.phase}`}`],
        ['commit', task.commit ?? 'none'],
        ['worker', shown(task.worker)],
        ...(task.mayCall === null
          ? []
          : [['tools', [`up to ${task.mayCall.risk}`, ...task.mayCall.tools].join(', ')] as const]),
        ...(task.round === 0 ? [] : [['went back', `${task.round} times`] as const]),
        ...(task.sessions.length === 0
          ? []
          : [['sessions', task.sessions.map(shown).join(', ')] as const]),
        ...(task.escalated === null
          ? []
          : [
              [
                'asked',
                `a person (${task.escalated.cause}): ${shown(task.escalated.why)}`,
              ] as const,
            ]),
      ],
      columns,
    ),
    '\n',
    table(
      {
        head: ['PHASE', '', 'ASKS FOR'],
        rows: task.phases.map(({ name, state, gates }) => [
          name,
          MARKS[state],
          gates.flatMap(({ needs }) => needs).join('; '),
        ]),
        isLastProse: true,
      },
      columns,
    ),
    ...(task.evidence.length === 0 ? [] : ['\n', evidenceTable(task.evidence, columns)]),
    ...(missing.length === 0 ? [] : [`\nMissing in ${task.phase}:\n`, ...missing]),
  ].join('');
}

function evidenceTable(evidence: TaskShow['evidence'], columns: number): string {
  return table(
    {
      head: ['EVIDENCE', 'PHASE', 'KIND', 'ORIGIN', 'VERDICT'],
      rows: evidence.map(({ id, phase, kind, origin, isValid, isFresh, problem }) => [
        id,
        phase,
        kind,
        origin,
        `${isValid ? 'right' : `not right: ${shown(problem ?? '')}`}${isFresh ? '' : ' (stale)'}`,
      ]),
      isLastProse: true,
    },
    columns,
  );
}

export function taskAdvance(
  context: Context,
  given: string,
  options: TaskAdvanceInput,
): Promise<number> {
  const { io } = context;
  return answer(
    context,
    advanceTask(context, given, options),
    (done) => advanceText(done, io),
    ({ advanced }) => (advanced ? 0 : 1),
  );
}

function advanceText(
  { task, advanced, missing, escalated, warnings }: TaskAdvance,
  io: Io,
): string {
  const told = warnings.map((one) => wrap(`Warning: ${shown(one)}`, io.columns));
  if (advanced) {
    const where = task.state === 'done' ? 'The task is done.' : `Now in ${task.phase}.`;
    return [...told, wrap(where, io.columns)].join('');
  }
  return [
    wrap(`The task stays in ${task.phase}. What is missing:`, io.columns),
    ...missing.map(({ why }) => wrap(`- ${shown(why)}`, io.columns, '  ')),
    ...(escalated
      ? [
          wrap(
            `A person is asked now. They run: hone task release ${task.id} --reason "..."`,
            io.columns,
          ),
        ]
      : []),
  ].join('');
}

export function taskBack(context: Context, given: string, options: TaskBackInput): Promise<number> {
  return changed(
    context,
    backtrackTask(context, given, options),
    ({ phase }) => `Back in ${phase}. Evidence of it and of later phases no longer counts.`,
  );
}

export function taskBind(context: Context, given: string, options: TaskBindInput): Promise<number> {
  return changed(
    context,
    bindSession(context, given, options),
    ({ id }) => `The session works on ${id} from now on.`,
  );
}

export function taskRelease(
  context: Context,
  given: string,
  options: TaskReleaseInput,
): Promise<number> {
  return changed(
    context,
    releaseTask(context, given, options),
    ({ phase }) => `Released: it goes on in ${phase}.`,
  );
}

export function taskAcceptPrompts(
  context: Context,
  given: string,
  options: TaskReleaseInput,
): Promise<number> {
  return changed(
    context,
    acceptPrompts(context, given, options),
    () => 'The instruction files as they are now hold for this task.',
  );
}

function changed(
  context: Context,
  asked: Parameters<typeof answer<ShownTask>>[1],
  words: (task: ShownTask) => string,
): Promise<number> {
  return answer(context, asked, (task) => wrap(words(task), context.io.columns));
}

export function taskPullRequest(
  context: Context,
  given: string,
  options: { readonly worker?: string },
): Promise<number> {
  return answer(context, makePullRequest(context, given, options), ({ text }) => shownLines(text));
}
