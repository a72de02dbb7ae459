import { describe, expect, test } from 'vitest';
import {
  collectorOf,
  SETTINGS,
  START_MS,
  telemetryPerTest,
  toolCall,
} from '../telemetry.test-support.ts';
import { streamSourceFiles } from './stream-files.ts';

const lines = (from: number, to: number, note = '') =>
  Array.from({ length: to - from }, (_, at) =>
    toolCall(START_MS + from + at, { session_id: `s${from + at}${note}` }),
  ).join('');

/** In pieces, and how many were asked for. */
function pipe(text: string, pieceBytes = 997) {
  const bytes = Buffer.from(text);
  const asked = { bytes: 0 };
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      asked.bytes = at;
      yield bytes.subarray(at, at + pieceBytes);
    }
  }
  return { pieces: pieces(), asked };
}

describe('OBS-10 what comes once, from a pipe', () => {
  const open = telemetryPerTest('memory');
  const settings = { ...SETTINGS, sources: [{ name: 'stdin', kind: 'jsonl', path: '-' }] };
  const collector = (bytes: AsyncIterable<Uint8Array>) =>
    collectorOf(open().store, streamSourceFiles(bytes, 'standard input'), { settings });
  const collect = (text: string, pieceBytes?: number) =>
    collector(pipe(text, pieceBytes).pieces).collect();

  test('all of it is read, also a last line without an end', async () => {
    expect(await collect(lines(0, 1000).trimEnd())).toMatchObject({ events: 1000, notes: [] });
  });

  test('it is asked for as it is stored, and goes on where a reading stopped', async () => {
    const { pieces, asked } = pipe(lines(0, 5000));
    const reading = collector(pieces);
    expect(await reading.collect({ budgetEvents: 600 })).toMatchObject({ more: true });
    expect(asked.bytes).toBeLessThan(200_000);
    expect(await reading.collect({ budgetEvents: 600 })).toMatchObject({ events: 600 });
    expect(await reading.collect()).toMatchObject({ events: 3800, more: false });
    expect(await reading.collect()).toMatchObject({ events: 0 });
  });

  test('piped in again, with more or stopped in the middle, only what is new is counted', async () => {
    expect(await collect(lines(0, 300))).toMatchObject({ events: 300 });
    expect(await collect(lines(0, 310), 64)).toMatchObject({ events: 10, notes: [] });
    expect(await collect(lines(0, 100))).toMatchObject({ events: 100 });
    const { pieces } = pipe(lines(500, 900));
    await collector(pieces).collect({ budgetEvents: 150 });
    expect(await collect(lines(500, 900))).toMatchObject({ events: 250 });
    expect(await collect(lines(500, 900))).toMatchObject({ events: 0 });
  });

  test('something else that begins alike is counted from where it differs, however long', async () => {
    // Blank lines between events make it long.
    const padded = (from: number, to: number, note = '') =>
      Array.from({ length: to - from }, (_, at) => lines(from + at, from + at + 1, note))
        .map((line) => `${line}${' '.repeat(50_000)}\n`)
        .join('');
    const same = padded(0, 300);
    await collect(same + padded(300, 350), 65_536);
    const { events } = await collect(same + padded(300, 340, 'x'), 65_536);
    // What was alike since the last place that was compared counts again; nothing is lost.
    expect(events).toBeGreaterThanOrEqual(40);
    expect(events).toBeLessThan(240);
    const rows = await open().store.all(
      "SELECT session FROM observe_events WHERE session LIKE '%x'",
    );
    expect(rows).toHaveLength(40);
  });

  test('a line is read when it has come, not when a buffer is full', async () => {
    let release: () => void = () => {};
    const more = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* slow() {
      yield Buffer.from(lines(0, 2));
      await more;
      yield Buffer.from(lines(2, 3));
    }
    const files = streamSourceFiles(slow(), 'standard input');
    const reading = collectorOf(open().store, files, { settings }).collect();
    const stored = async () => (await open().store.all('SELECT id FROM observe_events')).length;
    await expect.poll(stored).toBe(2);
    release();
    expect(await reading).toMatchObject({ events: 3 });
  });

  test('nothing at all is told', async () => {
    expect(await collect('')).toMatchObject({ notes: ['stdin: standard input is empty.'] });
  });
});
