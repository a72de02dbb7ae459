/** Chosen files and streams, read by the real collector. */
import { expect, test } from 'vitest';
import { ManualClock, seededRandom } from '../base/index.ts';
import { openSqlite, telemetryMigrations, withClock } from '../store/index.ts';
import { findEvents } from './events-view.ts';
import { streamSourceFiles } from './files/stream-files.ts';
import { Survey, type SurveyOptions } from './survey.ts';
import { failedCall, MemoryFiles, SETTINGS, START_MS, toolCall } from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';

const NEVER = new AbortController().signal;
const quiet = () => {};
const window = { fromMs: 0, toMs: START_MS + 1e10 };
const group = (...paths: string[]) => ({ name: 'one', kind: 'jsonl', settings: {}, paths });

async function memoryStore() {
  const clock = new ManualClock(START_MS + 1e9);
  const path = ':memory:';
  return withClock(
    await openSqlite({ path, synchronous: 'off', migrations: telemetryMigrations }),
    clock,
  );
}

function options(store: SurveyOptions['store'], files: SurveyOptions['files']): SurveyOptions {
  const { sources: _, ...rules } = SETTINGS;
  return { store, files, rules, random: seededRandom(1), isBounded: true };
}

test('only what was chosen is read, and one that may not be opened does not hold up the others', async () => {
  const store = await memoryStore();
  const memory = new MemoryFiles().append('a', toolCall(START_MS)).append('b', toolCall(START_MS));
  memory.append('c', toolCall(START_MS));
  const files = {
    open: (path: string) => {
      if (path !== 'b') return memory.open(path);
      throw Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open' });
    },
  };
  const survey = new Survey([group('a', 'b')], options(store, files));
  expect(await survey.read(NEVER, quiet)).toMatchObject({ events: 1, unreadable: 1 });
  await store.close();
});

test('older events are passed over, and not read again', async () => {
  const store = await memoryStore();
  const files = new MemoryFiles().append('a', toolCall(START_MS) + toolCall(START_MS + 60_000));
  const since = { ...options(store, files), sinceMs: START_MS + 1 };
  expect(await new Survey([group('a')], since).read(NEVER, quiet)).toMatchObject({ events: 1 });
  const again = new Survey([group('a')], options(store, files));
  expect(await again.read(NEVER, quiet)).toMatchObject({ events: 0 });
  await store.close();
});

test('raw events are bounded, their counts are not', async () => {
  const store = await memoryStore();
  const lines = Array.from({ length: 90_000 }, (_, n) =>
    n % 1000 === 0 ? failedCall(START_MS + n, 'no') : toolCall(START_MS + n),
  );
  const files = new MemoryFiles().append('a', lines.join(''));
  await new Survey([group('a')], options(store, files)).read(NEVER, quiet);
  const { events } = await new Telemetry(store).totals(window);
  const [kept] = await store.all('SELECT COUNT(*) AS n FROM observe_events');
  expect(events).toBe(90_000);
  expect(kept!['n']).toBeLessThanOrEqual(75_000);
  expect((await new Telemetry(store).failures(window)).groups[0]).toMatchObject({ failures: 90 });
  await store.close();
});

test('told to stop, it says so and has what it read', async () => {
  const store = await memoryStore();
  const lines = Array.from({ length: 12_000 }, (_, n) => toolCall(START_MS + n));
  const files = new MemoryFiles().append('a', lines.join(''));
  const stop = new AbortController();
  const survey = new Survey([group('a')], options(store, files));
  const read = await survey.read(stop.signal, () => stop.abort());
  expect(read).toMatchObject({ events: 5000, isInterrupted: true });
  expect(await survey.read(NEVER, quiet)).toMatchObject({ events: 7000, isInterrupted: false });
  await store.close();
});

async function* pieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += length) yield Buffer.from(text.slice(at, at + length));
}

async function piped(store: SurveyOptions['store'], bytes: AsyncIterable<Uint8Array>) {
  const files = streamSourceFiles(bytes, '-');
  const survey = new Survey([group('-')], options(store, files));
  let events = 0;
  for (let rounds = 0; rounds < 1e5; rounds += 1) {
    const read = await survey.read(NEVER, quiet);
    events += read.events;
    if (read.bytes === 0 && files.isEnded()) return events;
  }
  throw new Error('it does not end');
}

test.each([7, 1000, 300_000])(
  'a pipe in pieces of %d bytes: every event once, also when it is piped again and longer',
  async (length) => {
    const store = await memoryStore();
    const lines = Array.from({ length: length < 100 ? 200 : 20_000 }, (_, n) =>
      toolCall(START_MS + n, { session_id: `s${n}` }),
    );
    const text = lines.join('').trimEnd(); // its last line has no end
    expect(await piped(store, pieces(text, length))).toBe(lines.length);
    expect(await piped(store, pieces(text, length))).toBe(0);
    const longer = `${text}\n${toolCall(START_MS + 99_999)}`;
    expect(await piped(store, pieces(longer, length))).toBe(1);
    expect((await findEvents(store, { window, limit: 1 })).events).toHaveLength(1);
    await store.close();
  },
);

test('a live pipe is read line by line, once its first 256 bytes are there', async () => {
  const store = await memoryStore();
  const seen: number[] = [];
  const stop = new AbortController();
  async function* live(): AsyncGenerator<Uint8Array> {
    for (let n = 0; n < 3; n += 1) {
      const [row] = await store.all('SELECT COUNT(*) AS n FROM observe_events');
      seen.push(row!['n'] as number);
      yield Buffer.from(failedCall(START_MS + n, 'w '.repeat(99)));
    }
    stop.abort();
    await new Promise(() => {}); // nobody closes it
  }
  const files = streamSourceFiles(live(), '-', stop.signal);
  const survey = new Survey([group('-')], options(store, files));
  for (let round = 0; round < 5 && !stop.signal.aborted; round += 1)
    await survey.read(NEVER, quiet);
  expect(seen).toEqual([0, 1, 2]);
  await store.close();
});
