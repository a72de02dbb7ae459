/** Reads what a worker said (see `worker.ts`). */
import type { Said } from './changes.ts';

export class Hearing implements Said {
  readonly acknowledged = new Set<string>();
  readonly refused = new Set<string>();
  open = false;
  /** The last line says that it closed its store, or why it could not go on. */
  finished = false;

  hear(line: string): void {
    const [word, id = ''] = line.split(' ');
    if (word === 'open') this.open = true;
    if (word === 'ack') this.acknowledged.add(id);
    if (word === 'refused') this.refused.add(id);
    this.finished = word === 'closed' || word === 'failed';
  }
}

export function hear(lines: Iterable<string>): Hearing {
  const hearing = new Hearing();
  for (const line of lines) hearing.hear(line);
  return hearing;
}
