/** PROP-8: what the weekly scan suggests beside fixes of failures. */
import { describe, expect, test } from 'vitest';
import { type CleanText, canonicalJson, digestOfBytes, isoTime } from '../base/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import { readReport } from './cycle-end.ts';
import { listCycles, loopSchedules } from './index.ts';
import { HOUR_MS, traffic, type World, worldPerTest } from './loop.test-support.ts';

const DAY_MS = 24 * HOUR_MS;
const MAIN = 'refs/heads/main';
const PROMPT = 'agents/researcher.md';
const signal = new AbortController().signal;

describe('PROP-8 the weekly scan', () => {
  const open = worldPerTest('memory');

  async function weekly(world: World) {
    const scheduled = { loop: world.loop(), ports: world.ports() };
    const scan = loopSchedules(scheduled).find(({ name }) => name === 'enhancementScan')!;
    await scan.run(signal, world.clock.nowMs());
    await world.run();
    const [cycle] = await listCycles(world.store, 1);
    const { findings } = (await readReport(world.store, cycle!.id))!;
    return findings.filter(({ did }) => did === 'suggested');
  }

  /** A commit of that time. */
  async function commitAt(world: World, daysAgo: number, files: Record<string, string>) {
    const head = await world.head();
    const atMs = world.clock.nowMs() - daysAgo * DAY_MS;
    const commit = await commitFiles(world.repository, head, files, atMs);
    await world.repository.moveRef(MAIN, commit, head);
    return commit;
  }

  const told = async ({ store }: World) =>
    (await store.all("SELECT title FROM notify_pending WHERE title LIKE 'Weekly scan%'")).map(
      ({ title }) => title,
    );

  test('says nothing, and tells nobody, where there is nothing', async () => {
    const world = await open();
    world.files.text = traffic({ untilMs: world.clock.nowMs(), failEvery: 500 });
    expect(await weekly(world)).toEqual([]);
    expect(await told(world)).toEqual([]);
  });

  test('failures that earlier cycles knew and left alone', async () => {
    const world = await open();
    // No file has this limit: a person is told.
    await world.commit('agents/researcher.yaml', 'name: researcher\n');
    await world.loop().startCycle('human');
    await world.run();
    expect(await weekly(world)).toEqual([]);
    world.clock.advance(25 * HOUR_MS);
    world.files.text += traffic({ untilMs: world.clock.nowMs() });
    const found = await weekly(world);
    expect(found).toMatchObject([
      { title: expect.stringMatching(/^Nobody acts on: web_search of researcher times out/) },
    ]);
    expect(found[0]!.why).toMatch(/^known since 2026-01-01\. .+"hone patterns ignore pat_/);
    expect(await told(world)).toEqual(['Weekly scan: 1 thing to look at']);
  });

  test('schedules that failed more than once', async () => {
    const world = await open();
    world.files.text = '';
    const ran = (schedule: string, outcome: 'done' | 'failed' | 'timed_out', daysAgo: number) => ({
      ...{ type: 'schedule.ran', actor: SYSTEM, subject: `schedule:${schedule}` },
      data: {
        ...{ schedule, dueAtMs: 0, outcome, missed: 0, step: 'observe' },
        error: outcome === 'failed' ? ('the disk is full' as CleanText) : null,
      },
      atMs: world.clock.nowMs() - daysAgo * DAY_MS,
    });
    await world.store.commit({
      entries: [
        ran('retention', 'failed', 9),
        ran('digest', 'timed_out', 5),
        ran('retention', 'timed_out', 4),
        ran('retention', 'done', 3),
        ran('retention', 'failed', 2),
      ] as never,
    });
    expect(await weekly(world)).toMatchObject([
      {
        title: 'The schedule retention is flaky',
        why: '2 of its runs failed this week, the last one with: the disk is full. "hone ledger show --subject schedule:retention" has each.',
      },
    ]);
  });

  test('indexes that are older than what they are made from, or than 30 days', async () => {
    const world = await open();
    world.files.text = '';
    const index = (name: string) => ({ file: `${name}.json`, sources: [`${name}/**`] });
    world.config = world.configured({
      target: { agentFiles: [], indexes: ['fresh', 'behind', 'old', 'gone'].map(index) },
    });
    await commitAt(world, 40, { 'old.json': '1', 'old/a.md': '1', 'behind.json': '1' });
    await commitAt(world, 5, { 'behind/a.md': '1', 'fresh/a.md': '1' });
    await commitAt(world, 4, { 'fresh.json': '1' });
    expect((await weekly(world)).map(({ title, why }) => `${title}: ${why}`)).toEqual([
      expect.stringMatching(
        /^The index "behind\.json" is stale: what it is made from was changed on 2025-12-27 \([0-9a-f]{12}\), and it was made before that\. Make it anew\.$/,
      ),
      'The index "old.json" is stale: it was made more than 30 days ago. Make it anew.',
      'The index "gone.json" is missing: no such file at the branch (target.indexes).',
    ]);
  });

  test('prompts that are not what tasks under way began with', async () => {
    const world = await open();
    world.files.text = '';
    await world.commit('AGENTS.md', 'Be careful.\n');
    const digest = digestOfBytes('Be careful.\n');
    const attest = (task: string, files: Record<string, string | null>) => [
      {
        insert: 'prompt_attestations',
        row: { task_id: task, version: 1, files: canonicalJson(files) },
      },
    ];
    await insertTask(world, 'task_1');
    const before = attest('task_1', { 'AGENTS.md': digest, 'prompt:build': 'sha256:1' });
    await world.store.commit({ writes: before });
    expect(await weekly(world)).toEqual([]);
    await world.commit('AGENTS.md', 'Be quick.\n');
    world.clock.advance(HOUR_MS);
    expect(await weekly(world)).toMatchObject([
      {
        title: 'The prompt "AGENTS.md" drifted',
        why: 'it is not what a task under way began with (task_1). A person who has read it runs "hone task accept-prompts <id>".',
      },
    ]);
  });

  test('outcomes that changed after a commit to a prompt, for better or worse', async () => {
    const world = await open();
    world.config = world.configured({ target: { agentFiles: ['agents/*'] } });
    const nowMs = world.clock.nowMs();
    const commit = await commitAt(world, 3, { [PROMPT]: 'Search twice.\n' });
    const before = { untilMs: nowMs - 3 * DAY_MS, overMs: 3 * DAY_MS, calls: 400 };
    const since = { untilMs: nowMs, overMs: 3 * DAY_MS, calls: 400 };
    world.files.text = traffic({ ...before, failEvery: 3 }) + traffic({ ...since, failEvery: 40 });
    const found = (await weekly(world)).filter(({ title }) => title.startsWith('Outcomes'));
    expect(found).toMatchObject([{ title: `Outcomes changed after a change of "${PROMPT}"` }]);
    expect(found[0]!.why).toMatch(/^web_search of researcher fails in 2\.\d % of its calls since/);
    expect(found[0]!.why).toContain(
      `The commit is ${commit.slice(0, 12)} of ${isoTime(nowMs - 3 * DAY_MS)
        .slice(0, 16)
        .replace('T', ' ')} UTC`,
    );
  });

  test('the same change of outcomes is not blamed on a commit of another day, or to other files', async () => {
    const world = await open();
    world.config = world.configured({ target: { agentFiles: ['agents/*'] } });
    const nowMs = world.clock.nowMs();
    await commitAt(world, 5, { [PROMPT]: 'Search twice.\n' });
    await commitAt(world, 3, { 'README.md': 'Search twice.\n' });
    const before = { untilMs: nowMs - 3 * DAY_MS, overMs: 3 * DAY_MS, calls: 400 };
    const since = { untilMs: nowMs, overMs: 3 * DAY_MS, calls: 400 };
    world.files.text = traffic({ ...before, failEvery: 3 }) + traffic({ ...since, failEvery: 40 });
    expect((await weekly(world)).filter(({ title }) => title.startsWith('Outcomes'))).toEqual([]);
  });
});

async function insertTask({ store, clock }: World, id: string): Promise<void> {
  const nowMs = clock.nowMs();
  const row = {
    ...{ id, version: 1, title: 'Mend it', process: 'code', definition_digest: 'd', state: 'open' },
    ...{ phase: 'build', round: 1, fresh_from: '{}', worker: 'coder', violations: '[]' },
    ...{ progressed_at_ms: nowMs, created_at_ms: nowMs, changed_at_ms: nowMs },
  };
  await store.commit({ writes: [{ insert: 'process_tasks', row }] });
}
