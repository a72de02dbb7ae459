import { expect, test } from 'vitest';
import type { FailureGroup, PlaceBin, RecentCall } from '../../../facts/index.ts';
import { callsWithSizes } from '../../calls.test-support.ts';
import { courseOf } from '../../course.ts';
import { diagnoserContract } from '../../diagnoser-contract.test-support.ts';
import {
  COMMIT,
  examples,
  group,
  HOUR_MS,
  latencies,
  settingsOf,
  WINDOW,
} from '../../failures.test-support.ts';
import { mergeAlike } from '../../identity.ts';
import { wordsOfFile } from '../../references.ts';
import type { TargetEdit } from '../../types.ts';
import { regression } from './regression.ts';

const BEGAN_MS = WINDOW.fromMs + 12 * HOUR_MS;
const MINUTE_MS = 60_000;

/** Well until noon, then half of the calls fail. `others` are calls of other agents, and of these so many failed. */
const history = (others = 0, othersFailed = 0): PlaceBin[] =>
  Array.from({ length: 24 * 60 }, (_, minute) => {
    const atMs = WINDOW.fromMs + minute * MINUTE_MS;
    const isIll = atMs >= BEGAN_MS;
    return {
      ...{ atMs, bad: isIll ? 2 : 0, all: 4, timed: 2, timedMs: 100, toolCalls: 4 + others },
      ...{ othersCalls: others, othersFailed: isIll ? othersFailed : 0 },
    };
  });
const BEGUN: Partial<FailureGroup> = { history: history(), failures: 1440, calls: 5760 };
/** Nothing shows that a limit cuts them off. */
const UNTIMED: Partial<FailureGroup> = { ...BEGUN, failedLatency: null, succeededLatency: null };
const place = { commit: 'a'.repeat(40), parent: 'b'.repeat(40), atMs: BEGAN_MS - 0.5 * MINUTE_MS };
const FILE = 'agents/researcher.yaml';
const lowered: TargetEdit = {
  ...{ ...place, kind: 'value', file: FILE, path: ['web_search', 'timeout_ms'] },
  ...{ before: 5000, after: 800 },
};
const swapped: TargetEdit = {
  ...{ ...place, kind: 'value', file: FILE, path: ['model'] },
  ...{ before: 'large-1', after: 'small-2' },
};
const reworded: TargetEdit = { ...place, kind: 'text', file: 'prompts/answer.md', line: 3 };
const held: TargetEdit = {
  ...{ ...place, kind: 'value', file: 'agents/shared.yaml', path: ['hold'] },
  ...{ before: 30, after: 90 },
};
/** A line that names nobody, one with a value of the tool, and one that names it. */
const gone: TargetEdit = {
  ...place,
  kind: 'lines',
  file: FILE,
  line: 2,
  words: new Set(),
  settings: [],
};
const renamed: TargetEdit = {
  ...gone,
  settings: settingsOf(FILE, 'name: researcher\nweb_search: { wait_s: 5 }\n'),
};
const saying = (words: string[]): TargetEdit => ({
  ...{ ...gone, file: 'agents/shared.yaml', words: new Set(words) },
});
const files = {
  'agents/shared.yaml': 'verbose: true\n',
  [FILE]:
    'name: researcher\nprompt: ../prompts/answer.md\nmodel: small-2\nweb_search: { timeout_ms: 800 }\n',
  'agents/writer.yaml': 'name: writer\nprompt: prompts/other.md\n',
};

diagnoserContract({
  diagnoser: regression,
  explains: [
    { groups: [BEGUN], files, edits: [lowered] },
    { groups: [BEGUN], files, edits: [swapped] },
    { groups: [UNTIMED], files, edits: [reworded] },
    { groups: [BEGUN], files, edits: [lowered, swapped] },
    { groups: [BEGUN], files, edits: [gone] },
    { groups: [BEGUN], files, edits: [renamed] },
    { groups: [BEGUN], files, edits: [saying(['web_search'])] },
  ],
  passesOver: [
    { groups: [BEGUN], files },
    // As old as the record.
    { groups: [{}], files, edits: [lowered] },
    // Long before, or after it began.
    { groups: [BEGUN], files, edits: [{ ...lowered, atMs: BEGAN_MS - 9 * HOUR_MS }] },
    { groups: [BEGUN], files, edits: [{ ...lowered, atMs: BEGAN_MS + 2 * HOUR_MS }] },
    // Another agent's, and one that was changed again since.
    { groups: [BEGUN], files, edits: [{ ...reworded, file: 'prompts/other.md' }] },
    { groups: [BEGUN], files, edits: [{ ...lowered, after: 700 }] },
    // Calls went well with it for twenty minutes, and it names nobody.
    { groups: [BEGUN], files, edits: [{ ...gone, atMs: BEGAN_MS - 20 * MINUTE_MS }] },
    // A text that no agent is given.
    {
      ...{ groups: [UNTIMED], files, texts: ['prompts/answer.md'] },
      edits: [{ ...reworded, file: 'README.md' }],
    },
    // Lines of a file that no agent reads.
    { groups: [BEGUN], files, edits: [{ ...gone, file: 'tools/build.py' }] },
    // A limit cuts calls off: what an agent is told stops no clock, nor does a number of nobody's that is not the limit.
    { groups: [BEGUN], files, edits: [reworded] },
    { groups: [BEGUN], files: { ...files, 'agents/shared.yaml': 'hold: 90\n' }, edits: [held] },
    // Others that the commit does not reach fail since the same minute.
    { groups: [BEGUN, { ...BEGUN, agent: 'writer' }], files, edits: [lowered] },
  ],
});

function causes(edits: readonly TargetEdit[], more: Partial<FailureGroup> = {}) {
  const all = mergeAlike([group({ ...BEGUN, ...more })]);
  const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
  return regression.explain(all[0]!, {
    ...{ window: WINDOW, all, settings, commit: COMMIT, commits: [], edits, failureShare: 0.02 },
  });
}

test('a change of the tool itself is surer than one of the agent, and surer still where others are well', () => {
  const [own] = causes([lowered]);
  expect(own).toMatchObject({
    layer: 'settings',
    subject: { value: 800, before: { value: 5000 } },
  });
  const [agents] = causes([swapped]);
  expect(own!.confidence).toBeGreaterThan(agents!.confidence);
  const [alone] = causes([swapped], { history: history(6) });
  expect(alone!.confidence).toBeGreaterThan(agents!.confidence);
  expect(alone!.reasons[1]!.text).toContain('only researcher is met');
});

test("another agent's value of the same tool is not blamed, however close its commit came", () => {
  const text = (name: string, wait: number) =>
    `team:\n  name: ${name}\n  web_search: { wait_s: ${wait} }\n`;
  const theirs = 'crew/editor.yaml';
  const edit: TargetEdit = {
    ...{ ...place, kind: 'value', file: theirs, path: ['team', 'web_search', 'wait_s'] },
    ...{ before: 5, after: 9 },
  };
  const [failure] = mergeAlike([group(UNTIMED)]);
  const blamed = (files: Record<string, string>) =>
    regression.explain(failure!, {
      ...{ window: WINDOW, all: [failure!], commit: COMMIT, commits: [], edits: [edit] },
      settings: Object.entries(files).flatMap(([file, given]) => settingsOf(file, given)),
      failureShare: 0.02,
    }).length;
  const own = { 'crew/researcher.yaml': text('researcher', 4) };
  expect(blamed({ ...own, [theirs]: text('editor', 9) })).toBe(0);
  // Where it has none of its own, it may read that one.
  expect(blamed({ [theirs]: 'team:\n  web_search: { wait_s: 9 }\n' })).toBe(1);
});

test('a task that fails while its calls succeed is no trouble outside', () => {
  const tasks = { ...UNTIMED, event: 'task_failure', tool: '', errorCode: 'max_steps' } as const;
  const text: TargetEdit = { ...reworded, atMs: BEGAN_MS - 40 * MINUTE_MS };
  const sureOf = (calls: readonly Partial<FailureGroup>[]) => {
    const all = mergeAlike([group(tasks), ...calls.map((one) => group({ ...UNTIMED, ...one }))]);
    const failure = all.find(({ event }) => event === 'task_failure')!;
    const settings = Object.entries(files).flatMap(([file, said]) => settingsOf(file, said));
    const evidence = { window: WINDOW, all, settings, commit: COMMIT, commits: [], edits: [text] };
    const [cause] = regression.explain(failure, { ...evidence, failureShare: 0.02 });
    return cause?.confidence ?? 0;
  };
  const alone = sureOf([]);
  expect(alone).toBeGreaterThan(0.5);
  expect(sureOf([{ errorCode: '500', failures: 100 }])).toBe(alone);
  expect(sureOf([{ errorCode: '500', failures: 1000 }])).toBeLessThan(alone - 0.1);
  expect(sureOf([{ errorCode: '500', failures: 1000, agent: 'writer' }])).toBe(alone);
});

test('what an agent is told is not why its answers are cut where those of others are as long', () => {
  const cut = { ...UNTIMED, errorCode: 'length', history: history(6) };
  const own = callsWithSizes({ cut: 700 });
  const theirs = (tokens: number) =>
    own.map((call) => ({
      ...call,
      ...{ agent: 'writer', failedWith: null, outputTokens: tokens },
    }));
  const blamed = (others: readonly RecentCall[], edit: TargetEdit = reworded) => {
    const all = mergeAlike([group(cut)]);
    const settings = Object.entries(files).flatMap(([file, said]) => settingsOf(file, said));
    const evidence = { window: WINDOW, all, settings, commit: COMMIT, commits: [], edits: [edit] };
    const calls = new Map([['web_search', [...own, ...others]]]);
    return regression.explain(all[0]!, { ...evidence, failureShare: 0.02, calls });
  };
  expect(blamed(theirs(2000))).toEqual([]);
  expect(blamed(theirs(2000), swapped)).toHaveLength(1);
  // They write as little as it may: that they are well says nothing, and that it is told something else may be why.
  const [alone] = blamed(theirs(300));
  expect(alone!.reasons).toHaveLength(1);
});

test('that others keep their rights speaks for no commit', () => {
  const refused = {
    ...{ errorCode: '403', template: 'no role', failures: 1440, calls: 5760, history: history(6) },
    examples: examples('403: no role that may do this', [BEGAN_MS, BEGAN_MS + 1]),
    failedLatency: latencies([30, 1440]),
  };
  const sureOf = (more: Partial<FailureGroup>, agoMs: number) =>
    causes([{ ...swapped, atMs: BEGAN_MS - agoMs }], { ...UNTIMED, ...refused, ...more })[0]
      ?.confidence ?? 0;
  const broken = { errorCode: '500', examples: examples('broken', [BEGAN_MS, BEGAN_MS + 1]) };
  // Twenty minutes after it, others being well speaks for the commit, but not where a right may have been taken.
  expect(sureOf(broken, 20 * MINUTE_MS)).toBeGreaterThan(0.5);
  expect(sureOf({}, 20 * MINUTE_MS)).toBe(0);
  expect(sureOf({}, MINUTE_MS)).toBeGreaterThan(0.5);
});

test('the longer after the commit it begins, the less sure', () => {
  const sureOf = (lagMs: number) =>
    causes([{ ...lowered, atMs: BEGAN_MS - lagMs }])[0]?.confidence ?? 0;
  expect(sureOf(20 * MINUTE_MS)).toBeLessThan(sureOf(MINUTE_MS / 2) - 0.1);
  expect(sureOf(20 * MINUTE_MS)).toBeGreaterThan(0.5);
  expect(sureOf(5 * HOUR_MS)).toBe(0);
});

test('a change with which calls went well for a while is hardly to blame', () => {
  const [soon] = causes([lowered]);
  const [later] = causes([{ ...lowered, atMs: BEGAN_MS - 14 * MINUTE_MS }]);
  expect(soon!.confidence).toBeGreaterThan(0.8);
  expect(later!.confidence).toBeLessThan(0.7);
});

test('a longer wait of one agent may be why others are refused as well', () => {
  const raised: TargetEdit = { ...lowered, before: 8, after: 800 };
  /** Its calls that succeed take so many times as long since then. */
  const slower = (times: number): Partial<FailureGroup> => ({
    ...{ ...UNTIMED, errorCode: 'busy' },
    history: history().map((bin) => (bin.bad === 0 ? bin : { ...bin, timedMs: 100 * times })),
  });
  const blamed = (own: number, theirs: number, edit = raised, code = 'busy') => {
    const others = { ...slower(theirs), agent: 'writer', errorCode: code };
    const all = mergeAlike([group(slower(own)), group(others)]);
    const settings = Object.entries(files).flatMap(([file, said]) => settingsOf(file, said));
    const evidence = { window: WINDOW, all, settings, commit: COMMIT, commits: [], edits: [edit] };
    return regression.explain(all[0]!, { ...evidence, failureShare: 0.02 }).length;
  };
  expect(blamed(30, 1)).toBe(1);
  // The tool became slower for everybody, or nobody's calls hold it for longer.
  expect(blamed(30, 30)).toBe(0);
  expect(blamed(1, 1)).toBe(0);
  // Whoever waits less long holds it for less.
  expect(blamed(30, 1, lowered)).toBe(0);
  // Others fail by something else at the same time.
  expect(blamed(30, 1, raised, '500')).toBe(0);
});

test.each([
  ['is reached', 400, 1],
  ['no call comes near', 40, 0],
])(
  'a longer wait may be why calls are held for longer where the old one %s',
  (_, slowestMs, found) => {
    const raised: TargetEdit = { ...lowered, before: 200, after: 800 };
    const slower: Partial<FailureGroup> = {
      ...{ ...UNTIMED, errorCode: 'busy', failedLatency: latencies([8, 1440]) },
      succeededLatency: latencies([20, 900], [slowestMs, 30]),
      history: history().map((bin) => (bin.bad === 0 ? bin : { ...bin, timedMs: 3000 })),
    };
    expect(causes([raised], slower)).toHaveLength(found);
  },
);

test('a limit on time that was moved makes no call be refused at once', () => {
  const text = 'name: researcher\nweb_search: { wait_s: 12, retry_delay_s: 12, hold: 12 }\n';
  const moved = (key: string, from: number): TargetEdit => ({
    ...{ ...place, kind: 'value', file: FILE, path: ['web_search', key], before: from, after: 12 },
  });
  const blamed = (edit: TargetEdit, failedMs: number) => {
    const failed = latencies([failedMs, 1440]);
    const ill = { ...BEGUN, errorCode: '495', failedLatency: failed };
    const [failure] = mergeAlike([group(ill)]);
    return regression.explain(failure!, {
      ...{ window: WINDOW, all: [failure!], commit: COMMIT, commits: [], edits: [edit] },
      ...{ settings: settingsOf(FILE, text), failureShare: 0.02 },
    }).length;
  };
  expect(blamed(moved('wait_s', 14), 30)).toBe(0);
  expect(blamed(moved('wait_s', 10), 30)).toBe(0);
  // It cuts off where it is now.
  expect(blamed(moved('wait_s', 14), 12_100)).toBe(1);
  expect(blamed(moved('wait_s', 14), 8000)).toBe(0);
  // A pause between tries, and what may be no time at all, may do it.
  expect(blamed(moved('retry_delay_s', 14), 30)).toBe(1);
  expect(blamed(moved('hold', 14), 30)).toBe(1);
});

test('where a limit became shorter, what changed a limit is blamed and not what changed beside it', () => {
  const blamed = (beforeMs: number, sinceMs: number, edits: readonly TargetEdit[]) => {
    const timed = history().map((bin) => ({
      ...bin,
      timedMs: 2 * (bin.bad === 0 ? beforeMs : sinceMs),
    }));
    const text = 'name: researcher\nweb_search: { wait_s: 5 }\n';
    const words = new Map([[FILE, wordsOfFile(text)]]);
    const all = mergeAlike([
      group({ ...BEGUN, history: timed, failedLatency: latencies([810, 1440]) }),
    ]);
    const settings = Object.entries(files).flatMap(([file, said]) => settingsOf(file, said));
    const evidence = { window: WINDOW, all, settings, commit: COMMIT, commits: [], words };
    return regression
      .explain(all[0]!, { ...evidence, edits, failureShare: 0.02 })
      .map(({ subject }) => subject.kind);
  };
  const both = [{ ...renamed, lines: 1 }, swapped];
  expect(blamed(1500, 400, both)).toEqual(['rule']);
  // The tool became slower, or the limit is none.
  expect(blamed(500, 600, both)).toEqual(['rule', 'setting']);
  expect(blamed(1500, 1400, both)).toEqual(['rule', 'setting']);
  // A name may choose another limit, where nothing else did.
  expect(blamed(1500, 400, [swapped])).toEqual(['setting']);
});

test('what is cut off since the tool became slower for others is not blamed on what is this agent’s own', () => {
  const blamed = (times: number, edit: TargetEdit, busier = 1, failedMs: number | null = 810) => {
    const bins = history(2).map((bin) => {
      const isIll = bin.bad > 0;
      const toolCalls = bin.toolCalls * (isIll ? busier : 1);
      return { ...bin, toolCalls, othersTimed: 2, othersTimedMs: 400 * (isIll ? times : 1) };
    });
    const hourly = Array.from({ length: 48 }, (_, hour) => ({
      ...bins[0]!,
      atMs: WINDOW.fromMs - (48 - hour) * HOUR_MS,
      ...{ all: 240, toolCalls: 60 * bins[0]!.toolCalls, othersCalls: 120 },
    }));
    const failedLatency = failedMs === null ? null : latencies([failedMs, 1440]);
    return causes([edit], { history: [...hourly, ...bins], failedLatency }).length;
  };
  expect(blamed(1, swapped)).toBe(1);
  expect(blamed(2, swapped)).toBe(0);
  // The limit itself, where nothing cuts off, and where the tool is busier than ever.
  expect(blamed(2, lowered)).toBe(1);
  expect(blamed(2, swapped, 1, null)).toBe(1);
  expect(blamed(2, swapped, 3)).toBe(1);
});

test('what all agents use may be why all of them fail', () => {
  const shared = 'platform/limits.json';
  const at = { 'platform/limits.json': '{ "external": { "hold": 90 } }', [FILE]: 'uses: limits\n' };
  const all = mergeAlike([group(UNTIMED), group({ ...UNTIMED, agent: 'writer' })]);
  const edit: TargetEdit = {
    ...{ ...place, kind: 'value', file: shared, path: ['external', 'hold'] },
    ...{ before: '90s', after: 90 },
  };
  const evidence = {
    ...{ window: WINDOW, all, commit: COMMIT, commits: [], edits: [edit], failureShare: 0.02 },
    settings: Object.entries(at).flatMap(([file, text]) => settingsOf(file, text)),
    words: new Map(Object.entries(at).map(([file, text]) => [file, wordsOfFile(text)])),
  };
  const [cause] = regression.explain(all[0]!, evidence);
  expect(cause!.subject).toMatchObject({ file: shared, value: 90, before: { value: '90s' } });
  const [unread] = regression.explain(all[0]!, { ...evidence, words: new Map() });
  expect(unread!.confidence).toBeLessThan(cause!.confidence - 0.2);
});

test('a value of one agent is not why others fail alike at other tools since the same minutes', () => {
  const at = (agent: string, tool: string, more: Partial<FailureGroup> = {}) =>
    group({ ...UNTIMED, agent, tool, errorCode: '503', ...more });
  const blamed = (...others: FailureGroup[]) => {
    const all = mergeAlike([at('researcher', 'web_search'), ...others]);
    const evidence = { window: WINDOW, all, commit: COMMIT, commits: [], edits: [lowered] };
    const text = 'name: researcher\nweb_search: { timeout_ms: 800 }\n';
    const settings = settingsOf(FILE, text);
    return regression.explain(all[0]!, { ...evidence, settings, failureShare: 0.02 }).length;
  };
  const [editor, writer] = [at('editor', 'maps'), at('writer', 'mail')];
  expect(blamed(editor)).toBe(1);
  expect(blamed(editor, writer)).toBe(0);
  const isOver = ({ atMs }: PlaceBin) => atMs > BEGAN_MS + 6 * HOUR_MS;
  const over = history().map((bin) => (isOver(bin) ? { ...bin, bad: 0 } : bin));
  expect(blamed(editor, at('writer', 'mail', { history: over }))).toBe(0);
  expect(blamed(editor, at('writer', 'mail', { errorCode: 'full' }))).toBe(1);
});

test('what another agent keeps to in a file of its name is no reason', () => {
  const at = (file: string) => {
    const edit: TargetEdit = {
      ...{ ...place, kind: 'value', file, path: ['RUN_HOLD_SECONDS'] },
      ...{ before: 1, after: 2 },
    };
    const all = mergeAlike([group(UNTIMED), group({ agent: 'writer', tool: 'fetch' })]);
    const settings = settingsOf(file, 'RUN_HOLD_SECONDS = 2\n');
    return regression.explain(all[0]!, {
      ...{ window: WINDOW, all, settings, commit: COMMIT, commits: [], edits: [edit] },
      failureShare: 0.02,
    });
  };
  expect(at('app/shared.py')).toHaveLength(1);
  expect(at('app/writer.py')).toEqual([]);
  expect(at('app/writer/limits.py')).toEqual([]);
});

test('a trouble that was there before the commit and grows by itself is not blamed on it', () => {
  const blamed = (shareAt: (minute: number) => number) => {
    const bins = history().map((bin, minute) => {
      const isOne = (minute * 7) % 10 < 10 * shareAt(minute);
      return { ...bin, bad: isOne ? 2 : 0 };
    });
    const { episode } = courseOf(bins, 0.02);
    return causes([{ ...swapped, atMs: episode!.fromMs - 0.5 * MINUTE_MS }], {
      ...{ history: bins, failedLatency: null, succeededLatency: null },
    });
  };
  // It grows for fifteen hours; the commit lies where the counts divide it.
  expect(blamed((minute) => (minute - 300) / 900)).toEqual([]);
  // A little of it was there, and much more came with the commit.
  expect(blamed((minute) => (minute < 400 ? 0 : minute < 720 ? 0.1 : 0.9))).toHaveLength(1);
});
