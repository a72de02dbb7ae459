import { describe, expect, test } from 'vitest';
import type { PlaceBin, Subject } from '../facts/index.ts';
import { courseOf } from './course.ts';
import { group, settingsOf } from './failures.test-support.ts';
import { mergeAlike } from './identity.ts';
import { triedAgainOf } from './tries-again.ts';
import type { Failure, Setting, TargetEdit } from './types.ts';
import { waitMs } from './wait-gate.ts';
import { courseOfFailure, whyNow, whyNowReasons } from './why-now.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5);
const FILE = 'agents/researcher.yaml';
const VALUE: Subject = {
  kind: 'setting',
  file: FILE,
  line: 4,
  path: ['timeout_ms'],
  value: 800,
  unit: 'ms',
  commit: 'c'.repeat(40),
  reach: { kind: 'one', names: ['web_search'], within: null },
};
const SETTING = { subject: VALUE };

interface Hourly {
  readonly calls?: number;
  readonly bad: number;
  readonly ms?: number;
}

function record(hours: number, of: (hour: number) => Hourly): PlaceBin[] {
  return Array.from({ length: hours }, (_, hour) => {
    const { calls = 300, bad, ms = 200 } = of(hour);
    const timed = calls - bad;
    const others = { othersCalls: 0, othersFailed: 0 };
    const all = { atMs: START + hour * HOUR, bad, all: calls, toolCalls: calls };
    return { ...all, ...others, timed, timedMs: timed * ms };
  });
}

const at = (hours: number) => ({ nowMs: START + hours * HOUR, commits: [] });
const from = (hour: number, bad: number) => (now: number) => ({ bad: now >= hour ? bad : 1 });

describe('since when, and why', () => {
  test('as old as the record: nothing is waited for', () => {
    const course = courseOf(
      record(48, (hour) => ({ bad: 28 + (hour % 5) })),
      0.02,
    );
    expect(whyNow(course, SETTING, at(48))).toMatchObject({
      trigger: 'none',
      since: null,
      wait: null,
    });
    expect(whyNowReasons(whyNow(course, SETTING, at(48)), course, [])).toEqual([]);
  });

  test('begun while nothing of the target changed: waited for as long as such troubles last', () => {
    const course = courseOf(record(40, from(30, 60)), 0.02);
    const soon = whyNow(course, SETTING, at(40));
    expect(soon).toMatchObject({ trigger: 'outside', endedAtMs: null });
    expect(soon.since?.atMs).toBe(START + 30 * HOUR);
    expect(soon.wait).toContain('it may end by itself');
    const lasting = courseOf(record(46, from(30, 60)), 0.02);
    expect(whyNow(lasting, SETTING, at(46)).wait).toBeNull();
  });

  test('over: nothing is changed for it', () => {
    const outage = (hour: number) => ({ bad: hour >= 20 && hour < 23 ? 150 : 1 });
    const why = whyNow(courseOf(record(36, outage), 0.02), SETTING, at(36));
    expect(why).toMatchObject({ trigger: 'outside', endedAtMs: START + 23 * HOUR });
    expect(why.wait).toContain('It ended by itself');
  });

  test('over, though a little of it was there before and is left: most of what was seen of it is of the worst', () => {
    const storm = (left: number) => (hour: number) => ({
      bad: hour >= 20 && hour < 26 ? 290 : left,
    });
    const course = courseOf(record(36, storm(7)), 0.02);
    expect(course).toMatchObject({ kind: 'ended', episode: { toMs: START + 26 * HOUR } });
    // What is left is surely more than may fail.
    expect(courseOf(record(36, storm(15)), 0.02).kind).toBe('steady');
    // What fails all the time is most of what failed: an hour that was worse is not what is seen of it.
    const hour = (at: number) => ({ bad: at === 20 ? 290 : 9 });
    expect(courseOf(record(60, hour), 0.02).kind).toBe('steady');
  });

  test('measured call by call to be by load: at once, and also when it is quiet', () => {
    const measured = { ...SETTING, isByLoad: true };
    const outage = (hour: number) => ({ bad: hour >= 20 && hour < 23 ? 150 : 1 });
    for (const bad of [outage, from(30, 60)])
      expect(whyNow(courseOf(record(36, bad), 0.02), measured, at(36))).toMatchObject({
        trigger: 'load',
        wait: null,
      });
  });

  test('right after a commit to the blamed file: that commit, at once', () => {
    const course = courseOf(record(32, from(30, 60)), 0.02);
    const commit = { id: 'a'.repeat(40), title: 'lower the limit', atMs: START + 29.9 * HOUR };
    const late = { ...commit, id: 'b'.repeat(40), atMs: START + 31 * HOUR, paths: [FILE] };
    const why = whyNow(course, SETTING, {
      ...at(32),
      commits: [{ ...commit, paths: [FILE] }, late],
    });
    expect(why).toMatchObject({ trigger: 'change', commit: commit.id, wait: null });
    const other = { ...commit, paths: ['README.md'] };
    expect(whyNow(course, SETTING, { ...at(32), commits: [other] }).trigger).toBe('outside');
    expect(whyNowReasons(why, course, [{ ...commit, paths: [FILE] }]).join(' ')).toContain(
      'lower the limit',
    );
  });

  test('a commit that changed another value of the file is not why', () => {
    const course = courseOf(record(32, from(30, 60)), 0.02);
    const place = { commit: 'a'.repeat(40), parent: 'b'.repeat(40), atMs: START + 29.9 * HOUR };
    const commits = [{ id: place.commit, title: '', atMs: place.atMs, paths: [FILE] }];
    const moved = (path: string[]): TargetEdit => ({
      ...{ ...place, kind: 'value', file: FILE, path, before: 1, after: 2 },
    });
    const lines = (settings: Setting[]): TargetEdit => ({
      ...{ ...place, kind: 'lines', file: FILE, line: 1, words: new Set(), settings },
    });
    const triggerAfter = (...edits: TargetEdit[]) =>
      whyNow(course, SETTING, { ...at(32), commits, edits }).trigger;
    expect(triggerAfter(moved(['colour']))).toBe('outside');
    expect(triggerAfter(moved(['colour']), moved(['timeout_ms']))).toBe('change');
    expect(triggerAfter({ ...place, kind: 'text', file: 'prompt.md', line: 1 })).toBe('outside');
    // A program does more than hold values, and a key may be written anew.
    expect(triggerAfter(lines([]))).toBe('change');
    expect(triggerAfter(lines([...settingsOf(FILE, 'timeout_ms: 800')]))).toBe('change');
    expect(triggerAfter(lines([...settingsOf(FILE, 'colour: 3')]))).toBe('outside');
    // One that was not read may be anything.
    expect(triggerAfter({ ...moved(['colour']), commit: 'f'.repeat(40) })).toBe('change');
    const early = commits.map((one) => ({ ...one, atMs: START + 29 * HOUR }));
    const triggerOf = (some: typeof commits) =>
      whyNow(course, SETTING, { ...at(32), commits: some, edits: [] }).trigger;
    expect([triggerOf(commits), triggerOf(early)]).toEqual(['change', 'outside']);
  });

  test('an hour of the record holds what began within it, and the blamed commit is named', () => {
    const course = courseOf(record(60, from(30, 60)), 0.02);
    const commit = { title: '', atMs: START + 30.2 * HOUR, paths: [FILE] };
    const commits = ['a', 'b'].map((id) => ({ ...commit, id: id.repeat(40) }));
    const why = whyNow(course, SETTING, { ...at(60), commits });
    expect(why).toMatchObject({ trigger: 'change', commit: commits[0]!.id });
    const before = { commit: commits[1]!.id, parent: 'd'.repeat(40), value: 5000 };
    const blaming = whyNow(course, { subject: { ...VALUE, before } }, { ...at(60), commits });
    expect(blaming.commit).toBe(commits[1]!.id);
  });

  test('there only when the tool gets more calls than ever: by load, at once', () => {
    const peak = (hour: number) =>
      hour >= 60 ? { calls: 900, bad: 200 } : { calls: 200 + (hour % 24) * 10, bad: 1 };
    expect(whyNow(courseOf(record(66, peak), 0.02), SETTING, at(66))).toMatchObject({
      trigger: 'load',
      wait: null,
    });
    // The same failures at a load that was fine before are not by load.
    const same = (hour: number) => ({ calls: 900, bad: hour >= 60 ? 200 : 1 });
    expect(whyNow(courseOf(record(66, same), 0.02), SETTING, at(66)).trigger).toBe('outside');
    // On the first day no peak was seen yet.
    const early = (hour: number) => (hour >= 9 ? { calls: 900, bad: 200 } : { calls: 200, bad: 1 });
    expect(whyNow(courseOf(record(13, early), 0.02), SETTING, at(13)).trigger).toBe('outside');
  });

  test('calls that a failure makes by being tried again are no load, but for who blames the tries', () => {
    const tried = (hour: number) =>
      hour >= 60 ? { calls: 600, bad: 300 } : { calls: 300 + (hour % 24), bad: 1 };
    const asked = courseOf(record(66, tried), 0.02, { own: 0, others: 0 });
    expect(whyNow(asked, SETTING, at(66)).trigger).toBe('load');
    const course = courseOf(record(66, tried), 0.02, { own: 1, others: 1 });
    expect(course.load).toBe('tries');
    expect(whyNow(course, SETTING, at(66))).toMatchObject({ trigger: 'outside' });
    expect(whyNow(course, SETTING, at(66)).wait).toContain('it may end by itself');
    const fewer = { subject: { ...VALUE, limits: 'tries', aim: { value: 1, why: '' } } } as const;
    expect(whyNow(course, fewer, at(66))).toMatchObject({ trigger: 'load', wait: null });
  });

  test('tries of others at the tool are no load either, as often as they try', () => {
    // An outage at noon: this agent does not try again, the other one does, three times.
    const outage = record(66, (hour) =>
      hour >= 60 ? { calls: 600, bad: 60 } : { calls: 400 + (hour % 24), bad: 1 },
    ).map((bin) => ({ ...bin, othersCalls: 300, othersFailed: bin.bad > 30 ? 270 : 1 }));
    const gaveUp = { fromMs: START, bins: [], chains: [{ failed: 1, count: 360 }] };
    const tried = { ...gaveUp, chains: [{ failed: 4, count: 400 }] };
    const own = group({ history: outage, tries: gaveUp });
    const others = (tries: typeof tried) => mergeAlike([own, group({ agent: 'writer', tries })]);
    const loadAmong = (all: readonly Failure[]) =>
      courseOfFailure(all.find(({ agent }) => agent === 'researcher')!, 0.02, all).load;
    expect(loadAmong(others(tried))).toBe('tries');
    expect(loadAmong(others(gaveUp))).toBe('asked');
    expect(loadAmong(mergeAlike([own]))).toBe('asked');
  });

  test('of failed tries all are tried again but the last of a row that is given up', () => {
    const chains = [
      { failed: 1, count: 50 },
      { failed: 3, count: 10 },
    ];
    const view = { fromMs: START, bins: [], chains };
    expect(triedAgainOf(view)).toBeCloseTo(1 - 10 / 80, 10);
    expect(triedAgainOf({ ...view, chains: chains.slice(0, 1) })).toBe(0);
    expect(triedAgainOf(null)).toBe(0);
  });

  test('that calls take longer since then is said', () => {
    const slow = (hour: number) => (hour >= 30 ? { bad: 60, ms: 500 } : { bad: 1 });
    const course = courseOf(record(36, slow), 0.02);
    expect(course.slower).toBeCloseTo(2.5, 1);
    expect(whyNowReasons(whyNow(course, SETTING, at(36)), course, []).join(' ')).toContain(
      '2.5 times as long',
    );
  });

  test('far worse than it always was: that began, and is waited for', () => {
    const ill = (hour: number) => ({ bad: hour >= 30 ? 150 : 12 });
    const course = courseOf(record(34, ill), 0.02);
    expect(course).toMatchObject({ kind: 'began', episode: { fromMs: START + 30 * HOUR } });
    expect(whyNow(course, SETTING, at(34)).wait).toContain('it may end by itself');
    // Three times as bad: most of it was there before.
    const more = (hour: number) => ({ bad: hour >= 30 ? 36 : 12 });
    expect(courseOf(record(34, more), 0.02).kind).toBe('steady');
  });

  test('a spike on a failure that is there all the time is no beginning and no end', () => {
    const spiky = (hour: number) => ({ bad: hour === 30 ? 250 : 30 });
    expect(courseOf(record(48, spiky), 0.02).kind).toBe('steady');
  });

  test('nothing counted says nothing', () => {
    expect(courseOf([], 0.02)).toMatchObject({ kind: 'steady', during: 0 });
  });
});

test('how long it is waited grows with the troubles that were seen here', () => {
  expect(waitMs([]) / HOUR).toBeCloseTo(14.9, 1);
  expect(waitMs(Array(6).fill(HOUR / 3)) / HOUR).toBeCloseTo(3.5, 1);
  expect(waitMs(Array(4).fill(7.5 * HOUR)) / HOUR).toBeCloseTo(27, 0);
});
