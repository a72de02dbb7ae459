/** What an agent said, checked against the commit that it worked on. A refused claim gets one clarification. */
import { CodeIndex, checkClaims, claimsIn, planCheck, refusedInARow } from '../claim/index.ts';
import type { ClaimCheck, ClaimCheckInput } from '../contracts/task.ts';
import { evidenceTextOf } from '../evidence/index.ts';
import { escalationNotice } from '../loop/index.ts';
import { channelsOf } from '../notify/index.ts';
import { findTask } from '../process/index.ts';
import { mask, recordedText } from '../sanitise/index.ts';
import { type AppContext, type OpenLoop, withLoop } from './context.ts';
import { isRefusal, type Refusal, usage } from './refusal.ts';
import { taskOnCommit, tasksOf, workerOf } from './task-work.ts';
import { recordWork } from './work-telemetry.ts';

/** Told once and refused again: then a person is asked. */
const REFUSED_MAX = 2;
/** Larger files are not code that somebody wrote. */
const FILE_BYTES_MAX = 2 * 1024 * 1024;

export function checkClaim(
  context: AppContext,
  given: string,
  input: ClaimCheckInput,
): Promise<ClaimCheck | Refusal> {
  return withLoop(context, {}, async (opened, open): Promise<ClaimCheck | Refusal> => {
    const { store, config } = opened;
    const doing = await workerOf(context, opened, input.worker);
    const task = await taskOnCommit(context, opened, { id: given, commit: input.commit, ...doing });
    if (isRefusal(task)) return task;
    if (task.commit === null) return usage('The task has no commit yet: commit your work first.');
    const { agent = null } = input;
    const claims = claimsIn(input.text);
    const checked = checkClaims(claims, await indexOf(open, task.commit));
    const clean = (text: string) => mask(text, { except: ['email'] }).text;
    const nowMs = await store.nowMs();
    const { plan } = planCheck(
      {
        id: context.newId('check'),
        taskId: task.id,
        commit: task.commit,
        agent,
        result: input.text,
        checked,
        actor: doing.actor,
        nowMs,
      },
      clean,
    );
    await store.commit(plan);
    const refused = checked.filter(({ verdict }) => verdict === 'refused');
    const times = refused.length === 0 ? 0 : await refusedInARow(store, { taskId: task.id, agent });
    const isAsked = times >= REFUSED_MAX;
    if (isAsked) {
      const why = recordedText(
        `What ${agent ?? 'the agent'} claims was refused ${times} times: ${refused[0]!.why}`,
      );
      const current = await findTask(store, task.id);
      if (current.escalated === null)
        await tasksOf(context, opened).escalate(current, {
          ...{ cause: 'claims', why },
          notices: { effects: escalationNotice(current, why, channelsOf(config.notify)) },
        });
    }
    await recordWork(context, open, refusedEvents(task, agent ?? doing.worker, { refused, nowMs }));
    return {
      task: task.id,
      agent,
      commit: task.commit,
      ok: refused.length === 0,
      claims: checked.map(({ claim, verdict, why }) => ({
        ...{ level: claim.level, said: clean(claim.said), verdict, why: clean(why) },
      })),
      next: refused.length === 0 ? 'none' : isAsked ? 'person' : 'clarify',
    };
  });
}

/** The files of a commit, from git: what lies around in a working tree proves nothing. */
async function indexOf({ ports }: OpenLoop, commit: string): Promise<CodeIndex> {
  const { repository } = ports;
  const files = (await repository.listFiles(commit, '')).filter(
    ({ kind }) => kind === 'file' || kind === 'executable',
  );
  const sizes = new Map(files.map(({ path, sizeBytes }) => [path, sizeBytes]));
  return CodeIndex.of({
    paths: async () => [...sizes.keys()],
    read: async (path) => {
      if ((sizes.get(path) ?? 0) > FILE_BYTES_MAX) return undefined;
      const bytes = await repository.readFile(commit, path);
      return bytes === undefined ? undefined : evidenceTextOf(bytes);
    },
  });
}

function refusedEvents(
  task: { readonly id: string; readonly process: string; readonly phase: string },
  agent: string,
  {
    refused,
    nowMs,
  }: {
    readonly refused: readonly { readonly claim: { readonly level: string } }[];
    readonly nowMs: number;
  },
) {
  if (refused.length === 0) return [];
  const levels = [...new Set(refused.map(({ claim }) => claim.level))].sort().join(', ');
  return [
    {
      ...{
        kind: 'task_failure' as const,
        atMs: nowMs,
        session: task.id,
        agent,
        traceId: task.id,
      },
      task: `${task.process}/${task.phase}`,
      errorCategory: 'claim_refused',
      errorMessage: `The agent named something that is not in the code: ${levels}.`,
    },
  ];
}
