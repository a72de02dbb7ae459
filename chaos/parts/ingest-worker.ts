/**
 * A process that receives telemetry, or imports it from files, until it is killed, or, with `drain`, until all files are
 * read. It can be told to kill itself around one of its commits: between commit and answer is the worst moment, and
 * too short to be hit from outside.
 *
 *   node chaos/parts/ingest-worker.ts '{"place":"telemetry.db","role":"receive",…}'
 */
import { isMainThread } from 'node:worker_threads';
import { telemetryReceiver } from '../../src/app/receive-telemetry.ts';
import { silentLog, systemClock } from '../../src/base/index.ts';
import { openOtlpDoor } from '../../src/http/index.ts';
import { Collector, nodeSourceFiles } from '../../src/observe/index.ts';
import type { Plan, Store } from '../../src/store/index.ts';
import { openIngestStore } from './ingest-store.ts';

export interface IngestWorkerOptions {
  readonly place: string;
  readonly role: 'receive' | 'import' | 'drain';
  /** Of the files that are imported. */
  readonly folder: string;
  /** Kills itself at this commit, before or right after it. */
  readonly dieAt?: { readonly commit: number; readonly isBefore: boolean } | undefined;
  /** A protection that is taken out: the memory of what was stored, or waiting for the commit. */
  readonly removed?: 'memory' | 'waiting' | undefined;
}

/** What the control answers too early is committed after this. */
const LATE_MS = 60;

// Bundled, this file also holds the store's thread (`bulk-thread.ts`), which serves and does nothing else.
if (!isMainThread) await new Promise<never>(() => {});
const options = JSON.parse(process.argv[2]!) as IngestWorkerOptions;
const opened = await openIngestStore(options.place);
const store = withoutProtection(dying(opened));
const observe = {
  sources: [{ name: 'files', kind: 'otlp', path: options.folder }],
  allowedDomains: [],
  allowedPaths: [],
  redactUuids: false,
  rules: [],
  keepKinds: [],
  markSuffix: false,
  overhead: 1,
  otlp: { maxRequest: 4 * 1024 * 1024 },
};
await (options.role === 'receive' ? receive() : importFiles());

async function receive(): Promise<void> {
  const ports = { telemetry: store, config: { observe } };
  const door = await openOtlpDoor({
    receiver: telemetryReceiver({ ports } as never, silentLog),
    host: '127.0.0.1',
    port: 0,
    guard: { allowedHosts: [], allowedOrigins: [] },
    needsToken: false,
    bodyBytesMax: observe.otlp.maxRequest,
    name: 'hone/chaos',
    log: silentLog,
    isKnown: async () => false,
  });
  process.stdout.write(`${door.url}\n`);
}

async function importFiles(): Promise<void> {
  await using files = nodeSourceFiles(options.folder);
  const collector = new Collector({ store, files, settings: observe });
  process.stdout.write('open\n');
  for (;;) {
    const { events, more } = await collector.collect();
    if (options.role === 'drain' && events === 0 && !more) break;
    await systemClock.sleep(2);
  }
  await opened.close();
}

function wrapped(inner: Store, more: Partial<Store>): Store {
  return {
    engine: inner.engine,
    location: inner.location,
    commit: (plan) => inner.commit(plan),
    claim: (claim) => inner.claim(claim),
    all: (sql, values) => inner.all(sql, values),
    nowMs: () => inner.nowMs(),
    notify: (channel) => inner.notify(channel),
    listen: (channel, wake) => inner.listen(channel, wake),
    close: () => inner.close(),
    ...more,
  };
}

function isBatch({ writes = [] }: Plan): boolean {
  return writes.some((write) => 'insertRows' in write && write.insertRows === 'observe_events');
}

function dying(inner: Store): Store {
  const { dieAt } = options;
  if (dieAt === undefined) return inner;
  let commits = 0;
  const die = () => process.kill(process.pid, 'SIGKILL');
  return wrapped(inner, {
    commit: async (plan) => {
      const isLast = isBatch(plan) && ++commits === dieAt.commit;
      if (isLast && dieAt.isBefore) die();
      const committed = await inner.commit(plan);
      if (isLast) die();
      return committed;
    },
  });
}

function withoutProtection(inner: Store): Store {
  if (options.removed === 'memory')
    return wrapped(inner, {
      all: (sql, values) =>
        sql.includes('observe_positions') ? Promise.resolve([]) : inner.all(sql, values),
    });
  if (options.removed !== 'waiting') return inner;
  let last: Promise<unknown> = Promise.resolve();
  return wrapped(inner, {
    commit: async (plan) => {
      if (!isBatch(plan)) return inner.commit(plan);
      // What another receiver committed meanwhile may be in its way: then it is lost, as it would be.
      last = last
        .then(() => systemClock.sleep(LATE_MS))
        .then(() => inner.commit(plan))
        .catch(() => undefined);
      return { committed: true };
    },
  });
}
