/** `hone retention`: how long telemetry is kept, what would go now, and deleting it now. */
import { retention } from '../../app/retention.ts';
import type { RetentionAnswer } from '../../contracts/retention.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { fields, wrap } from '../layout.ts';

export function retentionShow(context: Context): Promise<number> {
  return answer(context, retention(context, { run: false }), (all) => text(all, context));
}

export function retentionRun(context: Context): Promise<number> {
  return answer(context, retention(context, { run: true }), (all) => text(all, context));
}

function text(all: RetentionAnswer, { io }: Context): string {
  const { keep, deleted, events, named, activeMinutes, counts, nextAt, lastAt } = all;
  const stays =
    named === null || named === 0 ? '' : `; ${named} older ones stay: proposals name them`;
  const rows: [string, string][] = [
    [
      'Raw events',
      `kept for ${keep.events}; ${events} ${deleted ? 'deleted' : 'would go'}${stays}`,
    ],
    [
      'Active minutes',
      `kept for ${keep.events}; ${activeMinutes} ${deleted ? 'deleted' : 'would go'}`,
    ],
    ['Counts', `kept for ${keep.counts}; ${counts} rows ${deleted ? 'deleted' : 'would go'}`],
    ['Runs', `next ${minute(nextAt)}, last ${lastAt === null ? 'never' : minute(lastAt)}`],
  ];
  const hint = deleted
    ? ''
    : wrap('Nothing was deleted. "hone retention run" deletes it now.', io.columns);
  return fields(rows, io.columns) + hint;
}

function minute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
