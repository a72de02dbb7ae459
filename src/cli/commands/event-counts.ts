/** `hone events count`: how much happened, failed, took and cost, by one dimension. */
import { countEvents } from '../../app/count-events.ts';
import type { EventsCount, EventsCountInput } from '../../contracts/event.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { table, wrap } from '../layout.ts';
import { duration } from '../quantities.ts';
import { shown } from '../shown.ts';

const ROWS_MAX = 50;

export function eventsCount(context: Context, options: EventsCountInput): Promise<number> {
  const { by, since, until } = options;
  return answer(context, countEvents(context, { by, since, until }), (counts) =>
    countsText(counts, context.io),
  );
}

function countsText({ by, rows }: EventsCount, io: Io): string {
  if (rows.length === 0)
    return wrap('No event is in that time. --since looks further back.', io.columns);
  const cells = rows
    .slice(0, ROWS_MAX)
    .map((row) => [
      row.name === '' ? '(none)' : shown(row.name),
      String(row.events),
      row.judged === 0 ? '' : `${row.failed} (${Math.round((100 * row.failed) / row.judged)} %)`,
      row.p50Ms === null ? '' : duration(row.p50Ms),
      row.p95Ms === null ? '' : duration(row.p95Ms),
      row.inputTokens + row.outputTokens === 0 ? '' : String(row.inputTokens + row.outputTokens),
      row.costUsd === 0 ? '' : row.costUsd.toFixed(2),
    ]);
  const head = [by, 'events', 'failed', 'half within', '95 % within', 'tokens', 'USD'];
  const used = head.map((_, at) => at < 3 || cells.some((row) => row[at] !== ''));
  const kept = (row: readonly string[]) => row.filter((_, at) => used[at]);
  const more = rows.length - cells.length;
  const rest = more > 0 ? wrap(`and ${more} more; --json lists them`, io.columns) : '';
  return table({ head: kept(head), rows: cells.map(kept) }, io.columns) + rest;
}
