import { describe, expect, test } from 'vitest';
import { sessionEvents } from './session-events.ts';
import {
  collectorOf,
  failedCall,
  MemoryFiles,
  START_MS,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';

const MINUTE_MS = 60_000;
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;

describe.each(['memory', 'postgres'] as const)('the events of sessions on %s', (kind) => {
  const open = telemetryPerTest(kind);

  test('each session’s own in order, over hours and queries, up to a limit', async () => {
    const { store, clock } = open();
    clock.advance(5 * 60 * MINUTE_MS);
    const one = (minute: number, session: string) => toolCall(at(minute), { session_id: session });
    const lines = [one(1, 'a'), one(2, 'b'), failedCall(at(70), 'late', { session_id: 'a' })];
    for (let minute = 130; minute < 140; minute++) lines.push(one(minute, 'c'), one(minute, 'd'));
    const files = new MemoryFiles().append('events.jsonl', lines.join(''));
    expect(await collectorOf(store, files).collect()).toMatchObject({ aside: 0 });
    const none = Array.from({ length: 600 }, (_, n) => `none-${n}`);
    const window = { fromMs: START_MS, toMs: at(138) };
    const found = await sessionEvents(store, ['a', ...none, 'c'], { window, limit: 5 });
    const told = [...found].map(([session, { events, more }]) => [
      session,
      events.map(({ atMs }) => (atMs - START_MS) / MINUTE_MS),
      more,
    ]);
    expect(told).toEqual([
      ['a', [1, 70], false],
      ['c', [130, 131, 132, 133, 134], true],
    ]);
  });
});
