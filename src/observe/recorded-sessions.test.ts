import { describe, expect, test } from 'vitest';
import { recordedSessions } from './recorded-sessions.ts';
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
const WINDOW = { fromMs: START_MS, toMs: at(300) };
const ASKED = {
  agent: 'coder',
  tool: 'search',
  errorCode: null as string | null,
  limit: 6,
  failedMin: 2,
};

describe.each(['memory', 'postgres'] as const)('sessions for a replay on %s', (kind) => {
  const open = telemetryPerTest(kind);

  async function recorded(lines: readonly string[], asked = ASKED) {
    const { store, clock } = open();
    clock.advance(5 * 60 * MINUTE_MS);
    const files = new MemoryFiles().append('events.jsonl', lines.join(''));
    expect(await collectorOf(store, files).collect()).toMatchObject({ aside: 0 });
    const { sessions, overdrawn } = await recordedSessions(store, WINDOW, asked);
    return [sessions.map(({ id, failed }) => (failed ? `${id}!` : id)).join(' '), overdrawn];
  }
  const worked = (minute: number, session_id: string) => toolCall(at(minute), { session_id });
  const failed = (minute: number, session_id: string) =>
    failedCall(at(minute), 'no answer', { session_id });
  const lost = (minute: number, session_id: string) =>
    `${JSON.stringify({
      ...{ timestamp: new Date(at(minute)).toISOString(), session_id, event_type: 'task_failure' },
      ...{ agent: 'coder', task_name: 'find', error_category: 'timeout' },
    })}\n`;
  const many = Array.from({ length: 8 }, (_, n) => worked(100 + n, `w${n}`));

  test('older ones that failed take the place of those that worked, the newest of them', async () => {
    const lines = [failed(1, 'a'), failed(2, 'b'), failed(3, 'c'), ...many];
    expect(await recorded(lines)).toEqual(['b! c! w4 w5 w6 w7', 2]);
  });

  test('where enough of the newest failed, they are a fair sample', async () => {
    const lines = [failed(1, 'a'), ...many, failed(120, 'x'), failed(121, 'y')];
    expect(await recorded(lines)).toEqual(['w4 w5 w6 w7 x! y!', 1]);
  });

  test('what failed and worked when it was tried again did not fail', async () => {
    const lines = [failed(1, 'a'), worked(2, 'a'), failed(3, 'b'), worked(4, 'b'), ...many];
    expect(await recorded(lines)).toEqual(['w2 w3 w4 w5 w6 w7', 1]);
  });

  test('an agent that reports failed tasks is believed, whatever its last call did', async () => {
    const lines = [worked(1, 'a'), lost(2, 'a'), failed(3, 'b'), worked(100, 'w'), lost(101, 'w')];
    expect(await recorded(lines)).toEqual(['a! b w!', 1]);
  });

  test('of a named failure only sessions failed that ended by it', async () => {
    const by = (minute: number, session_id: string, error_code: string) =>
      failedCall(at(minute), 'no answer', { session_id, error_code });
    const lines = [
      ...[by(1, 'a', 'busy'), by(2, 'b', 'busy'), by(3, 'b', '500'), by(4, 'c', '500')],
      ...[by(5, 'd', 'busy'), by(6, 'd', 'busy'), ...many],
    ];
    expect(await recorded(lines, { ...ASKED, errorCode: 'busy' })).toEqual([
      'a! d! w4 w5 w6 w7',
      2,
    ]);
  });

  test('of no sessions none', async () => {
    expect(await recorded([failed(1, 'a')], { ...ASKED, agent: 'nobody' })).toEqual(['', 1]);
  });
});
