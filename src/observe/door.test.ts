import { describe, expect, test } from 'vitest';
import { isoTime, type Log, seededRandom } from '../base/index.ts';
import { type Sanitise, sanitise } from '../sanitise/index.ts';
import { sessionKey } from './session-key.ts';
import {
  anyKey,
  collectorOf,
  everything,
  failedCall,
  MemoryFiles,
  SETTINGS,
  START_MS,
  TABLES,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';

const HOUR = { fromMs: START_MS, toMs: START_MS + 3_600_000 };

/** A log that keeps what it was told. */
function keptLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string, fields = {}) => void lines.push(JSON.stringify([message, fields]));
  return { log: { debug: keep, info: keep, warn: keep, error: keep }, lines };
}

describe.each(['memory', 'postgres'] as const)('OBS-5 the door on %s', (kind) => {
  const open = telemetryPerTest(kind);

  /** Every kind of event, with a key in each of its free texts. */
  function eventsWith(key: string): string {
    const text = `Failed with ${key}\nat https://example.org/?k=${key}`;
    const common = {
      timestamp: isoTime(START_MS),
      session_id: `s ${key}`,
      variant: key,
      trace_id: `t-${key}`,
    };
    const named = { agent: `agent ${key}`, task_name: `task ${key}` };
    const { agent, task_name } = named;
    return [
      {
        event_type: 'tool_call',
        ...named,
        tool: key,
        success: false,
        error_code: key,
        error_message: text,
        latency_ms: 1,
      },
      { event_type: 'user_correction', agent, correction_type: 'retry' },
      {
        event_type: 'task_failure',
        agent,
        task_name,
        error_category: `c ${key}`,
        retry_count: 1,
        final_status: `f ${key}`,
      },
      { event_type: 'feedback', agent, rating: 'thumbs_down' },
      { event_type: 'escalation', agent, reason_category: 'error' },
      { event_type: 'metric', agent, name: key, value: 1, unit: key.slice(0, 40) },
      { event_type: 'test_result', suite: key, test: key, status: 'failed', error_message: text },
      {
        event_type: 'trace_span',
        agent,
        span_id: key,
        parent_span_id: key,
        name: key,
        success: false,
        duration_ms: 1,
        error_message: text,
      },
    ]
      .map((event) => `${JSON.stringify({ ...common, ...event })}\n`)
      .join('');
  }

  test('no text of any event is stored, shown or logged before it was sanitised', async () => {
    const { store } = open();
    const key = anyKey();
    const { log, lines } = keptLog();
    const broken = `{"agent":"${key}","x":\n${toolCall(START_MS, { [key]: key, prompt: key })}`;
    const long = `${JSON.stringify({ text: `${key} `.repeat(3000) })}\n`;
    const files = new MemoryFiles().folder('logs', [`${key}.jsonl`, 'empty.jsonl']);
    files
      .append(`logs/${key}.jsonl`, eventsWith(key) + broken + long)
      .append('logs/empty.jsonl', '');
    const settings = { ...SETTINGS, sources: [{ name: 'agents', kind: 'jsonl', path: 'logs' }] };
    const collected = await collectorOf(store, files, { settings, log }).collect();
    expect(collected).toMatchObject({ events: 8, aside: 3 });
    const view = new Telemetry(store);
    const shown = [
      await everything(store, TABLES),
      JSON.stringify(collected),
      JSON.stringify(await view.failures(HOUR)),
      JSON.stringify(
        await view.sessions(
          HOUR,
          { agent: 'agent [REDACTED:API_KEY]', tool: '[REDACTED:API_KEY]' },
          9,
        ),
      ),
      JSON.stringify(await view.event('1')),
      JSON.stringify([await view.units(HOUR), await view.metrics(HOUR)]),
      JSON.stringify(await view.breakdown(HOUR, 'template')),
      ...lines,
    ].join('\n');
    expect(shown).toContain('[REDACTED:API_KEY]');
    expect(shown).not.toContain(key.slice(13));
    expect(shown).not.toContain(key.slice(0, 20));
    expect(shown).not.toContain('example.org/');
    expect((await view.failures(HOUR)).groups).toHaveLength(5);
  });

  test('an event that the sanitiser fails on is set aside without its text', async () => {
    const { store } = open();
    const { log, lines } = keptLog();
    const fails: Sanitise = (text, rules) => {
      if (text.includes('boom')) throw new Error(`cannot sanitise ${text}`);
      return sanitise(text, rules);
    };
    const bad = failedCall(START_MS, 'a boom hush-hush', { tool: 'fuse' });
    const files = new MemoryFiles().append(
      'events.jsonl',
      `${toolCall(START_MS)}${bad}boom hush-hush, no JSON\n${toolCall(START_MS)}`,
    );
    const collected = await collectorOf(store, files, { sanitise: fails, log }).collect();
    expect(collected).toMatchObject({ events: 2, aside: 2 });
    const aside = await store.all('SELECT reason, text FROM observe_aside');
    expect(aside.map((row) => ({ ...row }))).toEqual([
      { reason: 'not_sanitised', text: '' },
      { reason: 'not_sanitised', text: '' },
    ]);
    const kept = `${await everything(store, TABLES)} ${lines.join()} ${JSON.stringify(collected)}`;
    for (const word of ['hush', 'boom', 'fuse']) expect(kept).not.toContain(word);
    expect(lines).toHaveLength(1);
    expect((await new Telemetry(store).failures(HOUR)).groups).toEqual([]);
  });

  test('sessions whose ids must not stay are told apart, by all who collect into one store', async () => {
    const { store } = open();
    const ids = ['+14155552671', '+14155552672', '4111 1111 1111 1111', '219-09-9999', 's7'];
    const mails = ['agents@example.org', 'operator@example.org'];
    const lines = [...ids, ...mails].map((session_id) => toolCall(START_MS, { session_id }));
    for (const name of ['a', 'b']) {
      const files = new MemoryFiles().append(name, `{"x":"${name}"}\n${lines.join('')}`);
      const settings = { ...SETTINGS, sources: [{ name, kind: 'jsonl', path: name }] };
      await collectorOf(store, files, { settings }).collect();
    }
    const rows = await store.all('SELECT session FROM observe_events ORDER BY id');
    const sessions = rows.map((row) => row['session'] as string);
    const first = sessions.slice(0, lines.length);
    expect(sessions.slice(lines.length)).toEqual(first);
    expect(new Set(first).size).toBe(lines.length);
    expect(first[0]).toMatch(/^\[REDACTED:PHONE\]~[a-p]{16}$/);
    expect(first[4]).toBe('s7');
    for (const session of first) expect(sanitise(session, SETTINGS).text).toBe(session);
    const kept = await everything(store, TABLES);
    for (const id of [...ids.slice(0, 4), ...mails]) expect(kept).not.toContain(id);
  });

  test('in another store the same session has another name: it cannot be looked up in a list', async () => {
    const { store } = open();
    const files = new MemoryFiles().append(
      'events.jsonl',
      toolCall(START_MS, { session_id: '+14155552671' }),
    );
    const named = async (seed: number) => {
      const emptied = ['observe_session_key', 'observe_events', 'observe_positions'];
      for (const table of emptied) {
        for (const row of await store.all(`SELECT * FROM ${table}`))
          await store.commit({ writes: [{ delete: table, where: row }] });
      }
      await collectorOf(store, files, { random: seededRandom(seed) }).collect();
      return (await store.all('SELECT session FROM observe_events'))[0]!['session'];
    };
    const first = await named(1);
    expect(first).toMatch(/~[a-p]{16}$/);
    expect(await named(2)).not.toBe(first);
    expect(await named(1)).toBe(first);
  });

  test('of many that make the key at once, all get the same', async () => {
    const { store } = open();
    const seeds = Array.from({ length: 8 }, (_, seed) => seededRandom(seed));
    const keys = await Promise.all(seeds.map((random) => sessionKey(store, random)));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  test('signs that a database or a terminal stumbles over are gone', async () => {
    const { store } = open();
    const odd = 'a\u0000b\ud800c\u001b[2Jd\u202ee';
    const files = new MemoryFiles().append(
      'events.jsonl',
      failedCall(START_MS, odd, { agent: odd, session_id: odd, tool: 'x\ny\tz' }),
    );
    expect(await collectorOf(store, files).collect()).toMatchObject({ events: 1, aside: 0 });
    expect((await new Telemetry(store).event('1'))?.event).toMatchObject({
      agent: 'ab\ufffdcde',
      tool: 'x y z',
      errorMessage: 'ab\ufffdcde',
    });
  });
});
