/** Judges the calls of agents, for the doors that stand in front of tools. */
import type { EntryPayload } from '../facts/index.ts';
import { type Ask, Judge, type JudgePorts, type TaskContexts } from '../gateway/at-start.ts';
import { taskOfSession } from '../process/at-start.ts';
import type { Store } from '../store/index.ts';
import type { AppContext, Opened } from './context.ts';

export type JudgeGate = 'gateway' | 'hooks';

/** Tasks as their room tells them. A task that is not there gives no context, so only read-only tools pass. */
export function tasksOf(store: Store): TaskContexts {
  const room = () => import('../process/index.ts');
  return {
    ofTask: async (id) => {
      const { taskContextOf, ProcessError } = await room();
      return taskContextOf(store, id).catch((error: unknown) => {
        if (error instanceof ProcessError && error.code === 'unknown') return undefined;
        throw error;
      });
    },
    // Most sessions of a hook are bound to no task: then the room is not loaded.
    ofSession: async (id) => {
      const task = await taskOfSession(store, id);
      return task === undefined ? undefined : (await room()).taskContextOfSession(store, id);
    },
  };
}

export function makeJudge(
  { newId }: Pick<AppContext, 'newId'>,
  opened: Opened,
  gate: JudgeGate,
  standing?: JudgePorts['standing'],
): Judge {
  const { store, switches, config } = opened;
  return new Judge({
    store,
    mode: () => switches.read(gate),
    contexts: tasksOf(store),
    ...(standing !== undefined && { standing }),
    settings: config.gateway,
    newId,
    isAnswered: (ask) => isAnswered(opened, ask),
  });
}

/** More entries about one task or session than are worth reading for one call. */
const ENTRIES_MAX = 1000;

/** Somebody who writes to the database could approve their own call: the entry has to be there too. */
async function isAnswered({ store, placePending }: Opened, ask: Ask): Promise<boolean> {
  await placePending();
  const { LedgerView } = await import('../ledger/index.ts');
  const about = { subject: ask.subject, newestFirst: true, limit: ENTRIES_MAX };
  const entries = await new LedgerView(store).entries(about);
  return entries.some(({ entry }) => {
    if (entry.type !== 'gateway.answered' || entry.actor.kind !== 'human') return false;
    const { askId, callDigest, verdict } = entry.data as EntryPayload<'gateway.answered'>;
    return askId === ask.id && callDigest === ask.callDigest && verdict === 'approved';
  });
}
