import { expect, test } from 'vitest';
import { ManualClock, makeLog } from './index.ts';

test('the log writes one line per message, from its level up', () => {
  const lines: string[] = [];
  const log = makeLog({
    clock: new ManualClock(0),
    level: 'info',
    write: (line) => lines.push(line),
  });
  log.debug('nobody asked');
  log.warn('look', { attempts: 3 });
  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"look","attempts":3}\n',
  ]);
});

test('on a terminal a line is readable, begins with its time, and stays one line', () => {
  const lines: string[] = [];
  makeLog({
    clock: new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5)),
    level: 'info',
    write: (line) => lines.push(line),
    readable: true,
  }).warn('the sanitiser failed', { source: 'fl\u001b[2Jeet\n', lines: 3, error: undefined });
  expect(lines).toEqual([
    '2026-01-02 03:04:05 warn  the sanitiser failed: source fl [2Jeet , lines 3\n',
  ]);
});
