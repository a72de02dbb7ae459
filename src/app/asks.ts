/** Questions about single calls of tools and about tasks of agents: what waits for a person, and their answer. */
import { isoTime } from '../base/index.ts';
import type { Answered, AskList, AsksListInput, ShownAsk } from '../contracts/ask.ts';
import { isVerifiedAtLeast } from '../facts/index.ts';
import {
  type Ask,
  answerPlan,
  answerTimes,
  findAsks,
  listAsks as listRows,
} from '../gateway/index.ts';
import { escalatedTasks, type Task } from '../process/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, withOpened } from './context.ts';
import { isSeenDigest, type Refusal, unknown, usage } from './refusal.ts';
import { escalationDigest } from './tasks.ts';

/** By which `hone approve` and `hone reject` tell a question from a proposal. */
export const isAskId = (given: string): boolean => given.startsWith('ask_');

/** An agent that waits longer is one that people learn to go around. */
const ANSWER_AIM_MS = 300_000;
const TIMED_MS = 30 * 86_400_000;

export function listAsks(context: AppContext, { all, limit }: AsksListInput): Promise<AskList> {
  return withOpened(context, async ({ store }) => {
    const nowMs = await store.nowMs();
    const asks = await listRows(store, { nowMs, limit, waitingOnly: !all });
    const tasks = await escalatedTasks(store, limit);
    const times = await answerTimes(store, { sinceMs: nowMs - TIMED_MS, nowMs });
    const answers = { ...times, aimMs: ANSWER_AIM_MS };
    return { asks: asks.map(askJson), tasks: tasks.map(askedTask), answers };
  });
}

export function showAsk(context: AppContext, given: string): Promise<ShownAsk | Refusal> {
  return withOpened(context, async ({ store }) => {
    const found = await oneAsk(store, given);
    if ('refused' in found) return found;
    const { id, state, callDigest, shown } = found;
    const approve = `hone approve ${id} --digest ${callDigest.slice(0, DIGEST_SHOWN)}`;
    const commands = state === 'waiting' ? [approve, `hone reject ${id} --reason "…"`] : [];
    return { ...askJson(found), arguments: shown, commands };
  });
}

const DIGEST_SHOWN = 'sha256:'.length + 12;

interface Answer {
  readonly verdict: 'approved' | 'rejected';
  readonly digest?: string;
  readonly reason: string;
}

/** Anybody but an agent may say no. To say yes, one has to be verified as `gateway.answersNeed` wants it. */
export function answerAsk(
  context: AppContext,
  given: string,
  { verdict, digest, reason }: Answer,
): Promise<Answered | Refusal> {
  return withOpened(context, async (opened): Promise<Answered | Refusal> => {
    const { store, config, held } = opened;
    const ask = await oneAsk(store, given);
    if ('refused' in ask) return ask;
    const subject = { kind: 'Question', id: ask.id } as const;
    const maker = await authorise(context, opened, { action: 'answer', subject });
    if ('refused' in maker) return maker;
    const { actor } = maker;
    if (ask.state !== 'waiting') return { refused: `${ask.id} is ${ask.state} already.` };
    if (verdict === 'approved') {
      if (held !== undefined) return { refused: `Nothing is approved now. ${held}` };
      if (!isSeenDigest(ask.callDigest, digest ?? '')) {
        return usage(`Give the digest of what you saw: "hone asks show ${ask.id}".`);
      }
      const needed = config.gateway.answersNeed;
      if (!isVerifiedAtLeast(actor.verified, needed)) {
        return {
          refused: `${actor.id} is verified by ${actor.verified} only, and the agent may run as the same user. Put the secret of an approver’s token into HONE_TOKEN ("hone token add NAME --role approver").`,
        };
      }
    }
    const nowMs = await store.nowMs();
    const text = recordedText(reason, { keep: [actor.id] });
    const plan = answerPlan(ask, verdict, { actor, reason: text, nowMs });
    const { committed } = await store.commit(plan);
    if (!committed) return { refused: 'Somebody else has just answered it.' };
    const { id, callDigest, tool } = ask;
    return { id, state: verdict, digest: callDigest, tool, by: actor.id, verified: actor.verified };
  });
}

async function oneAsk(store: Store, given: string): Promise<Ask | Refusal> {
  const found = await findAsks(store, given, await store.nowMs());
  if (found.length === 1) return found[0]!;
  const list = '"hone asks list --all" shows them.';
  if (found.length === 0) return unknown(`There is no question ${given}. ${list}`);
  return unknown(`More than one question begins with ${given}. ${list}`);
}

function askedTask(task: Task): AskList['tasks'][number] {
  const { id, title, phase, progressedAtMs } = task;
  return {
    ...{ id, title, phase, cause: task.escalated!, why: task.escalatedWhy ?? '' },
    digest: escalationDigest(task),
    progressedAt: isoTime(progressedAtMs),
  };
}

function askJson(ask: Ask): AskList['asks'][number] {
  const { id, state, tool, agent, session, why, answeredBy, verified } = ask;
  return {
    id,
    state,
    tool,
    agent,
    task: ask.taskId,
    session,
    digest: ask.callDigest,
    why,
    askedAt: isoTime(ask.askedAtMs),
    expiresAt: isoTime(ask.expiresAtMs),
    answeredBy,
    verified,
  };
}
