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
