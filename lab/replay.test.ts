import { describe, expect, test } from 'vitest';
import type { JsonlEvent } from '../src/observe/index.ts';
import { HOUR_MS } from './arrivals.ts';
import type { TargetFiles } from './fleet.ts';
import { fleetReplay } from './replay.ts';
import { firstFiles } from './scenario.ts';
import { bundledScenario } from './scenario-files.ts';
import { editedFiles, eventsOf } from './test-scenarios.ts';

const tooLow = bundledScenario('timeout-too-low');
const crowded = bundledScenario('helps-then-hurts');
const { signal } = new AbortController();
const replayOf = (scenario: typeof tooLow, commits: Readonly<Record<string, TargetFiles>>) =>
  fleetReplay({ scenario, seed: 21, readFiles: async (commit) => commits[commit]! });

const sessionsIn = (events: readonly JsonlEvent[]) => [
  ...new Set(events.map((event) => event.session_id)),
];
const failedIn = (events: readonly JsonlEvent[]) =>
  new Set(
    events.filter((event) => event.event_type === 'task_failure').map((event) => event.session_id),
  );

describe('replay', () => {
  test('is exactly what happened, where nobody was in the way', async () => {
    const patient = editedFiles(tooLow, {
      file: 'agents/researcher.yaml',
      from: 'timeout_ms: 800',
      to: 'timeout_ms: 1400',
    });
    const commits = { old: firstFiles(tooLow), new: patient };
    for (const [commit, files] of Object.entries(commits)) {
      const events = eventsOf({ scenario: tooLow, seed: 21, files, hours: 24 });
      const failed = failedIn(events);
      // Those under way at the end may not have failed yet.
      const endMs = Date.parse(tooLow.start) + 24 * HOUR_MS - 60_000;
      const sessions = sessionsIn(events.filter(({ timestamp }) => Date.parse(timestamp) < endMs));
      const replayed = await replayOf(tooLow, commits).run(commit, sessions, signal);
      expect(replayed.map(({ session }) => session)).toEqual(sessions);
      for (const { session, ok, error } of replayed) {
        expect(ok).toBe(!failed.has(session));
        expect(error === null).toBe(ok);
      }
    }
  });

  test('does not see what sessions do to each other', async () => {
    const hurtful = editedFiles(crowded, {
      file: 'agents/researcher.yaml',
      from: 'timeout_ms: 90000',
      to: 'timeout_ms: 180000',
    });
    const events = eventsOf({
      scenario: crowded,
      seed: 21,
      files: hurtful,
      fromHour: 12,
      hours: 2,
    });
    const sessions = sessionsIn(events);
    const replayed = await replayOf(crowded, { it: hurtful }).run('it', sessions, signal);
    expect(failedIn(events).size / sessions.length).toBeGreaterThan(0.3);
    expect(replayed.filter(({ ok }) => !ok).length / sessions.length).toBeLessThan(0.03);
  });

  test('says which sessions it does not know, and why one failed', async () => {
    const broken = editedFiles(tooLow, {
      file: 'agents/researcher.yaml',
      from: 'timeout_ms: 800',
      to: 'timeout_ms: 0',
    });
    const unknown = [
      '',
      'x',
      'nobody-0001-0001',
      'researcher-0001-9999',
      'researcher-9999-0001',
      'researcher-1-1',
      'researcher-0001-0001-1',
      'researcher--1-0001',
    ];
    const replay = replayOf(tooLow, { broken });
    for (const row of await replay.run('broken', unknown, signal))
      expect(row).toEqual({ session: row.session, ok: false, error: 'unknown session' });
    expect(await replay.run('broken', ['researcher-0001-0001'], signal)).toEqual([
      {
        session: 'researcher-0001-0001',
        ok: false,
        error: expect.stringContaining('timeout_ms of "web_search"'),
      },
    ]);
  });

  test('stops when it is told to', async () => {
    const stop = new AbortController();
    stop.abort(new Error('no longer wanted'));
    const replay = replayOf(tooLow, { it: firstFiles(tooLow) });
    await expect(replay.run('it', ['researcher-0001-0001'], stop.signal)).rejects.toThrow(
      'no longer wanted',
    );
  });
});
