/** A long import as whoever starts it sees it: progress on the terminal, stopped, resumed, and followed. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ingest } from '../app/ingest.ts';
import { isRefusal } from '../app/refusal.ts';
import { ManualClock } from '../base/index.ts';
import { makeContext } from '../compose/context.ts';
import { processSurroundings } from '../compose/surroundings.ts';
import type { IngestInput } from '../contracts/ingest.ts';
import { captureIo } from './captured-io.ts';
import { processIo } from './io.ts';
import { agentFile, calls, makeTarget, type Target } from './target.test-support.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** More than two of the steps between which progress is told. */
const EVENTS = 11_000;

async function withFile() {
  const target = await makeTarget({ 'agents/researcher.yaml': agentFile('researcher', 'search') });
  await target.installation.stateDir();
  const file = join(dirname(target.repository), 'old.jsonl');
  const [line] = calls({
    agent: 'researcher',
    tool: 'search',
    untilMs: Date.now(),
    message: 'no',
  }).split('\n', 1);
  writeFileSync(file, `${line}\n`.repeat(EVENTS));
  return { target, file, line: `${line}\n` };
}

interface Watching {
  readonly onProgress?: (text: string) => void;
  readonly clock?: ManualClock;
  readonly signal?: AbortSignal;
}

async function read(target: Target, input: IngestInput, watching: Watching = {}) {
  const here = processSurroundings();
  const { onProgress, clock, signal = new AbortController().signal } = watching;
  const io = onProgress === undefined ? processIo : captureIo({ progress: onProgress }).io;
  const { environment } = target.installation;
  const context = makeContext(false, 'test', {
    ...here,
    ...{ cwd: target.repository, environment, io, clock: clock ?? here.clock },
  });
  const done = await ingest(context, input, { stdin: process.stdin, signal });
  if (isRefusal(done)) throw new Error(done.refused);
  return done;
}

test('OBS-10 a terminal sees how far a long import is, on standard error alone', async () => {
  const { target, file } = await withFile();
  using _ = target;
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const out = vi.spyOn(process.stdout, 'write');
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  try {
    expect(await read(target, { place: file })).toMatchObject({ events: EVENTS });
  } finally {
    process.stderr.isTTY = isTTY;
  }
  const told = written.map((text) => /Read [\d.]+ MB.*: (\d+) events, 0 set aside/.exec(text)?.[1]);
  const counts = told.filter((one) => one !== undefined).map(Number);
  expect(counts.length).toBeGreaterThanOrEqual(3);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect([counts[0]! < EVENTS, counts.at(-1)]).toEqual([true, EVENTS]);
  expect(out).not.toHaveBeenCalled();
});

test('OBS-10 an import that is stopped continues where it was, and counts nothing twice', async () => {
  const { target, file } = await withFile();
  using _ = target;
  const stop = new AbortController();
  const first = await read(
    target,
    { place: file },
    { onProgress: () => stop.abort(), signal: stop.signal },
  );
  expect(first.interrupted).toBe(true);
  expect(first.events).toBeGreaterThan(0);
  expect(first.events).toBeLessThan(EVENTS);
  const rest = await read(target, { place: file }, { onProgress: () => {} });
  expect(rest).toMatchObject({ interrupted: false, events: EVENTS - first.events });
});

test('OBS-10 ingest --follow reads what is added, until it is stopped', async () => {
  const { target, file, line } = await withFile();
  using _ = target;
  const stop = new AbortController();
  const seen: number[] = [];
  /** Its sleeps are the turns of whoever writes. */
  class WritingClock extends ManualClock {
    #turns = 0;
    override async sleep(): Promise<void> {
      if (++this.#turns === 3) stop.abort();
      else appendFileSync(file, line.repeat(this.#turns));
    }
  }
  const done = await read(
    target,
    { place: file, follow: true },
    {
      clock: new WritingClock(Date.now()),
      signal: stop.signal,
      onProgress: (text) => seen.push(Number(/(\d+) events/.exec(text)![1])),
    },
  );
  expect(done).toMatchObject({ events: EVENTS + 3, interrupted: false });
  expect(seen).toEqual(expect.arrayContaining([EVENTS, EVENTS + 1, EVENTS + 3]));
});
