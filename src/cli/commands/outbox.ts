/** `hone outbox list|show|settle`: effects outside Hone, and those that need a person. */
import { listOutbox, settleOutbox, showEffect } from '../../app/outbox.ts';
import type { OutboxListInput, OutboxSettleInput } from '../../contracts/outbox.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../io.ts';
import { fields, table } from '../layout.ts';
import { shownLines } from '../shown.ts';

export function outboxList(context: Context, options: OutboxListInput): Promise<number> {
  return answer(context, listOutbox(context, options), ({ effects }) => {
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
}

export function outboxShow(context: Context, key: string): Promise<number> {
  return answer(context, showEffect(context, key), ({ effect, payload }) => {
    const pairs = Object.entries(effect).map(
      ([name, value]) => [name, plainLine(String(value ?? '-'))] as const,
    );
    const text = shownLines(JSON.stringify(payload, null, 2));
    return `${fields(pairs, context.io.columns)}payload\n${text}\n`;
  });
}

export function outboxSettle(
  context: Context,
  key: string,
  outcome: OutboxSettleInput['outcome'],
): Promise<number> {
  return answer(context, settleOutbox(context, key, { outcome }), () => `${key}: ${outcome}.\n`);
}
