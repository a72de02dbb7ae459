/** `hone outbox list|show|settle`: effects on the outside, and those that need a person. */

import { withOpened } from '../../app/context.ts';
import { isoTime } from '../../base/index.ts';
import type { EffectState } from '../../facts/index.ts';
import {
  countEffects,
  type Effect,
  listEffects,
  type Outcome,
  readEffect,
  settleEffect,
} from '../../outbox/index.ts';
import type { Context } from '../context.ts';
import { plainLine, present, refuse } from '../io.ts';
import { fields, table } from '../layout.ts';
import { shownLines } from '../shown.ts';

const shown = (effect: Effect) => ({
  key: effect.key,
  destination: effect.destination,
  step: effect.step,
  state: effect.state,
  attempts: effect.attempts,
  dueAt: isoTime(effect.dueAtMs),
  changedAt: isoTime(effect.changedAtMs),
  error: effect.error,
});

export function outboxList(
  context: Context,
  options: { state?: EffectState; limit: number },
): Promise<number> {
  return withOpened(context, async ({ store }) => {
    const states = options.state === undefined ? [] : [options.state];
    const effects = (await listEffects(store, { states, limit: options.limit })).map(shown);
    const counts = await countEffects(store);
    present(context.io, { counts, effects }, () => {
      if (effects.length === 0) return 'The outbox has nothing to show.\n';
      const rows = effects.map(({ key, destination, state, attempts, error }) => [
        state,
        destination,
        key,
        String(attempts),
        plainLine(error ?? ''),
      ]);
      const head = ['STATE', 'TO', 'KEY', 'TRIES', 'ERROR'];
      return table({ head, rows, isLastProse: true }, context.io.columns);
    });
    return 0;
  });
}

export function outboxShow(context: Context, key: string): Promise<number> {
  return withOpened(context, async ({ store }) => {
    const effect = await readEffect(store, key);
    if (effect === undefined) return noSuchEffect(context, key);
    const result = { effect: shown(effect), payload: effect.payload };
    present(context.io, result, () => {
      const pairs = Object.entries(result.effect).map(
        ([name, value]) => [name, plainLine(String(value ?? '-'))] as const,
      );
      const payload = shownLines(JSON.stringify(effect.payload, null, 2));
      return `${fields(pairs, context.io.columns)}payload\n${payload}\n`;
    });
    return 0;
  });
}

export function outboxSettle(context: Context, key: string, outcome: Outcome): Promise<number> {
  return withOpened(context, async ({ store, config }) => {
    const actor = await context.actor(config.identity.agents);
    const result = await settleEffect(store, key, outcome, actor);
    if (result.settled) {
      present(context.io, { key, outcome }, () => `${key}: ${outcome}.\n`);
      return 0;
    }
    if (result.why === 'unknown') return noSuchEffect(context, key);
    const why = {
      not_open: `${key} is neither dead nor uncertain: nothing to settle.`,
      not_human: `${actor.id} is an agent; a person settles what is uncertain.`,
      changed: `${key} changed just now. Look at "hone outbox show ${key}".`,
    }[result.why];
    return refuse(context.io, why);
  });
}

function noSuchEffect(context: Context, key: string): number {
  return refuse(context.io, `There is no effect ${key}. "hone outbox list" shows them.`, 2);
}
