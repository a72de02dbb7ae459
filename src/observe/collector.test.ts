import { describe, expect, test } from 'vitest';
import type { Plan, Store } from '../store/index.ts';
import { ASIDE_KEPT_MAX } from './batch.ts';
import { readSources } from './sources-view.ts';
import {
  collectorOf,
  comparable,
  emptyStore,
  failedCall,
  feedback,
  MemoryFiles,
  SETTINGS,
  START_MS,
  taskFailure,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';

const FILE = 'events.jsonl';
const DAY = { fromMs: START_MS - 3_600_000, toMs: START_MS + 24 * 3_600_000 };
/** Some of everything, over several minutes and more than one batch. */
function traffic(events: number, from = 0): string {
  let text = '';
  for (let at = from; at < from + events; at++) {
    const atMs = START_MS + at * 700;
    const session_id = `s${at % 17}`;
    if (at % 5 === 0)
      text += failedCall(atMs, `timed out after ${at} ms on attempt ${at % 3}`, { session_id });
    else if (at % 31 === 0) text += taskFailure(atMs, { session_id });
    else if (at % 37 === 0) text += feedback(atMs, 'thumbs_down', { session_id });
    else if (at % 41 === 0) text += `not json ${at}\n`;
    else text += toolCall(atMs, { session_id, latency_ms: at % 900, agent: `agent-${at % 3}` });
  }
  return text;
}

describe.each(['memory', 'postgres'] as const)('collecting on %s', (kind) => {
  const open = telemetryPerTest(kind);
  const totals = () => new Telemetry(open().store).totals(DAY);

  test('reads everything once, and afterwards only what is new', async () => {
    const { store } = open();
    const files = new MemoryFiles().append(FILE, traffic(1200));
    const collector = collectorOf(store, files);
    const first = await collector.collect();
    expect(first).toMatchObject({ more: false, notes: [] });
    expect(first.events + first.aside).toBe(1200);
    expect(await collector.collect()).toMatchObject({ events: 0, aside: 0, bytes: 0, more: false });
    files.append(FILE, toolCall(START_MS));
    expect(await collectorOf(store, files).collect()).toMatchObject({ events: 1, aside: 0 });
    expect(await totals()).toMatchObject({ events: first.events + 1, aside: first.aside });
    const ids = await store.all('SELECT id FROM observe_events ORDER BY id');
    expect(ids.map((row) => row['id'])).toEqual(ids.map((_, at) => at + 1));
  });

  test('a file that rests is not read again, one that changed at the same length is', async () => {
    const files = new MemoryFiles().append(FILE, traffic(30));
    const collector = collectorOf(open().store, files);
    await collector.collect();
    let reads = 0;
    files.onRead = () => void reads++;
    expect(await collector.collect()).toMatchObject({ events: 0, more: false });
    expect(reads).toBe(0);
    files.cut(FILE, 0).append(FILE, traffic(30).replaceAll('2026-', '2025-'));
    expect(await collector.collect()).not.toMatchObject({ bytes: 0 });
    expect(reads).toBeGreaterThan(0);
  });

  test('the same events in many small runs are counted as in one', async () => {
    const { store } = open();
    const files = new MemoryFiles();
    const text = traffic(150);
    for (let at = 0; at < text.length; at += 4001) {
      files.append(FILE, text.slice(at, at + 4001));
      await collectorOf(store, files).collect();
    }
    const small = await comparable(store);
    expect(small).toEqual(await inOneRun(text));
  });

  test('a half-written line waits for its end', async () => {
    const { store } = open();
    const whole = toolCall(START_MS);
    const files = new MemoryFiles().append(FILE, whole + whole.slice(0, 40));
    const collected = await collectorOf(store, files).collect();
    expect(collected).toMatchObject({ events: 1, aside: 0 });
    expect(collected.notes).toEqual(['agents: events.jsonl: its last line has no end yet.']);
    files.append(FILE, whole.slice(40));
    expect(await collectorOf(store, files).collect()).toMatchObject({ events: 1, notes: [] });
  });

  test('nothing there and an empty file are told, and nothing else happens', async () => {
    const { store } = open();
    const files = new MemoryFiles();
    const collector = collectorOf(store, files);
    expect(await collector.collect()).toMatchObject({
      events: 0,
      notes: ['agents: There is nothing at its path yet.'],
    });
    files.append(FILE, '');
    expect(await collector.collect()).toMatchObject({ notes: ['agents: events.jsonl is empty.'] });
    expect(await readSources(store)).toEqual([]);
  });

  test('a file rotated within its folder goes on, and its successor begins at its start', async () => {
    const { store } = open();
    const settings = { ...SETTINGS, sources: [{ name: 'agents', kind: 'jsonl', path: 'logs' }] };
    const files = new MemoryFiles().folder('logs', ['a.jsonl']);
    const collector = collectorOf(store, files, { settings });
    files.append('logs/a.jsonl', traffic(10));
    await collector.collect();
    files.append('logs/a.jsonl', toolCall(START_MS + 1));
    files.move('logs/a.jsonl', 'logs/a.1.jsonl').append('logs/a.jsonl', toolCall(START_MS + 2));
    files.folder('logs', ['a.jsonl', 'a.1.jsonl', 'gone.jsonl']);
    expect(await collector.collect()).toMatchObject({ events: 2, more: false, notes: [] });
    expect(await collector.collect()).toMatchObject({ events: 0, notes: [] });
  });

  test('another file under the name of one that was read begins at its start, and that is told', async () => {
    const { store } = open();
    const files = new MemoryFiles().append(FILE, traffic(10));
    const collector = collectorOf(store, files);
    await collector.collect();
    files.replace(FILE, traffic(20, 10));
    const { events, aside, notes } = await collector.collect();
    expect(events + aside).toBe(20);
    expect(notes).toEqual(['agents: events.jsonl has new content: it is read from its start.']);
  });

  test('a file cut short, or overwritten in place, is read from its start, and that is told', async () => {
    const { store } = open();
    const files = new MemoryFiles().append(FILE, toolCall(START_MS).repeat(20));
    const collector = collectorOf(store, files);
    await collector.collect();
    for (const lines of [10, 1]) {
      files.cut(FILE, toolCall(START_MS).length * lines);
      expect(await collector.collect()).toMatchObject({
        events: lines,
        notes: ['agents: events.jsonl became shorter: it is read from its start.'],
      });
      expect(await collector.collect()).toMatchObject({ events: 0, notes: [] });
    }
    files.cut(FILE, 0).append(FILE, toolCall(START_MS + 5, { agent: 'other' }).repeat(9));
    const collected = await collector.collect();
    expect(collected.events).toBe(9);
    expect(collected.notes).toEqual([
      'agents: events.jsonl has new content: it is read from its start.',
    ]);
  });

  test('the same content put back under the same name is not counted again', async () => {
    const { store } = open();
    const files = new MemoryFiles().append(FILE, traffic(50));
    await collectorOf(store, files).collect();
    files.replace(FILE, traffic(51));
    expect(await collectorOf(store, files).collect()).toMatchObject({ events: 1, notes: [] });
  });

  test('OBS-1 what is no event is set aside with its reason and place, and counted', async () => {
    const { store } = open();
    const good = toolCall(START_MS);
    const long = `{"x":"${'y'.repeat(70_000)}"}\n`;
    const future = toolCall(START_MS + 25 * 3_600_000);
    const extra = toolCall(START_MS, { prompt: 'x' });
    const text = `${good}nonsense\n\n  \n${long}${future}${extra}${good}`;
    const collected = await collectorOf(store, new MemoryFiles().append(FILE, text)).collect();
    expect(collected).toMatchObject({ events: 2, aside: 4, bytes: text.length });
    const aside = await store.all('SELECT * FROM observe_aside ORDER BY id');
    expect(aside.map((row) => row['reason'])).toEqual([
      'not_json',
      'too_long',
      'wrong_time',
      'not_an_event',
    ]);
    expect(aside[0]).toMatchObject({
      text: 'nonsense',
      source: 'agents',
      file: FILE,
      byte_offset: good.length,
      seen_at_ms: START_MS,
    });
    expect(aside.every((row) => (row['text'] as string).length <= 2000)).toBe(true);
    expect(await totals()).toMatchObject({ events: 2, aside: 4 });
  });

  test('two collectors at once count everything once', async () => {
    const { store } = open();
    const settings = { ...SETTINGS, sources: [{ name: 'agents', kind: 'jsonl', path: 'logs' }] };
    const files = new MemoryFiles().folder('logs', ['a.jsonl', 'b.jsonl']);
    files.append('logs/a.jsonl', traffic(700)).append('logs/b.jsonl', traffic(700, 700));
    const collectors = Array.from({ length: 3 }, () => collectorOf(store, files, { settings }));
    const all = await Promise.all(collectors.map((collector) => collector.collect()));
    const sum = (key: 'events' | 'aside' | 'bytes') => all.reduce((n, one) => n + one[key], 0);
    expect(sum('events') + sum('aside')).toBe(1400);
    expect(await totals()).toMatchObject({ events: sum('events'), aside: sum('aside') });
    expect(await comparable(store)).toEqual(await inOneRun(traffic(1400)));
  });

  test('a collector that another overtook goes on from where that one is', async () => {
    const { store } = open();
    const files = new MemoryFiles();
    const [one, other] = [collectorOf(store, files), collectorOf(store, files)];
    for (const [at, collector] of [one, other, one, one, other, one].entries()) {
      files.append(FILE, traffic(5, at * 5));
      const { events, aside } = await collector.collect();
      expect(events + aside).toBe(5);
    }
    expect(await comparable(store)).toEqual(await inOneRun(traffic(30)));
  });

  test('killed around any commit, it goes on and nothing is lost or counted twice', async () => {
    const text = traffic(100);
    const expected = await inOneRun(text);
    const { store } = open();
    const files = new MemoryFiles();
    for (let kill = 0; kill * 900 < text.length; kill++) {
      files.append(FILE, text.slice(kill * 900, (kill + 1) * 900));
      const dying = collectorOf(diesAtCommit(store, kill % 2 === 0 ? 'before' : 'after'), files);
      await dying.collect().catch((error) => expect(error).toMatchObject({ message: 'killed' }));
    }
    await collectorOf(store, files).collect();
    expect(await comparable(store)).toEqual(expected);
  });

  test('a budget and a signal stop it between batches, and it goes on later', async () => {
    const { store } = open();
    const files = new MemoryFiles().append(FILE, traffic(1300));
    const collector = collectorOf(store, files);
    const first = await collector.collect({ budgetEvents: 100 });
    expect(first).toMatchObject({ more: true });
    expect(first.events + first.aside).toBe(100);
    const stop = new AbortController();
    files.onRead = () => stop.abort();
    const second = await collector.collect({ signal: stop.signal });
    expect(second).toMatchObject({ more: true });
    files.onRead = () => {};
    const third = await collector.collect();
    expect(third.more).toBe(false);
    expect((await totals()).events + (await totals()).aside).toBe(1300);
  });

  test('templates are saved when something was learnt, and known to the next collector', async () => {
    const { store } = open();
    const files = new MemoryFiles().append(FILE, failedCall(START_MS, 'timed out after 5 ms'));
    await collectorOf(store, files).collect();
    const saved = () => store.all('SELECT batch FROM observe_miner');
    expect(await saved()).toMatchObject([{ batch: 1 }]);
    files.append(FILE, failedCall(START_MS, 'timed out after 7 ms'));
    await collectorOf(store, files).collect();
    expect(await saved()).toMatchObject([{ batch: 1 }]);
    files.append(FILE, failedCall(START_MS, 'no route to host'));
    await collectorOf(store, files).collect();
    expect(await saved()).toMatchObject([{ batch: 3 }]);
    const templates = await store.all('SELECT DISTINCT template FROM observe_series');
    expect(templates).toHaveLength(2);
  });
});

async function inOneRun(text: string): Promise<string> {
  const store = await emptyStore();
  await collectorOf(store, new MemoryFiles().append(FILE, text)).collect();
  const result = await comparable(store);
  await store.close();
  return result;
}

/** A process that dies before its next commit, or right behind it. */
function diesAtCommit(store: Store, when: 'before' | 'after'): Store {
  return Object.assign(Object.create(store) as Store, {
    commit: async (plan: Plan) => {
      if (when === 'after') await store.commit(plan);
      throw new Error('killed');
    },
  });
}

describe('what is set aside', () => {
  const open = telemetryPerTest('memory');

  test('is counted for ever and kept up to a number', async () => {
    const { store } = open();
    const files = new MemoryFiles().append(FILE, 'nonsense\n'.repeat(ASIDE_KEPT_MAX + 700));
    await collectorOf(store, files).collect();
    const [row] = await store.all('SELECT COUNT(*) AS n, MIN(id) AS least FROM observe_aside');
    expect(row).toMatchObject({ n: ASIDE_KEPT_MAX, least: 701 });
    expect((await new Telemetry(store).totals(DAY)).aside).toBe(ASIDE_KEPT_MAX + 700);
  });
});
