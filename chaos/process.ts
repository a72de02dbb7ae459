/**
 * Agents skip phases, claim results, come second, change their commit and go back, in any order, on both engines. No sequence
 * leads to a transition that is out of order or without valid evidence. The control takes the gate out.
 */

import { parts } from '../bench/parts/bench-store.ts';
import { seededRandom } from '../src/base/index.ts';
import { type GateInput, type GateVerdict, phasesInOrder } from '../src/process/index.ts';
import { allMigrations, controlMigrations, openSqlite, type Store } from '../src/store/index.ts';
import { openPostgres } from '../src/store/postgres/store.ts';
import { makeTemplate } from '../test/postgres-database.ts';
import { startPostgres } from '../test/postgres-server.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { templateUrl } from './parts/outbox-store.ts';
import { type Played, playTask } from './parts/task-world.ts';

const SEQUENCES_PER_ENGINE = 5000;
const CONTROL_SEQUENCES = 50;
const ACTS = 12;
/** Commits that come together share a transaction on SQLite, and the server's time on PostgreSQL. */
const AT_ONCE = 64;

export const measurement: Measurement = {
  what: 'random sequences of skips, claims, second workers, moved commits and ways back against the gate, on both engines',
  aims: { violations: '<=0', sequences: '>=10000', control_caught: '>=1' },
  run,
};

interface Sum {
  sequences: number;
  violations: string[];
  transitions: number;
  refused: number;
}

/** Lets everybody pass who has the lease, to wherever they ask for. */
function noGate({ definition, task, to, lease }: GateInput): GateVerdict {
  if (!lease.held)
    return {
      open: false,
      to: null,
      reasons: [{ code: 'lease_held', about: task.phase, why: 'held' }],
    };
  const names = phasesInOrder(definition).map(({ name }) => name);
  const next = names[names.indexOf(task.phase) + 1] ?? null;
  return {
    open: true,
    to: to !== undefined && names.includes(to) ? to : next,
    evidence: [],
    warnings: [],
  };
}

async function play(
  store: Store,
  { count, seed, gate }: { count: number; seed: number; gate?: typeof noGate },
): Promise<Sum> {
  const sum: Sum = { sequences: 0, violations: [], transitions: 0, refused: 0 };
  let next = 0;
  const add = ({ violations, transitions, refused }: Played) => {
    sum.sequences += 1;
    sum.violations.push(...violations);
    sum.transitions += transitions;
    sum.refused += refused;
  };
  const lane = async () => {
    while (next < count) {
      const random = seededRandom(seed * 1_000_003 + next++);
      add(await playTask({ store, random, acts: ACTS, ...(gate === undefined ? {} : { gate }) }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return sum;
}

async function* run({ scale, seed, progress }: Context) {
  const count = Math.ceil(SEQUENCES_PER_ENGINE * scale);
  const kept: Sum[] = [];
  const controls: Sum[] = [];
  for (const engine of ['sqlite', 'postgres'] as const) {
    await using opened = await openEngine(engine);
    kept.push(await play(opened.store, { count, seed }));
    controls.push(
      await play(opened.store, { count: CONTROL_SEQUENCES, seed: seed + 1, gate: noGate }),
    );
    const { transitions, refused, violations } = kept.at(-1)!;
    progress(`${engine}: ${count} sequences, ${transitions} transitions, ${refused} refused`);
    for (const one of violations.slice(0, 5)) progress(`${engine}: ${one}`);
  }
  const total = (figure: (sum: Sum) => number) => kept.reduce((all, sum) => all + figure(sum), 0);
  yield {
    metric: 'violations',
    value: total((sum) => sum.violations.length),
    n: total((sum) => sum.transitions),
  };
  yield {
    metric: 'sequences',
    value: total((sum) => sum.sequences),
    note: 'half of them on each engine',
  };
  yield {
    metric: 'transitions',
    value: total((sum) => sum.transitions),
    note: 'let pass, each judged again',
  };
  yield { metric: 'refused', value: total((sum) => sum.refused) };
  yield {
    metric: 'control_caught',
    value: controls.every(({ violations }) => violations.length > 0) ? 1 : 0,
    note: 'with the gate taken out, on each engine',
  };
}

async function openEngine(
  engine: 'sqlite' | 'postgres',
): Promise<AsyncDisposable & { readonly store: Store }> {
  if (engine === 'sqlite') {
    const store = await openSqlite({
      path: ':memory:',
      synchronous: 'off',
      migrations: controlMigrations,
      parts,
    });
    return { store, [Symbol.asyncDispose]: () => store.close() };
  }
  const server = await startPostgres();
  await makeTemplate(server.url);
  const store = await openPostgres({
    url: templateUrl(server.url),
    migrations: allMigrations,
    parts,
    connectionsMax: 8,
  });
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await server.stop();
    },
  };
}
