/** `hone trigger`: what asks for a cycle, and asking for one. */
import { listTriggers, requestCycle } from '../../app/triggers.ts';
import type { TriggerList, TriggerRequestInput } from '../../contracts/trigger.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { wrap } from '../layout.ts';
import { shown } from '../shown.ts';

export function triggerList(context: Context): Promise<number> {
  return answer(context, listTriggers(context), (all) => listText(all, context.io));
}

export function triggerRequest(context: Context, options: TriggerRequestInput): Promise<number> {
  return answer(context, requestCycle(context, options), ({ urgency }) =>
    wrap(
      `Asked for a cycle. ${WHEN[urgency]} "hone cycle" runs one now; "hone trigger list" shows what waits.`,
      context.io.columns,
    ),
  );
}

const WHEN = {
  high: 'A running "hone up" begins one at once.',
  normal: 'A running "hone up" begins one within a quarter of an hour.',
  low: 'The next cycle looks at it, whoever begins it.',
};

function listText({ triggers }: TriggerList, io: Io): string {
  if (triggers.length === 0) return 'Nothing asks for a cycle.\n';
  return triggers
    .map(({ key, urgency, detail, times, lastAt, cycle, takenAt }) => {
      const state = cycle === null ? `waits (${urgency})` : `taken by ${cycle} ${minute(takenAt!)}`;
      const often = times === 1 ? 'once' : `${times} times`;
      return [
        wrap(`${io.style('bold', shown(key))}  ${state}`, io.columns),
        wrap(`${shown(detail)} Asked ${often}, last at ${minute(lastAt)}.`, io.columns, '  '),
      ].join('');
    })
    .join('');
}

function minute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
