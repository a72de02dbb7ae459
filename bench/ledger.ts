/** What the ledger costs, against a bare INSERT of the same bytes in the same mode. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { sha256 } from '../src/base/index.ts';
import { LedgerView, verifyLedger } from '../src/ledger/index.ts';
import type { Store } from '../src/store/index.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';
import {
  assertCommitted,
  bareInsert,
  change,
  entry,
  openFile,
  proposals,
  withFolder,
} from './parts/bench-store.ts';
import { postgresFigures } from './parts/postgres-ledger.ts';
import { median, percentile, ratePerSecond, sortedNumbers, takeTurns } from './parts/timing.ts';

const PROCESSES = 4;

export const measurement: Measurement = {
  what: 'commits of the ledger against a bare INSERT; growth, verification, proofs',
  aims: {
    append_ratio: '<=1.2',
    change_ratio: '<=1.5',
    concurrent_speedup: '>=8',
    processes4_p99_ms: '<=50',
    processes4_block_ms: '<=20',
    growth_ratio: '<=1.2',
    verify_ratio: '>=0.5',
    proof_ms: '<=0.5',
    postgres_change_ratio: '<=1.3',
    postgres_64_speedup: '>=3',
  },
  async *run(context) {
    yield* await withFolder((folder) => appendFigures(folder, context));
    yield* await withFolder((folder) => processFigures(folder, context));
    yield* await withFolder((folder) => growthFigures(folder, context));
    yield* await postgresFigures(context);
  },
};

async function appendFigures(folder: string, { scale, progress }: Context): Promise<Figure[]> {
  progress('append and change');
  const store = await openFile(folder);
  const bare = bareInsert(folder);
  const check = assertCommitted;
  check(await store.commit(proposals()));
  let number = 0;
  const versions = new Map<number, number>();
  const nextChange = () => {
    const at = ++number % 500;
    const version = versions.get(at) ?? 0;
    versions.set(at, version + 1);
    return store.commit(change(number, version));
  };
  const count = Math.ceil(4000 * scale);
  const floor = bare.insert;
  const append = await takeTurns({
    measured: () => store.commit({ entries: [entry(++number)] }),
    floor,
    count,
    block: 50,
    check,
  });
  const changed = await takeTurns({ measured: nextChange, floor, count, block: 50, check });
  const one = await ratePerSecond(() => store.commit({ entries: [entry(++number)] }), {
    workers: 1,
    ms: 2000 * scale,
    check,
  });
  const many = await ratePerSecond(() => store.commit({ entries: [entry(++number)] }), {
    workers: 64,
    ms: 2000 * scale,
    check,
  });
  await store.close();
  bare.close();
  return [
    ratio('append_ratio', median(append.measured), median(append.floor)),
    ratio('change_ratio', median(changed.measured), median(changed.floor)),
    {
      metric: 'concurrent_speedup',
      value: many / one,
      measured: many,
      floor: one,
      unit: 'appends/s',
    },
  ];
}

function ratio(metric: string, measured: number, floor: number, unit = 'ms p50'): Figure {
  return { metric, value: measured / floor, measured, floor, unit };
}

async function processFigures(folder: string, { scale, progress }: Context): Promise<Figure[]> {
  progress('four processes');
  await (await openFile(folder)).close();
  const count = Math.ceil(2000 * scale);
  const script = new URL('./parts/append-worker.ts', import.meta.url).pathname;
  const workers = Array.from({ length: PROCESSES }, () => fork(script, [folder, String(count)]));
  await Promise.all(workers.map(nextMessage));
  const answers = workers.map(nextMessage);
  for (const worker of workers) worker.send('go');
  const results = (await Promise.all(answers)) as { latenciesMs: number[]; blockedMs: number }[];
  const all = sortedNumbers(results.flatMap((result) => result.latenciesMs));
  const n = all.length;
  return [
    { metric: 'processes4_p50_ms', value: percentile(all, 0.5), unit: 'ms', n },
    { metric: 'processes4_p99_ms', value: percentile(all, 0.99), unit: 'ms', n },
    { metric: 'processes4_max_ms', value: all.at(-1)!, unit: 'ms', n },
    {
      metric: 'processes4_block_ms',
      value: Math.max(...results.map((result) => result.blockedMs)),
      unit: 'ms',
    },
  ];
}

/** Nobody waits for a process that failed. */
async function nextMessage(worker: ChildProcess): Promise<unknown> {
  const gone = once(worker, 'disconnect').then(() => {
    throw new Error('a process that appends ended before it was done');
  });
  const [message] = await Promise.race([once(worker, 'message'), gone]);
  return message;
}

async function growthFigures(folder: string, context: Context): Promise<Figure[]> {
  const store = await openFile(folder);
  const samples = Math.ceil(1000 * context.scale);
  await fill(store, 1000, context);
  const small = await appendTimes(store, samples);
  const size = Math.ceil(1_000_000 * context.scale);
  await fill(store, size, context);
  const large = await appendTimes(store, samples);
  context.progress('verify and proofs');
  const entries = await new LedgerView(store).size();
  const startMs = performance.now();
  const result = await verifyLedger(store, { known: [] });
  const verifyMs = performance.now() - startMs;
  if (!result.ok) throw new Error(result.problem.message);
  const floorMs = await readAndHash(store);
  const proofMs = await proofTimes(store, entries, samples);
  await store.close();
  return [
    { ...ratio('growth_ratio', median(large), median(small)), n: entries },
    {
      metric: 'verify_ratio',
      value: floorMs / verifyMs,
      measured: (entries * 1000) / verifyMs,
      floor: (entries * 1000) / floorMs,
      unit: 'entries/s',
    },
    { metric: 'proof_ms', value: median(proofMs), unit: 'ms p50', n: entries },
  ];
}

async function fill(store: Store, size: number, { progress }: Context): Promise<void> {
  let at = await new LedgerView(store).size();
  while (at < size) {
    const count = Math.min(500, size - at);
    const entries = Array.from({ length: count }, (_, i) => entry(at + i));
    assertCommitted(await store.commit({ entries }));
    at += count;
    if (at % 100_000 === 0) progress(`filled ${at} entries`);
  }
}

async function appendTimes(store: Store, samples: number): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < samples; number++) {
    const startMs = performance.now();
    const result = await store.commit({ entries: [entry(number)] });
    times.push(performance.now() - startMs);
    assertCommitted(result);
  }
  return times;
}

/** The floor of verification: the same rows in the same pages, each body hashed once. */
async function readAndHash(store: Store): Promise<number> {
  const startMs = performance.now();
  for (let from = 0; ; from += 2000) {
    const rows = await store.all(
      'SELECT idx, subject, body, hashes FROM ledger_entries WHERE idx >= ? ORDER BY idx LIMIT 2000',
      [from],
    );
    for (const row of rows) sha256(row['body'] as string);
    if (rows.length < 2000) return performance.now() - startMs;
  }
}

async function proofTimes(store: Store, size: number, samples: number): Promise<number[]> {
  const view = new LedgerView(store);
  const times: number[] = [];
  for (let at = 0; at < samples; at++) {
    const startMs = performance.now();
    await view.proveInclusion((at * 7919) % size, size);
    times.push(performance.now() - startMs);
  }
  return times;
}
