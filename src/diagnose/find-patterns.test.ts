import { describe, expect, test } from 'vitest';
import type { FailingEvent, FailureGroup } from '../facts/index.ts';
import { patternSchema } from '../facts/schemas.ts';
import {
  COMMIT,
  examples,
  group,
  HOUR_MS,
  LIMITS,
  latencies,
  overTheDay,
  RESEARCHER,
  settingsOf,
  WINDOW,
} from './failures.test-support.ts';
import { findPatterns, type PatternsInput } from './find-patterns.ts';
import type { Setting } from './index.ts';

const UNKNOWN = { kind: 'unknown' };
const SERVICE = { kind: 'service', name: 'web_search' };
const SETTINGS = settingsOf('agents/researcher.yaml', RESEARCHER);

function run(groups: readonly FailureGroup[], more: Partial<PatternsInput> = {}) {
  const found = findPatterns({
    window: WINDOW,
    groups,
    settings: SETTINGS,
    commit: COMMIT,
    commits: [],
    limits: LIMITS,
    known: [],
    ...more,
  });
  for (const pattern of found.patterns) patternSchema.parse(pattern);
  return found;
}

const only = (changes: Partial<FailureGroup> = {}, settings: readonly Setting[] = SETTINGS) =>
  run([group(changes)], { settings }).patterns[0]!;

test('a failure of few calls is over with the outage that it began with', () => {
  const record = (calls: number, bad: number) =>
    Array.from({ length: 72 }, (_, hour) => {
      const isDown = hour >= 66 && hour < 70;
      return {
        ...{ atMs: WINDOW.toMs - (72 - hour) * HOUR_MS, bad: isDown ? bad : 0, all: calls },
        ...{ timed: 0, timedMs: 0, toolCalls: calls, othersCalls: 0, othersFailed: 0 },
      };
    });
  const slow = group({ failures: 8, calls: 72, history: record(3, 2) });
  const refused = group({ agent: 'auditor', errorCode: '503', history: record(200, 150) });
  const endOf = (...groups: FailureGroup[]) =>
    run(groups).patterns.find(({ agent }) => agent === 'researcher')?.whyNow?.endedAtMs;
  expect(endOf(slow)).toBeNull();
  expect(endOf(slow, refused)).toBe(WINDOW.toMs - 2 * HOUR_MS);
});

describe('how many there were since the blamed value is what it is', () => {
  /** Two days before the window and the day itself, ten failures an hour. */
  const history = Array.from({ length: 72 }, (_, hour) => ({
    ...{ atMs: WINDOW.toMs - (72 - hour) * HOUR_MS, bad: 10, all: 100 },
    ...{ timed: 0, timedMs: 0, toolCalls: 100, othersCalls: 0, othersFailed: 0 },
  }));
  const gathered = (more: Partial<PatternsInput> = {}, changes: Partial<FailureGroup> = {}) =>
    run([group({ failures: 240, calls: 2400, history, ...changes })], more).patterns[0]!.gathered;
  const commit = (hours: number, path: string) => ({
    ...{ id: 'd'.repeat(40), title: 'Tidy up', paths: [path] },
    atMs: WINDOW.toMs - hours * HOUR_MS,
  });

  test('counts the record, from the last commit to its file on', () => {
    expect(gathered()).toBe(720);
    expect(gathered({ commits: [commit(60, 'agents/researcher.yaml')] })).toBe(600);
    expect(gathered({ commits: [commit(60, 'agents/writer.yaml')] })).toBe(720);
  });

  test('says nothing where the window has as many, or nothing is blamed', () => {
    expect(gathered({ commits: [commit(20, 'agents/researcher.yaml')] })).toBeUndefined();
    expect(gathered({ settings: [] })).toBeUndefined();
  });

  test('leaves out what was before it began', () => {
    const began = history.map((bin, hour) => ({ ...bin, bad: hour < 30 ? 0 : 10 }));
    expect(gathered({}, { history: began })).toBe(420);
  });
});

describe('what is a pattern', () => {
  test('DIAG-2 three failures in the window and no fewer are one, scored by occurrences × impact ÷ noise', () => {
    const few = (failures: number) =>
      run([group({ failures, calls: 4, sessions: failures, examples: [] })]);
    expect(few(2).patterns).toEqual([]);
    expect(few(2).passedOver[0]!.why).toContain('2');
    expect(few(3).patterns).toHaveLength(1);
    // All day long, in every session: 412 × (412 ÷ 4320) × 1 ÷ 1.
    const spread = only({ sessions: 412 });
    expect(spread).toMatchObject({ noise: 1, impact: 412 / 4320 });
    expect(spread.score).toBeCloseTo((412 * 412) / 4320);
    // One session: half the impact. One burst: ten times the noise.
    expect(only({ sessions: 0 }).score).toBeCloseTo(spread.score / 2);
    const burst = { firstAtMs: WINDOW.fromMs, lastAtMs: WINDOW.fromMs + 1, sessions: 412 };
    const sudden = only({ ...burst, examples: examples('timed out', [WINDOW.fromMs]) });
    expect(sudden).toMatchObject({ noise: 10 });
    expect(sudden.score).toBeCloseTo(spread.score / 10);
    for (const { score, occurrences, impact, noise } of [spread, sudden])
      expect(score).toBeCloseTo((occurrences * impact) / noise);
  });

  test('DIAG-7 a new pattern that is a known one renamed is recognised, others are not', () => {
    const { id, ...known } = only();
    const renamed = {
      ...{ agent: 'librarian', tool: 'catalogue_lookup', errorCode: 'TIMEOUT' },
      ...{ template: 'catalogue_lookup timed out after <*> ms', examples: [] },
    };
    const at = (changes: Partial<FailureGroup>, among = [{ id, ...known }]) =>
      run([group({ ...renamed, ...changes })], { known: among }).patterns[0]!;
    const found = at({});
    expect(found.like).toMatchObject({ id });
    expect(found.like!.similarity).toBeGreaterThanOrEqual(0.8);
    expect(found.reasons.join(' ')).toContain(`It is like a known pattern, ${id}`);
    expect(at({}, []).like).toBeUndefined();
    // Another kind of failure, and another failure of no known kind.
    const limit = { errorCode: 'http_429', template: 'too many requests, slow down' };
    expect(at(limit).like).toBeUndefined();
    const parser = { errorCode: 'E1', template: 'the parser found no closing bracket' };
    const other = {
      ...known,
      kind: 'other',
      errorCode: 'E2',
      template: 'the disk is full',
    } as const;
    expect(at(parser, [{ ...other, id }]).like).toBeUndefined();
    // Found again, it is itself.
    expect(run([group()], { known: [{ id, ...known }] }).patterns[0]!.like).toBeUndefined();
  });

  test('PROP-4 over more than a day, the most in any 24 hours is counted', () => {
    const window = { fromMs: WINDOW.toMs - 7 * 24 * HOUR_MS, toMs: WINDOW.toMs };
    const history = [160, 159, 138, 80, 75, 70, 65, 10].map((ago) => ({
      ...{ atMs: WINDOW.toMs - ago * HOUR_MS, bad: 1, all: 2, toolCalls: 2 },
      ...{ othersCalls: 0, othersFailed: 0, timed: 1, timedMs: 200 },
    }));
    const week = group({ failures: 8, calls: 16, sessions: 8, history });
    expect(run([week], { window }).patterns[0]).toMatchObject({ occurrences: 8, mostInDay: 4 });
    expect(run([week]).patterns[0]!.mostInDay).toBeUndefined();
  });

  test('a task that fails because a call did is not another pattern', () => {
    const task = { tool: '', failures: 400, calls: 420, template: 'timeout failed' };
    const both = run([group(task), group()]);
    expect(both.patterns.map(({ tool }) => tool)).toEqual(['web_search']);
    expect(both.passedOver.map(({ why }) => why)).toEqual([
      'it follows from another: web_search of researcher times out (412 of 4 320 calls)',
    ]);
    // Too few failed calls to account for it, another agent, another kind: it stands for itself.
    for (const calls of [
      group({ failures: 300 }),
      group({ agent: 'librarian' }),
      group({ errorCode: 'http_429', template: 'too many requests', examples: [] }),
    ])
      expect(run([group(task), calls]).patterns.map(({ tool }) => tool)).toContain('');
  });

  test('what people correct is a pattern, unless as much fails as they correct', () => {
    const corrected = group({
      ...{ event: 'user_correction', tool: '', errorCode: 'rephrase', template: '', examples: [] },
      ...{ failures: 300, failedLatency: null, succeededLatency: null },
    });
    expect(run([corrected]).patterns).toMatchObject([
      { title: 'researcher is corrected by people: rephrase (300 of 4 320 sessions)' },
    ]);
    const both = run([corrected, group()]);
    expect(both.patterns.map(({ event }) => event ?? 'tool_call')).toEqual(['tool_call']);
    expect(both.passedOver[0]!.why).toMatch(/^it follows from another: web_search/);
    expect(run([corrected, group({ agent: 'librarian' })]).patterns).toHaveLength(2);
  });

  test('spans, tests and lines of logs are patterns of their own, with titles that read well', () => {
    const plain = { errorCode: '', template: 'expected 1 but got 2', examples: [], sessions: 12 };
    const test_ = group({
      ...{
        ...plain,
        event: 'test_result',
        agent: 'checkout',
        tool: 'pays',
        failures: 12,
        calls: 40,
      },
    });
    const span = group({
      ...{ ...plain, event: 'trace_span', tool: 'chat', failures: 30, calls: 90, errorCode: 'E_1' },
    });
    const line = group({
      ...{ ...plain, event: 'log_line', agent: '', tool: 'db', failures: 20, calls: 20 },
      template: 'no answer from <*>',
    });
    const { patterns } = run([test_, span, line]);
    expect(patterns.map(({ title, event }) => ({ title, event }))).toEqual([
      { title: 'chat of researcher fails with E_1 (30 of 90 spans)', event: 'trace_span' },
      { title: 'test checkout > pays fails (12 of 40 runs)', event: 'test_result' },
      { title: 'db logs "no answer from …" (20 of 20 lines)', event: 'log_line' },
    ]);
    // Lines of a log that only has errors are not the worst that happens.
    expect(patterns[2]).toMatchObject({ severity: 'high', subject: UNKNOWN });
    expect(run([group({ ...test_, calls: 5000 })]).passedOver).toMatchObject([
      { why: '12 of 5 000 runs, 0.2 %: below 2 %' },
    ]);
  });

  test('a span or a line that only shows a failed call is not another pattern, a test is', () => {
    const shown = (event: FailingEvent, more: Partial<FailureGroup> = {}) =>
      group({ event, failures: 400, calls: 4000, ...more });
    const both = run([
      group(),
      shown('trace_span', { tool: 'step' }),
      shown('log_line', { tool: 'tools', errorCode: '' }),
      shown('test_result', { tool: 'finds' }),
    ]);
    expect(both.patterns.map(({ tool }) => tool).sort()).toEqual(['finds', 'web_search']);
    expect(both.passedOver).toHaveLength(2);
    const other = { errorCode: '', template: 'it broke', examples: [] };
    const alone = run([group(other), shown('log_line', { ...other, template: 'another thing' })]);
    expect(alone.patterns).toHaveLength(2);
    expect(run([group(other), shown('log_line', other)]).patterns).toHaveLength(1);
  });

  test('a setting is blamed for calls and tasks, not for what a test or a log says', () => {
    expect(only().subject.kind).toBe('setting');
    for (const event of ['trace_span', 'test_result', 'log_line'] as const)
      expect(only({ event }).subject.kind).not.toBe('setting');
  });

  test('a span and a call of one name at one agent have ids of their own', () => {
    const ids = (['tool_call', 'trace_span', 'log_line'] as const).map(
      (event) => only({ event }).id,
    );
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe(only().id);
  });

  test('the whole of one: numbers, place, evidence that leads to events', () => {
    const found = run([group()]);
    expect(found.patterns).toMatchObject([
      {
        id: expect.stringMatching(/^pat_[0-9a-f]{20}$/),
        title: 'web_search of researcher times out (412 of 4 320 calls)',
        kind: 'timeout',
        occurrences: 412,
        severity: 'medium',
        layer: 'settings',
        evidence: Array.from({ length: 20 }, (_, at) => `event:e${at}`),
        subject: {
          kind: 'setting',
          file: 'agents/researcher.yaml',
          line: 4,
          path: ['tools', 'web_search', 'timeout_ms'],
          value: 800,
          unit: 'ms',
          commit: COMMIT,
        },
      },
    ]);
    expect(found.patterns[0]!.reasons[0]).toBe(
      'tools.web_search.timeout_ms (agents/researcher.yaml:4) is 800 ms, and 20 of 20 messages name that number.',
    );
  });

  test('a healthy system is left alone, with the plain reason', () => {
    const rare = group({ failures: 12, calls: 8640 });
    const unsure = group({ agent: 'b', failures: 3, calls: 100 });
    const two = group({ agent: 'c', failures: 2, calls: 2 });
    const { patterns, passedOver } = run([rare, unsure, two]);
    expect(patterns).toEqual([]);
    expect(passedOver.map(({ why }) => why)).toEqual([
      '12 of 8 640 calls, 0.1 %: below 2 %',
      '3 of 100 calls, 3 %: too few calls to be sure that it is above 2 %',
      '2 of 2 calls: fewer than 3 failures',
    ]);
  });

  test.each([
    [0.5, 'critical'],
    [0.2, 'high'],
    [0.05, 'medium'],
    [0.04, 'low'],
  ])('a share of %d is %s', (share, severity) => {
    expect(only({ failures: share * 10_000, calls: 10_000 }).severity).toBe(severity);
  });

  test('counts that contradict each other do not break it', () => {
    expect(only({ failures: 50, calls: 0 })).toMatchObject({ calls: 50, severity: 'critical' });
  });
});

describe('score', () => {
  test('is occurrences × impact ÷ noise', () => {
    const { score, impact, noise, occurrences } = only({ sessions: 206 });
    expect(impact).toBeCloseTo(((412 / 4320) * (1 + 0.5)) / 2);
    expect(noise).toBe(1);
    expect(score).toBeCloseTo((occurrences * impact) / noise);
  });

  test('one burst is noisier than the same failures all day long, and comes later', () => {
    const times = Array.from({ length: 20 }, (_, at) => WINDOW.fromMs + HOUR_MS + at * 1000);
    const burst = group({
      agent: 'b',
      firstAtMs: times[0]!,
      lastAtMs: times.at(-1)!,
      examples: examples('timed out', times),
    });
    const { patterns } = run([burst, group()]);
    expect(patterns.map(({ agent, noise }) => [agent, noise])).toEqual([
      ['researcher', 1],
      ['b', 10],
    ]);
  });

  test('many sessions count more than one', () => {
    expect(only({ sessions: 412 }).impact).toBeGreaterThan(1.9 * only({ sessions: 1 }).impact);
  });
});

describe('identity', () => {
  const uncoded = (template: string, more: Partial<FailureGroup> = {}) =>
    group({ errorCode: '', template, examples: [], ...more });

  test('the next cycle gives the same id, whatever the counts and however the template is worded', () => {
    const { id } = only();
    expect(only({ failures: 999, template: '<*> timed out after <*>' }).id).toBe(id);
    expect(only({ agent: 'writer' }).id).not.toBe(id);
    expect(only({ tool: 'fetch' }).id).not.toBe(id);
    expect(only({ errorCode: 'HTTP_429' }).id).not.toBe(id);
  });

  test('without a code the kind is enough; where it is none, a known template that fits gives its id', () => {
    const timeout = (template: string) => run([uncoded(template)]).patterns[0]!.id;
    expect(timeout('search for alice timed out')).toBe(timeout('search for <*> timed out'));
    const first = run([uncoded('cannot parse the answer for alice')]).patterns[0]!;
    const general = uncoded('cannot parse the answer for <*>');
    expect(run([general]).patterns[0]!.id).not.toBe(first.id);
    expect(run([general], { known: [first] }).patterns[0]!.id).toBe(first.id);
    const other = uncoded('disk is full');
    const vague = uncoded('<*> <*> <*> <*> <*> <*>');
    for (const one of [other, vague])
      expect(run([one], { known: [first] }).patterns[0]!.id).not.toBe(first.id);
  });

  test('a code that every failure could have is none', () => {
    const ids = ['cannot parse', 'disk is full'].map(
      (template) => run([uncoded(template, { errorCode: 'Error' })]).patterns[0]!.id,
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('groups of one failure become one pattern, counted once', () => {
    const a = group({
      failures: 300,
      sessions: 200,
      examples: examples('timed out', overTheDay(15)).map((one) => ({ ...one, id: `a${one.id}` })),
    });
    const b = group({ failures: 100, sessions: 150, template: 'x', firstAtMs: WINDOW.fromMs });
    const [pattern, ...rest] = run([a, b]).patterns;
    expect(rest).toEqual([]);
    expect(pattern).toMatchObject({
      occurrences: 400,
      calls: 4320,
      sessions: 200,
      firstAtMs: WINDOW.fromMs,
      template: a.template,
    });
    expect(pattern!.evidence).toHaveLength(20);
    expect(pattern!.failedLatency!.count).toBe(824);
  });

  test('the same input gives the same diagnosis', () => {
    const groups = [group(), group({ agent: 'b' }), group({ agent: 'c' })];
    expect(run(groups)).toEqual(run(groups));
    expect(run([...groups].reverse()).patterns.map(({ id }) => id)).toEqual(
      run(groups).patterns.map(({ id }) => id),
    );
  });
});

describe('layers', () => {
  const message = (text: string) => ({ examples: examples(text, overTheDay(20)) });

  test('all seven are asked, and those without evidence are named', () => {
    expect(only().reasons.at(-1)).toBe(
      'There is no evidence for output, behavior, workflow, skill, tool, environment.',
    );
  });

  test('without any evidence it says so, hardly sure', () => {
    const said = { errorCode: 'E42', template: 'no', ...message('no') };
    const pattern = only({ ...said, failedLatency: null });
    expect(pattern).toMatchObject({ layer: 'behavior', confidence: 0.1, subject: UNKNOWN });
    expect(pattern.reasons[0]).toContain('Nothing shows');
  });

  test('messages of the network: the environment', () => {
    const pattern = only({ errorCode: '', ...message('connect ECONNREFUSED 10.0.0.1:443') }, []);
    expect(pattern).toMatchObject({ layer: 'environment', subject: SERVICE });
    expect(pattern.confidence).toBeGreaterThan(0.6);
  });

  test('several tools in the same minutes: the environment', () => {
    const times = [0, 1, 2, 3].map((at) => WINDOW.fromMs + 5 * HOUR_MS + at * 60_000);
    const burst = (tool: string) => group({ tool, examples: examples('timed out', times) });
    const { patterns } = run([burst('web_search'), burst('fetch')], { settings: [] });
    expect(patterns).toMatchObject([{ layer: 'environment' }, { layer: 'environment' }]);
  });

  test('an outage that is over is not blamed on a timeout with confidence; one that goes on is', () => {
    const hour = (from: number) =>
      Array.from({ length: 20 }, (_, at) => WINDOW.fromMs + from * HOUR_MS + at * 180_000);
    const during = (from: number) => {
      const times = [WINDOW.fromMs, ...hour(from).slice(0, 18), WINDOW.toMs - 1];
      return only({ examples: examples('timed out after 800 ms', times) });
    };
    const over = during(10);
    expect(over).toMatchObject({ layer: 'environment', subject: SERVICE });
    expect(over.reasons.join(' ')).toMatch(
      /80 % of the failures or more fell within 45 minutes, which ended at 2026-01-02T10:4/,
    );
    for (const goesOn of [during(23), only()]) {
      expect(goesOn.layer).toBe('settings');
      expect(goesOn.confidence).toBeGreaterThan(0.6);
    }
  });

  test('tools that meet no more often than by chance have nothing to do with each other', () => {
    const window = { fromMs: WINDOW.fromMs, toMs: WINDOW.fromMs + HOUR_MS / 2 };
    const from = (minute: number) =>
      Array.from({ length: 20 }, (_, at) => WINDOW.fromMs + (minute + at) * 60_000);
    const groups = [
      group({ examples: examples('timed out', from(0)) }),
      group({ tool: 'fetch', examples: examples('timed out', from(5)) }),
    ];
    const { patterns } = run(groups, { window, settings: [] });
    expect(patterns.map(({ layer }) => layer)).toEqual(['behavior', 'behavior']);
  });

  test('settings that explain it equally well are tried in turn; too many are none', () => {
    const text = 'web_search: { timeout_ms: 800, connect_timeout_ms: 800 }\n';
    const pattern = only({}, settingsOf('agents/researcher.yaml', text));
    expect(pattern).toMatchObject({
      layer: 'settings',
      subject: { path: ['web_search', 'timeout_ms'] },
      alternatives: [{ path: ['web_search', 'connect_timeout_ms'] }],
    });
    expect(pattern.reasons[0]).toBe(
      '2 settings explain it equally well: web_search.timeout_ms (agents/researcher.yaml:1), web_search.connect_timeout_ms (agents/researcher.yaml:1). They are tried in this order.',
    );
    const many = ['a', 'b', 'c', 'd', 'e'].map((key) => `${key}_timeout_ms: 800`).join(', ');
    const none = only({}, settingsOf('agents/researcher.yaml', `web_search: { ${many} }\n`));
    expect(none).toMatchObject({ layer: 'settings', subject: UNKNOWN });
    expect(none.alternatives).toBeUndefined();
    expect(none.confidence).toBeLessThan(pattern.confidence);
    expect(pattern.confidence).toBeLessThan(0.95);
    expect(none.reasons[0]).toContain('5 settings explain it equally well, so none is blamed');
  });

  test('one tool for several agents: the tool', () => {
    const quiet = { failedLatency: null, ...message('timed out') };
    const { patterns } = run([group(quiet), group({ agent: 'writer', ...quiet })]);
    expect(patterns[0]).toMatchObject({ layer: 'tool', subject: SERVICE });
    expect(patterns[0]!.reasons[0]).toBe(
      'web_search fails in the same way for 2 agents: researcher, writer.',
    );
  });

  test('what speaks for another layer lowers the confidence', () => {
    const alone = only();
    // Tools that fail in the same minutes look like an outage.
    const both = run([group(), group({ tool: 'fetch_page' })]).patterns;
    const withOther = both.find(({ tool }) => tool === 'web_search');
    const settings = withOther!.considered!.find(({ layer }) => layer === 'settings');
    expect(settings!.confidence).toBeLessThan(alone.confidence);
    expect(withOther!.reasons.join(' ')).toContain('It could also be the');
  });

  test('answers in a bad form and wrong calls are named with little confidence', () => {
    const output = only({
      failedLatency: null,
      errorCode: '',
      template: 'Unexpected token',
      ...message('Invalid JSON: Unexpected token'),
    });
    expect(output).toMatchObject({ layer: 'output', confidence: 0.4 });
    const wrong = only({
      failedLatency: null,
      errorCode: '',
      template: 'x',
      ...message('missing required argument: query'),
    });
    expect(wrong).toMatchObject({ layer: 'behavior', confidence: 0.35 });
  });

  test('DIAG-8 two patterns that blame one value are both kept, and say so', () => {
    const shared = settingsOf('tools/web_search.yaml', 'timeout_ms: 800\n');
    const { patterns } = run([group(), group({ agent: 'writer' })], { settings: shared });
    expect(patterns).toHaveLength(2);
    for (const { reasons, subject } of patterns) {
      expect(subject.kind).toBe('setting');
      expect(reasons.at(-1)).toContain('blamed for another pattern');
    }
  });
});

describe('hostile text', () => {
  test('does not reach titles and reasons, and nothing is too long', () => {
    const nasty = `\u001b[2J\u202e${'`|<b>'.repeat(40)}\n\ud800`;
    const { patterns, passedOver } = run(
      [
        group({
          agent: nasty,
          tool: nasty.slice(0, 200),
          errorCode: nasty.slice(0, 100),
          template: nasty,
        }),
        group({ agent: nasty, failures: 1 }),
      ],
      {
        settings: settingsOf(
          'agents/x.yaml',
          `${JSON.stringify(nasty.slice(0, 150))}: { timeout_ms: 800 }`,
        ),
      },
    );
    expect(patterns).toHaveLength(1);
    const shownTexts = [
      patterns[0]!.title,
      ...patterns[0]!.reasons,
      ...passedOver.map(({ title }) => title),
    ];
    for (const text of shownTexts) {
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(text.length).toBeLessThanOrEqual(1000);
    }
    expect(patterns[0]!.title.length).toBeLessThanOrEqual(200);
  });

  test('titles show addresses and brackets as they are written, and reasons escape them', () => {
    const line = { event: 'log_line', agent: 'db', tool: '', errorCode: '' } as const;
    const template = 'cannot reach postgres://db [pool <*>] "main"';
    const { patterns } = run([group({ ...line, template })]);
    expect(patterns[0]!.title).toContain(`"cannot reach postgres://db [pool …] 'main'"`);
    // Not in the same minutes, which would speak for trouble outside.
    const tools = ['mcp://a', 'mcp://b'].map((tool, at) =>
      group({ tool, examples: examples('timed out after 800 ms', overTheDay(20 + 3 * at)) }),
    );
    const shared = settingsOf('agents/researcher.yaml', 'name: researcher\ntimeout_ms: 800\n');
    const both = run(tools, { settings: shared }).patterns;
    expect(both.map(({ title }) => title.slice(0, 9)).sort()).toEqual(['"mcp://a"', '"mcp://b"']);
    const marks = both
      .flatMap(({ reasons }) => reasons)
      .filter((one) => one.includes('another pattern'));
    expect(marks).toHaveLength(2);
    for (const mark of marks) expect(mark).toContain('"mcp%3A//');
  });

  test('long messages of digits and dots take no time', () => {
    const text = `timed out ${'1,234.'.repeat(3000)} ${'9'.repeat(5000)} ms`;
    expect(
      only({ examples: examples(text, overTheDay(20)), failedLatency: latencies([805, 1]) }),
    ).toBeDefined();
  });
});
