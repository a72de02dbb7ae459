/** Several collectors over the same sources, as several processes or machines are. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../base/index.ts';
import type { CommitResult, Plan, Store } from '../store/index.ts';
import { readSources } from './sources-view.ts';
import {
  collectorOf,
  comparable,
  emptyStore,
  failedCall,
  MemoryFiles,
  SETTINGS,
  START_MS,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';

const SOURCES = ['a', 'b', 'c', 'd'];
const SETTINGS_OF_ALL = {
  ...SETTINGS,
  sources: SOURCES.map((name) => ({ name, kind: 'jsonl', path: name })),
};

/** The sessions, agents and minutes of all sources are the same, in opposite orders. */
function traffic(events: number, isBackwards: boolean): string {
  const lines = Array.from({ length: events }, (_, at) => {
    const session_id = `s${at % 7}`;
    const atMs = START_MS + (at % 50) * 1500;
    return at % 3 === 0
      ? failedCall(atMs, `timed out after ${at} ms`, { session_id })
      : toolCall(atMs, { session_id, agent: `agent-${at % 2}`, latency_ms: at });
  });
  return (isBackwards ? lines.reverse() : lines).join('');
}

function fourFiles(events: number): MemoryFiles {
  const files = new MemoryFiles();
  for (const [at, name] of SOURCES.entries()) files.append(name, traffic(events, at % 2 === 1));
  return files;
}

const reader = (store: Store, files: MemoryFiles, seed: number) =>
  collectorOf(store, files, { settings: SETTINGS_OF_ALL, random: seededRandom(seed) });

/**
 * A store whose commits take one round each: they happen when everybody who reads waits for one. So the number of
 * rounds is the time that reading takes where commits are what takes time.
 */
class Rounds {
  rounds = 0;
  refused = 0;
  readonly store: Store;
  readonly #inner: Store;
  #reading = 0;
  #waiting: (() => void)[] = [];

  constructor(inner: Store) {
    this.#inner = inner;
    this.store = Object.assign(Object.create(inner) as Store, {
      commit: (plan: Plan) => this.#commit(plan),
    });
  }

  async during<T>(reads: readonly (() => Promise<T>)[]): Promise<T[]> {
    this.#reading = reads.length;
    return Promise.all(
      reads.map(async (read) => {
        try {
          return await read();
        } finally {
          this.#reading -= 1;
          this.#release();
        }
      }),
    );
  }

  async #commit(plan: Plan): Promise<CommitResult> {
    await new Promise<void>((go) => {
      this.#waiting.push(go);
      this.#release();
    });
    const result = await this.#inner.commit(plan);
    if (!result.committed) this.refused += 1;
    return result;
  }

  #release(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#reading) return;
    this.rounds += 1;
    for (const go of this.#waiting.splice(0)) go();
  }
}

describe.each(['memory', 'postgres'] as const)('several readers on %s', (kind) => {
  const open = telemetryPerTest(kind);

  test('lose nothing and double nothing', async () => {
    const { store } = open();
    const files = fourFiles(1200);
    const all = await Promise.all([1, 2, 3, 4].map((seed) => reader(store, files, seed).collect()));
    expect(all.reduce((sum, { events }) => sum + events, 0)).toBe(4800);
    const together = await comparable(store);
    expect(await readSources(store)).toMatchObject(
      SOURCES.map((source) => ({ source, events: 1200, aside: 0 })),
    );
    expect(together).toEqual(await alone(fourFiles(1200)));
    const day = { fromMs: START_MS, toMs: START_MS + 86_400_000 };
    const { groups } = await new Telemetry(store).failures(day);
    expect(groups).toMatchObject([
      { template: 'timed out after <*> ms', sources: SOURCES, failures: 1600, sessions: 7 },
    ]);
  });

  test('one that was killed is followed at once, and one that wakes too late changes nothing', async () => {
    const { store } = open();
    const files = fourFiles(700);
    let [wake, held] = [() => {}, 0];
    const late = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const slow = Object.assign(Object.create(store) as Store, {
      commit: async (plan: Plan) => {
        // Everything after the first commits waits until the others are through.
        if (++held > 3) await late;
        return store.commit(plan);
      },
    });
    const overtaken = reader(slow, files, 1).collect();
    const killed = reader(diesAt(store, 3), files, 2).collect();
    await expect(killed).rejects.toThrow('killed');
    expect(await reader(store, files, 3).collect()).toMatchObject({ more: false });
    const before = await comparable(store);
    wake();
    await overtaken;
    expect(await comparable(store)).toEqual(before);
    expect(before).toEqual(await alone(fourFiles(700)));
  });

  test('a batch that is committed twice counts once', async () => {
    const { store } = open();
    const plans: Plan[] = [];
    const keeps = Object.assign(Object.create(store) as Store, {
      commit: (plan: Plan) => {
        plans.push(plan);
        return store.commit(plan);
      },
    });
    await reader(keeps, fourFiles(60), 1).collect();
    const before = await comparable(store);
    const again = await Promise.all(plans.map((plan) => store.commit(plan)));
    // The session's key is made once, whoever makes it.
    const batches = again.filter((_, at) => plans[at]!.expect !== undefined);
    expect(batches.length).toBeGreaterThan(SOURCES.length);
    for (const { committed } of batches) expect(committed).toBe(false);
    expect(await comparable(store)).toEqual(before);
  });

  test('new sources that begin at once get numbers of their own', async () => {
    const { store } = open();
    const files = fourFiles(3);
    await Promise.all(SOURCES.map((_, seed) => reader(store, files, seed).collect()));
    const rows = await store.all('SELECT number FROM observe_sources ORDER BY number');
    expect(rows.map((row) => row['number'])).toEqual([0, 1, 2, 3]);
    const ids = await store.all('SELECT COUNT(DISTINCT id) AS n FROM observe_events');
    expect(ids[0]).toMatchObject({ n: 12 });
  });

  async function alone(files: MemoryFiles): Promise<string> {
    const other = await emptyStore();
    try {
      await reader(other, files, 1).collect();
      return await comparable(other);
    } finally {
      await other.close();
    }
  }
});

describe('the time that several readers take', () => {
  const open = telemetryPerTest('memory');

  test.each([
    ['all with the same source', [0, 0, 0, 0]],
    ['by chance', [1, 2, 3, 4]],
  ])('is about the share of each: they begin %s', async (_, seeds) => {
    const one = new Rounds(open().store);
    await one.during([() => reader(one.store, fourFiles(3000), 1).collect()]);
    // Six batches for each of four sources, and their registration.
    expect(one.rounds).toBeGreaterThan(24);
    const store = await emptyStore();
    const several = new Rounds(store);
    const files = fourFiles(3000);
    await several.during(seeds.map((seed) => () => reader(several.store, files, seed).collect()));
    expect(await comparable(store)).toEqual(await comparable(open().store));
    await store.close();
    expect(several.rounds).toBeLessThan(one.rounds / 1.8);
  });
});

function diesAt(store: Store, commits: number): Store {
  let made = 0;
  return Object.assign(Object.create(store) as Store, {
    commit: async (plan: Plan) => {
      if (++made > commits) throw new Error('killed');
      return store.commit(plan);
    },
  });
}
