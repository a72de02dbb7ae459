/** Effects outside Hone, and those that need a person. */
import { isoTime } from '../base/index.ts';
import type {
  OutboxList,
  OutboxListInput,
  OutboxSettleInput,
  SettledEffect,
  ShownEffect,
} from '../contracts/outbox.ts';
import {
  countEffects,
  type Effect,
  listEffects,
  readEffect,
  settleEffect,
} from '../outbox/index.ts';
import { type AppContext, withOpened } from './context.ts';
import { pageOf } from './page.ts';
import { type Refusal, unknown } from './refusal.ts';

/** The newest first. */
export function listOutbox(
  context: AppContext,
  { state, before, limit }: OutboxListInput,
): Promise<OutboxList> {
  return withOpened(context, async ({ store }) => {
    const states = state === undefined ? [] : [state];
    const found = await listEffects(store, { states, before, limit: limit + 1 });
    const page = pageOf(found, limit, ({ key }) => key);
    return { counts: await countEffects(store), effects: page.shown.map(shown), next: page.next };
  });
}

export function showEffect(context: AppContext, key: string): Promise<ShownEffect | Refusal> {
  return withOpened(context, async ({ store }): Promise<ShownEffect | Refusal> => {
    const effect = await readEffect(store, key);
    if (effect === undefined) return noSuchEffect(key);
    return { effect: shown(effect), payload: effect.payload };
  });
}

/** Records what a person found out about a dead or uncertain effect. */
export function settleOutbox(
  context: AppContext,
  key: string,
  { outcome }: OutboxSettleInput,
): Promise<SettledEffect | Refusal> {
  return withOpened(context, async ({ store, config }): Promise<SettledEffect | Refusal> => {
    const actor = await context.actor(config.identity.agents);
    const result = await settleEffect(store, key, outcome, actor);
    if (result.settled) return { key, outcome };
    if (result.why === 'unknown') return noSuchEffect(key);
    const why = {
      not_open: `${key} is neither dead nor uncertain: nothing to settle.`,
      not_human: `${actor.id} is an agent; a person settles what is uncertain.`,
      changed: `${key} changed just now. Look at "hone outbox show ${key}".`,
    }[result.why];
    return { refused: why };
  });
}

const noSuchEffect = (key: string): Refusal =>
  unknown(`There is no effect ${key}. "hone outbox list" shows them.`);

const shown = (effect: Effect): ShownEffect['effect'] => ({
  key: effect.key,
  destination: effect.destination,
  step: effect.step,
  state: effect.state,
  attempts: effect.attempts,
  dueAt: isoTime(effect.dueAtMs),
  changedAt: isoTime(effect.changedAtMs),
  error: effect.error,
});
