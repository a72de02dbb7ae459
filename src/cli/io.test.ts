/** How wide the streams of this process are. */
import { afterEach, expect, test, vi } from 'vitest';
import { processIo } from './io.ts';

afterEach(() => vi.unstubAllGlobals());

/** Streams whose terminal somebody resizes. */
function terminal(columns: number, isTTY = true) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) > 0 };
}

function ioOn(stdout: ReturnType<typeof terminal>, stderr: ReturnType<typeof terminal>) {
  vi.stubGlobal('process', { stdout, stderr, stdin: {}, env: {} });
  return processIo(false);
}

test('each stream has the width of its own terminal, also after it was resized', () => {
  const [stdout, stderr] = [terminal(120), terminal(90)];
  const io = ioOn(stdout, stderr);
  expect([io.columns, io.errorColumns]).toEqual([120, 90]);
  stdout.columns = 50;
  expect([io.columns, io.errorColumns]).toEqual([50, 90]);
});

test('a pipe has no width, a terminal always a usable one', () => {
  const [stdout, stderr] = [terminal(40, false), terminal(3)];
  const io = ioOn(stdout, stderr);
  expect([io.columns, io.errorColumns]).toEqual([Infinity, 20]);
  stderr.columns = 0;
  expect(io.errorColumns).toBe(80);
});

test('progress is one line, whatever it says', () => {
  const stderr = terminal(40);
  ioOn(terminal(80), stderr).progress('漢'.repeat(40));
  expect(stderr.written).toEqual([`\r\u001b[2K${'漢'.repeat(19)}…`]);
});
