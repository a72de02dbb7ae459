import { expect, test } from 'vitest';
import {
  collectorOf,
  MemoryFiles,
  SETTINGS,
  START_MS,
  telemetryPerTest,
} from '../../telemetry.test-support.ts';
import type { TargetCommit } from '../../types.ts';

const open = telemetryPerTest('memory');
const idOf = (count: number) => count.toString(16).padStart(40, '0');
const commit = (count: number): TargetCommit => ({
  id: idOf(count),
  title: `change ${count}`,
  atMs: START_MS - 3_600_000 + count * 1000,
  paths: [`src/${count}.ts`],
});

/** A target in memory, and how often its commits were asked for. */
function target() {
  const history: TargetCommit[] = [];
  const asked: (string | null)[] = [];
  const commits = async (after: string | null, limit: number) => {
    asked.push(after);
    const at = history.findIndex(({ id }) => id === after);
    return {
      commits: history.slice(at + 1).slice(-limit),
      isJoined: after === null || at >= 0,
    };
  };
  return { history, asked, commits };
}

function reader({ commits }: ReturnType<typeof target>) {
  const { store } = open();
  const settings = { ...SETTINGS, sources: [{ name: 'commits', kind: 'commits' }] };
  const collect = () => collectorOf(store, new MemoryFiles(), { settings, commits }).collect();
  const kept = async () =>
    (await store.all('SELECT body FROM observe_events ORDER BY id')).map((row) =>
      JSON.parse(row['body'] as string),
    );
  return { collect, kept };
}

test('OBS-2 commits of the target are changes, each once, with title and paths', async () => {
  const repository = target();
  const { collect, kept } = reader(repository);
  repository.history.push(commit(1), commit(2));
  expect(await collect()).toMatchObject({ events: 2, aside: 0 });
  expect((await kept())[1]).toMatchObject({
    kind: 'change',
    change: 'commit',
    name: idOf(2),
    title: 'change 2',
    paths: ['src/2.ts'],
    atMs: commit(2).atMs,
  });
  repository.history.push(commit(3));
  expect(await collect()).toMatchObject({ events: 1 });
  expect(await collect()).toMatchObject({ events: 0 });
  expect(repository.asked).toEqual([null, idOf(2), idOf(3)]);
});

test('more commits than a batch holds are all given', async () => {
  const repository = target();
  const { collect, kept } = reader(repository);
  repository.history.push(commit(1));
  await collect();
  for (let count = 2; count <= 1300; count++) repository.history.push(commit(count));
  expect(await collect()).toMatchObject({ events: 1299 });
  expect(new Set((await kept()).map(({ name }) => name)).size).toBe(1300);
});

test('after a rewritten history only what is newer is given', async () => {
  const repository = target();
  const { collect, kept } = reader(repository);
  repository.history.push(commit(1), commit(2));
  await collect();
  repository.history.length = 0;
  repository.history.push(commit(1), { ...commit(3), id: idOf(99) });
  expect(await collect()).toMatchObject({ events: 1 });
  expect((await kept()).map(({ name }) => name)).toEqual([idOf(1), idOf(2), idOf(99)]);
});

test('without a target there is nothing to read', async () => {
  const { store } = open();
  const settings = { ...SETTINGS, sources: [{ name: 'commits', kind: 'commits' }] };
  const read = await collectorOf(store, new MemoryFiles(), { settings }).collect();
  expect(read).toMatchObject({ events: 0, aside: 0 });
});
