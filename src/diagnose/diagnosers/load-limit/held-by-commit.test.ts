import { expect, test } from 'vitest';
import { COMMIT, group, settingsOf, WINDOW } from '../../failures.test-support.ts';
import { mergeAlike } from '../../identity.ts';
import type { LoadedCall } from '../../load-limit.ts';
import type { TargetEdit } from '../../types.ts';
import { heldByCommit } from './held-by-commit.ts';

const HOUR = 3_600_000;
const FILE = 'agents/researcher.yaml';
const SINCE = WINDOW.toMs - 6 * HOUR;

function call(at: number, agent: string, tookMs: number, isRefused = false): LoadedCall {
  const startMs = SINCE + at * 60_000;
  const ended = { startMs, endMs: startMs + tookMs, failedWith: isRefused ? 'busy' : null };
  return { agent, tool: 'web_search', ...ended, isRefused };
}

/** Most of the writer's are short; those of the researcher last so long. */
const callsOf = (lastMs: number, earlierMs: number) =>
  Array.from({ length: 60 }, (_, at) => [
    call(at - 90, 'writer', 2000),
    call(at - 90, 'researcher', earlierMs),
    call(at, 'writer', 2000),
    call(at, 'researcher', lastMs),
    call(at, 'writer', 20, true),
  ]).flat();

function blamed(
  edit: Partial<TargetEdit & { kind: 'value' }> = {},
  {
    lastMs = 90_000,
    earlierMs = 7000,
    agent = 'writer',
    text = 'web_search: { wait_s: 8000 }',
  } = {},
) {
  const history = Array.from({ length: 24 }, (_, at) => ({
    ...{ atMs: WINDOW.toMs - (24 - at) * HOUR, all: 300, bad: at < 18 ? 0 : 90 },
    ...{ toolCalls: 300, othersCalls: 0, othersFailed: 0, timed: 200, timedMs: 400_000 },
  }));
  const all = mergeAlike([group({ agent, errorCode: 'busy', history })]);
  const settings = settingsOf(FILE, `name: researcher\n${text}\n`);
  const place = { commit: COMMIT, parent: 'b'.repeat(40), atMs: SINCE - 60_000, file: FILE };
  const path = ['web_search', 'wait_s'];
  const edits = [{ ...place, kind: 'value' as const, path, before: 8, after: 8000, ...edit }];
  const evidence = { window: WINDOW, all, settings, commit: COMMIT, commits: [], edits };
  return heldByCommit(all[0]!, { ...evidence, failureShare: 0.02 }, callsOf(lastMs, earlierMs));
}

test('a wait that grew is put back where calls beyond the former one hold the places, whoever is refused', () => {
  for (const agent of ['writer', 'researcher'])
    expect(blamed({}, { agent })).toMatchObject([
      { subject: { file: FILE, value: 8000, before: { value: 8, commit: COMMIT } } },
    ]);
});

test('nothing else is', () => {
  // It fell, or was moved on since; long before, or after it began; and nobody takes longer than it was.
  expect(blamed({ before: 9000 })).toEqual([]);
  expect(blamed({ after: 7000 })).toEqual([]);
  expect(blamed({ atMs: SINCE - 9 * HOUR })).toEqual([]);
  expect(blamed({ atMs: SINCE + 2 * HOUR })).toEqual([]);
  expect(blamed({}, { lastMs: 7000 })).toEqual([]);
  // They took as long before, and another tool's wait beside this one's.
  expect(blamed({}, { earlierMs: 90_000 })).toEqual([]);
  const text = 'web_search: { wait_s: 9000 }\nmail: { wait_s: 8000 }';
  expect(blamed({ path: ['mail', 'wait_s'] }, { text })).toEqual([]);
});
