/** Files that are one payload: reports that a run overwrites, lists that grow, copies, restarts. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  collectorOf,
  emptyStore,
  everything,
  MemoryFiles,
  SETTINGS,
  START_MS,
  TABLES,
  telemetryPerTest,
} from '../telemetry.test-support.ts';
import type { Decoded, Decoder, Positions, SourceKind, StreamPosition } from '../types.ts';
import { DocumentPosition } from './document-position.ts';
import { fileSource, pathKey } from './file-source.ts';

/** A JSON list of results, each with a number as its time; `null` for one that is no result. */
const decoder: Decoder<null> = {
  start: null,
  decode(payload, state, about) {
    let list: unknown;
    try {
      list = JSON.parse(payload);
    } catch {
      const record: Decoded = { ok: false, reason: 'not_json', detail: 'It is not JSON.' };
      return { records: [record], state };
    }
    const records = (list as (number | 'now' | null)[]).map((one): Decoded => {
      if (one === null) return { ok: false, reason: 'not_an_event', detail: 'It is nothing.' };
      const atMs = one === 'now' ? about.modifiedMs! : START_MS - one;
      const result = { kind: 'test_result', session: 's', test: `t${one}`, status: 'passed' };
      return { ok: true, event: { ...result, atMs } as Extract<Decoded, { ok: true }>['event'] };
    });
    return { records, state };
  },
};

const keys = { path: pathKey };
const reports = {
  kind: 'reports',
  about: 'lists of results',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    fileSource(
      path,
      { wanted: { extensions: ['json'] }, decoder, unit: 'document', payloadBytesMax: 500_000 },
      ports,
    ),
} satisfies SourceKind<typeof keys>;

const settings = { ...SETTINGS, sources: [{ name: 'ci', kind: 'reports', path: 'out' }] };
const options = { settings, kinds: [reports as unknown as SourceKind] };

describe('OBS-3 a document', () => {
  const open = telemetryPerTest('memory');
  const files = () => new MemoryFiles().folder('out', ['a.json', 'b.json']);
  /** By a process that begins anew. */
  const collect = (from: MemoryFiles, budgetEvents?: number) =>
    collectorOf(open().store, from, options).collect(
      budgetEvents === undefined ? {} : { budgetEvents },
    );
  const json = (...list: unknown[]) => JSON.stringify(list);

  test('is taken as a whole, once, also over restarts, when it is touched, copied or moved', async () => {
    const from = files().append('out/a.json', json(1, 2, 3));
    expect(await collect(from)).toMatchObject({ events: 3 });
    expect(await collect(from)).toMatchObject({ events: 0, notes: [] });
    from.replace('out/a.json', json(1, 2, 3));
    expect(await collect(from)).toMatchObject({ events: 0 });
    from.append('out/b.json', json(1, 2, 3));
    expect(await collect(from)).toMatchObject({ events: 0 });
  });

  test('that is a list which grows gives only what was added, at its end, its front or between', async () => {
    const from = files().append('out/a.json', json(1, 2, null));
    expect(await collect(from)).toMatchObject({ events: 2, aside: 1 });
    from.replace('out/a.json', json(1, 2, null, 3, null));
    expect(await collect(from)).toMatchObject({ events: 1, aside: 1 });
    from.replace('out/a.json', json(0, 1, 2, null, 3, null));
    expect(await collect(from)).toMatchObject({ events: 1, aside: 0 });
    from.replace('out/a.json', json(2, null, 5, 3, 6));
    expect(await collect(from)).toMatchObject({ events: 2, aside: 0 });
    // Two that are alike are two.
    from.replace('out/a.json', json(2, 2, null, 5, 5, 5, 3, 6));
    expect(await collect(from)).toMatchObject({ events: 3, aside: 0 });
    from.replace('out/a.json', json(1));
    expect(await collect(from)).toMatchObject({ events: 0, aside: 0 });
  });

  test('that the next run overwrites counts, also where it has no time of its own', async () => {
    const from = files().append('out/a.json', json(1, 2));
    await collect(from);
    from.replace('out/a.json', json(11, 12));
    expect(await collect(from)).toMatchObject({ events: 2 });
    // A state that comes back, such as that of a health check, is known by its time.
    from.replace('out/a.json', json(1, 2));
    expect(await collect(from)).toMatchObject({ events: 0 });
  });

  test('left in the middle or killed around any commit, it is taken once', async () => {
    const list = Array.from({ length: 1700 }, (_, at) => at);
    const from = files().append('out/a.json', json(...list));
    for (let part = 0; part < 5; part++)
      expect(await collect(from, 300)).toMatchObject({ events: 300, more: true });
    // Replaced in the middle: what was taken of it is known.
    from.replace('out/a.json', json(...list.slice(100), 5000));
    expect(await collect(from)).toMatchObject({ events: 201 });
  });

  test('however it is rewritten and read, each record of one content counts as often as it is there', async () => {
    const content = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 15 });
    const step = fc.oneof(content, fc.integer({ min: 1, max: 4 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const store = await emptyStore();
        const from = files();
        const most = new Map<number, number>();
        let now: number[] = [];
        const read = async (budgetEvents?: number) => {
          const reading = collectorOf(store, from, options);
          await reading.collect(budgetEvents === undefined ? {} : { budgetEvents });
        };
        for (const one of [...steps, 99]) {
          if (typeof one !== 'number') {
            await read();
            now = one;
            from.replace('out/a.json', json(...one));
          } else await read(one === 99 ? undefined : one);
          for (const value of new Set(now)) {
            const count = now.filter((other) => other === value).length;
            most.set(value, Math.max(most.get(value) ?? 0, count));
          }
        }
        const rows = await store.all('SELECT body FROM observe_events');
        const counted = rows.map((row) => JSON.parse(row['body'] as string).test as string);
        const expected = [...most].flatMap(([value, count]) => Array(count).fill(`t${value}`));
        expect(counted.sort()).toEqual(expected.sort());
        await store.close();
      }),
      { numRuns: 60 },
    );
  });

  test('may be compressed', async () => {
    const from = files().append('out/a.json', gzipSync(json(1, 2)));
    expect(await collect(from)).toMatchObject({ events: 2 });
    from.append('out/b.json', json(1, 2));
    expect(await collect(from)).toMatchObject({ events: 0 });
  });

  test('that is too long, no JSON, binary or empty is told, once', async () => {
    const from = files().append('out/a.json', json('x'.repeat(600_000)));
    const collector = collectorOf(open().store, from, options);
    expect(await collector.collect()).toMatchObject({ events: 0, aside: 1 });
    expect(await collector.collect()).toMatchObject({ aside: 0, notes: [] });
    from.replace('out/a.json', '{"secret line": 1\n');
    expect(await collector.collect()).toMatchObject({ aside: 1 });
    from.replace('out/a.json', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3]));
    const binary = ['ci: a.json is binary, not text: it is left out.'];
    expect(await collector.collect()).toMatchObject({ aside: 0, notes: binary });
    expect(await collector.collect()).toMatchObject({ notes: [] });
    from.replace('out/a.json', '');
    expect(await collector.collect()).toMatchObject({ notes: ['ci: a.json is empty.'] });
    const rows = await open().store.all('SELECT reason, text FROM observe_aside ORDER BY id');
    expect(rows).toEqual([
      { reason: 'too_long', text: '' },
      { reason: 'not_json', text: '{"secret line": 1\n' },
    ]);
  });

  test('what is shown of one that is set aside ends with a whole line', async () => {
    const key = `AKIA${'Q7'.repeat(8)}`;
    const from = files().append('out/a.json', `{${'a\n'.repeat(990)}${key}${'b'.repeat(100)}`);
    await collect(from);
    expect(await everything(open().store, TABLES)).not.toContain(key.slice(0, 12));
  });
});

test('of a document with more records than are remembered each counts once as long as it is only added to', async () => {
  const rows = new Map<string, StreamPosition>();
  const positions: Positions = {
    batch: 0,
    find: async (marks) =>
      [...rows.values()]
        .filter((row) => marks.some((mark) => row.marks.includes(mark)))
        .map(({ value }) => value),
  };
  const record = (atMs: number): Decoded => ({
    ok: true,
    event: { kind: 'test_result', atMs, session: 's', test: 't', status: 'passed' },
  });
  const take = async (records: Decoded[]) => {
    const taking = (await DocumentPosition.find(positions, 'a', `${records.length}`)).take(
      records,
      null,
    );
    let fresh = 0;
    for (let taken = taking.next(500); taken !== undefined; taken = taking.next(500)) {
      fresh += taken.fresh.length;
      rows.set(taken.position.stream, taken.position);
    }
    return fresh;
  };
  const records = Array.from({ length: 40_000 }, (_, at) => record(at));
  expect(await take(records)).toBe(40_000);
  records.push(record(-1), record(-2));
  expect(await take(records)).toBe(2);
  // Of other content, what is remembered is passed over.
  expect(await take(records.slice(-5000))).toBe(0);
  expect(rows.size).toBe(64);
  const largest = Math.max(...[...rows.values()].map(({ value }) => JSON.stringify(value).length));
  expect(largest).toBeLessThan(6000);
});
