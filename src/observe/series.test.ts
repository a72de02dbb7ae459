import { describe, expect, test } from 'vitest';
import { asideFacts, type Dimensions } from './event-facts.ts';
import { NEW_NAMES_MAX, NEW_SERIES_MAX, OTHER, SeriesBook } from './series.ts';
import { readSources } from './sources-view.ts';
import {
  collectorOf,
  emptyStore,
  failedCall,
  MemoryFiles,
  START_MS,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';
import { DAY_MS } from './units.ts';

const WINDOW = { fromMs: START_MS - DAY_MS, toMs: START_MS + DAY_MS };
const NOTHING = asideFacts('');
const call = (names: Partial<Dimensions>): Dimensions => ({
  ...NOTHING,
  type: 'tool_call',
  ok: 1,
  ...names,
});

describe('OBS-7 the bounds of series', () => {
  async function book(nowMs = START_MS) {
    const store = await emptyStore();
    const load = (loadedMs: number, size: number) =>
      SeriesBook.load(store, {
        source: 'agents',
        nowMs: loadedMs,
        size,
        numberOf: (nth) => nth,
      });
    return { store, load, book: await load(nowMs, 0) };
  }

  test('a new name beyond the bound is folded alone; what was known stays', async () => {
    const { book: own } = await book();
    for (let at = 0; at < NEW_NAMES_MAX; at++) own.of(call({ agent: 'a', tool: `t${at}` }));
    expect(own.of(call({ agent: 'a', tool: 't7' })).isFolded).toBe(false);
    const more = own.of(call({ agent: 'b', tool: 'one more' }));
    expect(more).toMatchObject({ isFolded: true, series: { dimensions: { agent: 'b' } } });
    expect(more.series.dimensions.tool).toBe(OTHER);
    expect(own.of(call({ agent: 'b', tool: 'and another' })).series).toBe(more.series);
  });

  test('beyond the bound of series agent and tool are told apart for a while, then nothing', async () => {
    const { book: own } = await book();
    const many = Math.ceil(NEW_SERIES_MAX / 1000);
    for (let at = 0; at < NEW_SERIES_MAX; at++)
      own.of(call({ tool: `t${at % 1000}`, task: `k${Math.floor(at / 1000)}` }));
    const coarse = own.of(call({ tool: 't1', task: `k${many}`, version: 'v' }));
    expect(coarse).toMatchObject({
      isFolded: true,
      series: { dimensions: { tool: 't1', task: OTHER, version: OTHER, model: '' } },
    });
    const sizes: number[] = [];
    for (let at = 0; at < 50_000; at++) {
      own.of(call({ agent: `a${at % 40}`, tool: `t${at % 1000}`, task: `x${at}` }));
      sizes.push(own.size);
    }
    expect(Math.max(...sizes)).toBeLessThan(NEW_SERIES_MAX + 2010);
  });

  test('after 30 days there is room for as many again, and the old ones are still known', async () => {
    const { store, load, book: own } = await book();
    for (let at = 0; at < NEW_NAMES_MAX; at++) own.of(call({ tool: `t${at}` }));
    await store.commit({ writes: [own.takeNew('agents', START_MS)] });
    const next = await load(START_MS + DAY_MS, own.size);
    expect(next.of(call({ tool: 'late' })).isFolded).toBe(true);
    const later = await load(START_MS + 31 * DAY_MS, own.size);
    expect(later.of(call({ tool: 'late' }))).toMatchObject({
      isFolded: false,
      series: { number: NEW_NAMES_MAX + 1 },
    });
    expect(later.of(call({ tool: 't7' })).series.number).toBe(8);
  });
});

describe.each(['memory', 'postgres'] as const)('OBS-7 many names on %s', (kind) => {
  const open = telemetryPerTest(kind);

  test('are counted all the same, in few series, and the source says how many were folded', async () => {
    const { store } = open();
    const files = new MemoryFiles();
    const invented = NEW_NAMES_MAX + 700;
    for (let at = 0; at < invented; at++)
      files.append(
        'events.jsonl',
        toolCall(START_MS, { tool: `invented-${at}`, version: `${at}` }),
      );
    files.append('events.jsonl', failedCall(START_MS, 'no answer', { tool: 'one more' }));
    await collectorOf(store, files).collect();
    const view = new Telemetry(store);
    expect(await view.totals(WINDOW)).toMatchObject({ events: invented + 1 });
    expect(await readSources(store)).toMatchObject([{ events: invented + 1, folded: 701 }]);
    const [row] = await store.all('SELECT COUNT(*) AS n FROM observe_series');
    expect(row!['n']).toBe(NEW_NAMES_MAX + 2);
    const tools = await view.breakdown(WINDOW, 'tool');
    expect(tools[0]).toMatchObject({ name: OTHER, events: 701, failed: 1 });
    const { groups } = await view.failures(WINDOW);
    expect(groups).toMatchObject([{ tool: OTHER, template: 'no answer', failures: 1, calls: 701 }]);
  });

  test('messages that are all different are one failure after enough were learnt', async () => {
    const { store } = open();
    const files = new MemoryFiles();
    const letters = (at: number) =>
      at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[+digit]!);
    const different = NEW_NAMES_MAX + 500;
    let text = failedCall(START_MS, 'no answer');
    for (let at = 0; at < different; at++) {
      const [a, b, c] = [letters(at), letters(at * 7 + 1), letters(at * 13 + 5)];
      text += failedCall(START_MS, `${a}x ${b}y ${c}z`);
    }
    files.append('events.jsonl', text + failedCall(START_MS, 'no answer'));
    await collectorOf(store, files).collect();
    const { folded } = (await readSources(store))[0]!;
    expect(folded).toBeGreaterThan(0);
    const [forms] = await store.all('SELECT COUNT(*) AS n FROM observe_miner_forms');
    expect(forms!['n']).toBeLessThanOrEqual(NEW_NAMES_MAX + 1);
    const templates = await new Telemetry(store).breakdown(WINDOW, 'template');
    expect(templates.find(({ name }) => name === OTHER)).toMatchObject({ failed: folded });
    expect(templates.find(({ name }) => name === 'no answer')).toMatchObject({ failed: 2 });
    expect(templates.reduce((sum, { events }) => sum + events, 0)).toBe(different + 2);
  });
});
