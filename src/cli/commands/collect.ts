/** `hone collect`: the sanitised events of a time, as a file. */
import { collect as collectTo } from '../../app/collect.ts';
import type { CollectedEvents, CollectInput } from '../../contracts/ingest.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { withInterrupt } from '../interruptible.ts';
import { wrap } from '../layout.ts';
import { counted, minute } from '../quantities.ts';
import { shown } from '../shown.ts';

export function collect(context: Context, options: CollectInput): Promise<number> {
  const { columns } = context.io;
  return withInterrupt((signal) =>
    answer(context, collectTo(context, options, signal), (done) => collectedText(done, columns)),
  );
}

function collectedText(done: CollectedEvents, columns: number): string {
  const { output, events, from, to, collected, removed, changed } = done;
  const lines = [
    `Read ${counted(collected.events, 'new event')} from the sources.`,
    `Wrote ${counted(events, 'event')} from ${minute(from)} to ${minute(to)} to ${shown(output)}.`,
    removed.length > 0 ? `Removed ${removed.map(shown).join(', ')}: written too long ago.` : '',
    changed.length > 0
      ? `Left ${changed.map(shown).join(', ')}: somebody changed it since it was written.`
      : '',
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => wrap(line, columns))
    .join('');
}
