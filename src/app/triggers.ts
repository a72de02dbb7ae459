/** What asks for a cycle, and a person's request for one. */
import { isoTime } from '../base/index.ts';
import type { TriggerList, TriggerRequest, TriggerRequestInput } from '../contracts/trigger.ts';
import { queueTrigger, listTriggers as readTriggers } from '../loop/index.ts';
import { recordText } from '../sanitise/index.ts';
import { type AppContext, withOpened } from './context.ts';

export function listTriggers(context: AppContext): Promise<TriggerList> {
  return withOpened(context, async ({ store }) => ({
    triggers: (await readTriggers(store)).map(({ firstAtMs, lastAtMs, takenAtMs, ...one }) => ({
      ...one,
      firstAt: isoTime(firstAtMs),
      lastAt: isoTime(lastAtMs),
      takenAt: takenAtMs === null ? null : isoTime(takenAtMs),
    })),
  }));
}

/** Queued for whoever runs cycles: `hone up` begins one at once, or at its next look if it is less urgent. */
export function requestCycle(
  context: AppContext,
  { reason, urgency }: TriggerRequestInput,
): Promise<TriggerRequest> {
  return withOpened(context, async ({ store, config }) => {
    const actor = await context.actor(config.identity.agents);
    const key = `human:${context.newId('t')}`;
    const detail = `${actor.id}: ${recordText(reason).text}`;
    await queueTrigger(
      store,
      { key, kind: 'human', urgency, detail },
      { nowMs: await store.nowMs(), againAfterMs: 0 },
    );
    await store.notify('loop');
    return { key, urgency };
  });
}
