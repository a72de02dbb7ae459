import { describe, expect, test } from 'vitest';
import type { JsonlEvent } from '../src/observe/index.ts';
import { type Change, isNews, type JudgeInput, judge } from './judge.ts';
import type { JudgedProposal } from './proposals-made.ts';
import type { Scenario } from './scenario.ts';
import { bundledScenario } from './scenario-files.ts';

const HOUR_MS = 3_600_000;
const tooLow = bundledScenario('timeout-too-low');
const startMs = Date.parse(tooLow.start);
const first = new Map(Object.entries(tooLow.files));
const file = 'agents/researcher.yaml';
const edited = (from: string, to: string, base: ReadonlyMap<string, string> = first) =>
  new Map(base).set(file, base.get(file)!.replace(from, to));
const fixed = edited('800', '1500');

const call = (hour: number, success: boolean): JsonlEvent => ({
  timestamp: new Date(startMs + hour * HOUR_MS).toISOString(),
  session_id: `s${hour}`,
  event_type: 'tool_call',
  agent: 'researcher',
  tool: 'web_search',
  success,
});

/** Files by the hour from which on they are live; `own` is what they would be without Hone. */
type Step = readonly [
  hour: number,
  files: ReadonlyMap<string, string>,
  own?: ReadonlyMap<string, string>,
];

function judged(steps: readonly Step[], more: Partial<JudgeInput> = {}) {
  const changes: Change[] = steps.map(([hour, files, own = first]) => ({
    atMs: startMs + hour * HOUR_MS,
    files,
    own,
  }));
  return judge({
    scenario: tooLow,
    changes: [{ atMs: startMs, files: first, own: first }, ...changes],
    events: [call(60, true), call(61, true)],
    startMs,
    endMs: startMs + 72 * HOUR_MS,
    proposals: [],
    told: [],
    harmed: null,
    ...more,
  });
}

const expecting = (expect: Scenario['expect']): Partial<JudgeInput> => ({
  scenario: { ...tooLow, expect },
});

describe('fixed', () => {
  test('time runs from the change that fixed it, not from the last one of any file', () => {
    const other = new Map(fixed).set('prompts/librarian.md', 'Be brief.');
    expect(
      judged([
        [9, fixed],
        [60, other],
      ]),
    ).toMatchObject({ ok: true, hoursToImprovement: 9 });
  });

  test('a fix that was taken back and came again counts from when it came to stay', () => {
    expect(
      judged([
        [9, fixed],
        [12, first],
        [20, fixed],
      ]),
    ).toMatchObject({
      ok: true,
      hoursToImprovement: 20,
      changes: 3,
    });
  });

  test('files that are as they were are no harm', () => {
    expect(
      judged([
        [9, fixed],
        [12, first],
      ]),
    ).toMatchObject({ ok: false, harmLeft: false });
    expect(judged([[9, edited('6000', '9000')]])).toMatchObject({ ok: false, harmLeft: true });
  });

  test('what people commit is neither Hone’s change nor its harm', () => {
    const mended = edited('800', '900');
    expect(judged([[9, mended, mended]])).toMatchObject({ ok: false, harmLeft: false, changes: 0 });
    const both = edited('900', '1500', mended);
    expect(
      judged([
        [9, mended, mended],
        [12, both, mended],
      ]),
    ).toMatchObject({ ok: true, changes: 1 });
  });

  test('failures that stay are a miss, and so is a fix that comes too late', () => {
    const events = [call(60, false), call(61, true)];
    expect(judged([[9, fixed]], { events })).toMatchObject({ ok: false, label: 'wrong size' });
    expect(judged([[50, fixed]])).toMatchObject({ ok: false, label: 'too late' });
    expect(judged([])).toMatchObject({ ok: false, label: 'not seen' });
  });

  test('several settings and texts must all be right, or one where that suffices', () => {
    const settings = [
      { file, path: ['tools', 'web_search', 'timeout_ms'], at_least: 1000, at_most: 2000 },
      { file, match: 'retries: (\\d)', becomes: 2 },
    ];
    const texts = [{ file: 'prompts/researcher.md', contains: 'at most ten words' }];
    const common = { outcome: 'fixed', within_hours: 48, onset_hour: 5, settings, texts } as const;
    const all = { ...expecting({ ...common, one_suffices: false }) };
    expect(judged([[9, fixed]], all)).toMatchObject({ ok: false });
    const one = { ...expecting({ ...common, one_suffices: true }) };
    expect(judged([[9, fixed]], one)).toMatchObject({ ok: true, hoursToImprovement: 4 });
    expect(judged([[9, edited('800', '3000')]], one)).toMatchObject({ ok: false });
  });
});

describe('untouched', () => {
  test('a change that was made and taken back is a miss and no harm', () => {
    const untouched = expecting({ outcome: 'untouched' });
    expect(judged([], untouched)).toMatchObject({ ok: true, changes: 0 });
    expect(
      judged(
        [
          [9, fixed],
          [12, first],
        ],
        untouched,
      ),
    ).toMatchObject({ ok: false, harmLeft: false });
    expect(judged([[9, fixed]], untouched)).toMatchObject({ ok: false, harmLeft: true });
  });

  test('what may be tried is no miss, if it is gone at the end', () => {
    const may_try = [{ file, path: ['tools', 'web_search', 'timeout_ms'] }];
    const tolerant = expecting({ outcome: 'untouched', may_try });
    expect(
      judged(
        [
          [9, fixed],
          [12, first],
        ],
        tolerant,
      ),
    ).toMatchObject({ ok: true });
    expect(judged([[9, fixed]], tolerant)).toMatchObject({ ok: false, harmLeft: true });
    const hurting = (hurts: 'up' | 'down') =>
      expecting({ outcome: 'untouched', may_try: may_try.map((one) => ({ ...one, hurts })) });
    expect(judged([[9, fixed]], hurting('up'))).toMatchObject({ ok: false, harmLeft: true });
    expect(judged([[9, fixed]], hurting('down'))).toMatchObject({ ok: true, harmLeft: false });
    expect(
      judged(
        [
          [9, edited('6000', '7000')],
          [12, first],
        ],
        tolerant,
      ),
    ).toMatchObject({ ok: false });
  });
});

describe('told', () => {
  const told = (words: string, hour: number) => ({
    agent: null,
    tool: 'web_search',
    words,
    atMs: startMs + hour * HOUR_MS,
  });
  const asked = expecting({
    outcome: 'told',
    tool: 'web_search',
    about: 'credential|401',
    onset_hour: 10,
    within_hours: 12,
  });

  test('somebody is told of the right thing in time, and nothing changes', () => {
    expect(judged([], { ...asked, told: [told('401 since ten', 20)] })).toMatchObject({ ok: true });
    expect(judged([], { ...asked, told: [told('it is slow', 20)] })).toMatchObject({
      label: 'not told',
    });
    expect(judged([], { ...asked, told: [told('401 since ten', 30)] })).toMatchObject({
      ok: false,
    });
    const changed = judged([[9, fixed]], { ...asked, told: [told('401', 20)] });
    expect(changed).toMatchObject({ ok: false, harmLeft: true, label: 'acted on outside' });
  });
});

describe('taken back', () => {
  const harm = { agent: 'librarian', failed: 0.4, without: 0.01 };
  test('the first files are back at the end; what is left hurts somebody', () => {
    const back = expecting({ outcome: 'taken_back' });
    expect(
      judged(
        [
          [9, fixed],
          [12, first],
        ],
        back,
      ),
    ).toMatchObject({ ok: true, harmLeft: false });
    const places = [{ file, path: ['tools', 'web_search', 'timeout_ms'], hurts: 'down' as const }];
    const harmless = expecting({ outcome: 'taken_back', places });
    expect(judged([[9, fixed]], harmless)).toMatchObject({ ok: true, harmLeft: false });
    const proposal = { files: [file], state: 'implemented' } as unknown as JudgedProposal;
    const left = judged([[60, fixed]], { ...back, harmed: harm, proposals: [proposal] });
    expect(left).toMatchObject({ ok: false, harmLeft: true, label: 'harm missed (partner)' });
  });
});

test('of several expectations each must hold, and those that want no change leave the others theirs', () => {
  const both = expecting([tooLow.expect as never, { outcome: 'untouched' }]);
  expect(judged([[9, fixed]], both)).toMatchObject({ ok: true });
  expect(judged([[9, edited('6000', '7000', fixed)]], both)).toMatchObject({
    ok: false,
    harmLeft: true,
  });
});

test('one failure that was not mended does not make harm of the right change of another', () => {
  const other = { outcome: 'fixed', within_hours: 48, onset_hour: 0, one_suffices: false } as const;
  const texts = [{ file: 'prompts/librarian.md', contains: 'at most ten words' }];
  const two = expecting([tooLow.expect as never, { ...other, texts }]);
  expect(judged([[9, fixed]], two)).toMatchObject({ ok: false, harmLeft: false });
  // At a wanted place the wrong way, where nothing is wanted, and where it is measured, it is.
  expect(judged([[9, edited('800', '80')]], two)).toMatchObject({ ok: false, harmLeft: true });
  expect(judged([[9, edited('6000', '7000', fixed)]], two)).toMatchObject({ harmLeft: true });
  const harmed = { agent: 'librarian', failed: 0.4, without: 0.01 };
  expect(judged([[9, fixed]], { ...two, harmed })).toMatchObject({ harmLeft: true });
});

test('what somebody commits after Hone did it is theirs', () => {
  const hones = { atMs: startMs, files: fixed, own: first };
  const theirs = { ...hones, atMs: startMs + HOUR_MS, own: fixed };
  expect(isNews(hones, hones)).toBe(false);
  expect(isNews(theirs, hones)).toBe(true);
  const may_try = [{ file, path: ['tools', 'web_search', 'timeout_ms'] }];
  const untouched = expecting({ outcome: 'untouched', may_try });
  expect(judged([[20, fixed]], untouched)).toMatchObject({ ok: false, harmLeft: true });
  const both: Step[] = [
    [20, fixed],
    [21, fixed, fixed],
  ];
  expect(judged(both, untouched)).toMatchObject({ ok: true, harmLeft: false });
});
