/**
 * Feedback of agents: cleaned, then kept in one commit with its record and its place in the agent's limit, and only then
 * acknowledged. It is data: nothing in it is followed. People read it with "hone feedback list", and the loop as telemetry
 * (`loop/feedback.ts`).
 */
import { makeArtifact, readArtifact } from '../artifact/index.ts';
import { isoTime } from '../base/index.ts';
import type {
  FeedbackInput,
  FeedbackList,
  FeedbackListInput,
  FeedbackReceived,
} from '../contracts/submission.ts';
import { findTask } from '../process/index.ts';
import { recordText } from '../sanitise/index.ts';
import { findSubmitted, listSubmissions, planSubmit } from '../vet/index.ts';
import { type AppContext, withOpened } from './context.ts';
import type { Refusal } from './refusal.ts';

const TEXT_MAX = 16_384;
/** What the ledger takes; the whole text is an artifact. */
const ABOUT_MAX = 400;
const TRIES_MAX = 5;

export function submitFeedback(
  context: AppContext,
  { text, task }: FeedbackInput,
): Promise<FeedbackReceived | Refusal> {
  return withOpened(context, async ({ store, config }): Promise<FeedbackReceived | Refusal> => {
    const actor = await context.actor(config.identity.agents);
    const { text: clean, masked } = recordText(text, { lengthMax: TEXT_MAX });
    if (clean === '') return { refused: 'The feedback says nothing.', kind: 'usage' };
    const subject =
      task === undefined ? {} : { subject: `task:${(await findTask(store, task)).id}` };
    const perDay = config.vet.submissionsPerDay;
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const nowMs = await store.nowMs();
      const content = makeArtifact(clean, 'text/plain');
      const given = { actor, kind: 'feedback', content, nowMs } as const;
      const planned = await planSubmit(store, {
        ...{ ...given, ...subject, perDay },
        about: recordText(clean, { lengthMax: ABOUT_MAX }).text,
      });
      // Repeated because nobody heard the answer: it is kept already, and does not count again.
      const known = await findSubmitted(store, given);
      const left = 'refused' in planned ? 0 : planned.left;
      if (known !== undefined) {
        const more = 'refused' in planned ? 0 : 1;
        return { id: known.id, receivedAt: isoTime(known.atMs), masked, left: left + more };
      }
      if ('refused' in planned) return planned;
      const { committed } = await store.commit(planned.plan);
      if (committed) return { id: planned.id, receivedAt: isoTime(nowMs), masked, left };
    }
    return { refused: 'Others submitted at the same moment. It is not kept; try again.' };
  });
}

export function listFeedback(
  context: AppContext,
  { limit }: FeedbackListInput,
): Promise<FeedbackList> {
  return withOpened(context, async ({ store }) => {
    const found = await listSubmissions(store, 'feedback', limit);
    const feedback = found.map(async ({ id, agent, atMs, contentDigest }) => {
      const { content } = await readArtifact(store, contentDigest);
      return { id, agent, receivedAt: isoTime(atMs), text: Buffer.from(content).toString() };
    });
    return { feedback: await Promise.all(feedback) };
  });
}
