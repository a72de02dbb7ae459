/**
 * A process of its own for tests: opens the store at the given place, says so, waits until its input
 * ends, writes so many plans, and says each that was acknowledged.
 *
 *   node test/store-worker.ts <path or URL> <name> <plans>
 */
import { once } from 'node:events';
import type { CleanText } from '../src/base/index.ts';
import { entryWriter } from '../src/ledger/index.ts';
import { effectWriter } from '../src/outbox/index.ts';
import { controlMigrations, openSqlite } from '../src/store/index.ts';
import { openPostgres } from '../src/store/postgres/store.ts';

const [place = '', name = '', plans = '0'] = process.argv.slice(2);
const options = {
  migrations: controlMigrations,
  parts: { entries: entryWriter, effects: effectWriter },
};
const store = place.startsWith('postgres:')
  ? await openPostgres({ url: place, ...options })
  : await openSqlite({ path: place, synchronous: 'normal', ...options });
process.stdout.write('opened\n');
process.stdin.resume();
await once(process.stdin, 'end');
const tasks = Array.from({ length: Number(plans) }, (_, at) => `${name}/${at}`);
const work = async () => {
  for (let key = tasks.shift(); key !== undefined; key = tasks.shift()) {
    await store.commit({
      writes: [
        { upsert: 'ledger_cursors', key: { consumer: name }, row: { position: tasks.length } },
        { update: 'ledger_cursors', where: { consumer: 'all' }, set: { position: { add: 1 } } },
      ],
      entries: [
        {
          type: 'policy.resumed',
          actor: { kind: 'system', id: name, verified: 'local' },
          subject: 'hone:stop',
          data: { reason: key as CleanText },
        },
      ],
      effects: [{ key, destination: 'd', payload: null, step: 'notify' }],
    });
    process.stdout.write(`${key}\n`);
  }
};
await Promise.all([work(), work(), work()]);
await store.close();
