import { describe, expect, test } from 'vitest';
import type { Json } from '../../base/index.ts';
import type { RecentCall } from '../../facts/index.ts';
import { validate } from '../index.ts';
import type { ReplayCase } from '../types.ts';
import {
  dossierOf,
  drawn,
  makeTarget,
  portsOf,
  reportsOf,
  SETTINGS,
} from '../validate.test-support.ts';

const FILE = 'agents/researcher.yaml';
const settings = { ...SETTINGS, replay: 'recorded' as const };
const never = new AbortController().signal;

const file = (limit: string, more = '') =>
  `name: researcher\ntools:\n  web_search:\n    timeout_ms: ${limit}\n    results: 5\n${more}`;

const call = (latency: number, code: string | null = null, more: object = {}): Json => ({
  ...{ event_type: 'tool_call', agent: 'researcher', tool: 'web_search', latency_ms: latency },
  ...{ success: code === null, ...(code === null ? {} : { error_code: code }) },
  ...more,
});

/** Of 60 sessions 40 end, after 20 to 800 ms in turn; 20 are given up after 801 to 803. */
const usual = (at: number): readonly Json[] =>
  at % 3 === 0 ? [call(801 + (at % 3), 'TIMEOUT')] : [call(20 + ((at * 37) % 780))];

/** Calls of somebody who waits longer. */
const others = (n: number, tookMs: (at: number) => number, failedWith: string | null = null) =>
  Array.from({ length: n }, (_, at): RecentCall => {
    const startMs = at * 10_000;
    return {
      agent: 'editor',
      tool: 'web_search',
      startMs,
      endMs: startMs + tookMs(at),
      failedWith,
    };
  });

interface Played {
  readonly before?: string;
  readonly after?: string;
  readonly events?: (at: number) => readonly Json[];
  readonly longer?: readonly RecentCall[];
}

async function played({
  before = file('800'),
  after = file('1500'),
  events = usual,
  longer = [],
}: Played) {
  const target = await makeTarget({ [FILE]: before }, { [FILE]: after });
  const cases = Array.from(
    { length: 60 },
    (_, at): ReplayCase => ({
      id: `s-${at}`,
      agent: 'researcher',
      task: null,
      events: events(at),
      cut: false,
    }),
  );
  const failed = new Set(
    cases
      .filter((one) => (one.events.at(-1) as { success: boolean }).success === false)
      .map(({ id }) => id),
  );
  const ports = portsOf(target, {
    settings,
    sessions: async () =>
      drawn(
        cases.map(({ id }) => id),
        { failed: (id) => failed.has(id) },
      ),
    cases: async (_, ids) => ids.map((id) => cases.find((one) => one.id === id)!),
    calls: async () => longer,
  });
  const step = await validate(dossierOf(target), ports, never);
  const { parts, reports } = reportsOf(step).json;
  const report = reports.find((one) => one.mode === 'replay');
  return { to: step.to, unjudged: report?.unjudged ?? report?.found?.unjudged, ...parts[3] };
}

describe('VAL-3 the ready replay', () => {
  test('cannot know how calls end that everybody gave up, and says so', async () => {
    const { to, outcome, reasons, counts } = await played({});
    expect([to, outcome, counts.unknownFailed, counts.better]).toEqual([
      ...['inconclusive', 'inconclusive'],
      ...[20, 0],
    ]);
    expect(reasons[0]).toMatch(/^The replay cannot judge this change: of 20 sessions that fail/);
    expect(reasons.at(-1)).toBe(
      'Of 20 calls that were given up when they were recorded, 0 end here as calls of the same tool that were waited for longer, and of 20 no end is known.',
    );
  });

  test('answers from calls of the same tool that were waited for longer', async () => {
    const helps = await played({ longer: others(40, (at) => 900 + at * 10) });
    expect([helps.outcome, helps.counts.better, helps.counts.worse]).toEqual(['passed', 20, 0]);
    // Those that lasted longer lasted too long for this limit as well.
    const hopeless = await played({ longer: others(40, () => 60_000) });
    expect([hopeless.outcome, hopeless.counts.better]).toEqual(['inconclusive', 0]);
    expect(hopeless.reasons[0]).toContain('none of the 20 that fail is mended');
    const few = await played({ longer: others(SETTINGS.minSessions - 1, () => 900) });
    expect(few.counts.unknownFailed).toBe(20);
    const failedToo = await played({ longer: others(40, () => 900, 'BUSY') });
    expect(failedToo.counts.unknownFailed).toBe(20);
  });

  test('says the same each time', async () => {
    const longer = others(40, (at) => (at % 2 === 0 ? 900 : 5000));
    const [one, again] = [await played({ longer }), await played({ longer })];
    expect(again).toEqual(one);
    expect(one.counts.better).toBeGreaterThan(3);
    expect(one.counts.better).toBeLessThan(17);
  });

  test('fails a limit that calls which worked do not keep to', async () => {
    const { outcome, counts, reasons } = await played({ after: file('400') });
    expect(outcome).toBe('failed');
    expect(counts.worse).toBeGreaterThan(10);
    expect(reasons.at(-1)).toContain(`${counts.worse} that ended are given up now`);
    // With tries, the next one is not recorded: nothing says that it fails too.
    const tried = await played({
      after: file('400'),
      events: (at) =>
        at % 3 === 0
          ? [call(801, 'TIMEOUT'), call(802, 'TIMEOUT', { attempt: 2 })]
          : [call(20 + ((at * 37) % 780))],
    });
    expect([tried.outcome, tried.counts.worse]).toEqual(['inconclusive', 0]);
  });

  test('does not say how calls end that failed for another reason', async () => {
    const busy = (at: number) => (at % 3 === 0 && at % 2 === 0 ? [call(3, 'BUSY')] : usual(at));
    const { outcome, counts, reasons } = await played({ events: busy });
    expect([outcome, counts.unknownFailed]).toEqual(['inconclusive', 20]);
    expect(reasons.at(-1)).toContain('of 10 that failed in another way no end is known');
  });

  test('is not reproduced where tasks failed although their calls worked', async () => {
    const failing = (at: number): readonly Json[] => [
      call(at % 3 === 0 ? 801 : 100, at % 3 === 0 ? 'TIMEOUT' : null),
      call(90),
      ...(at % 2 === 0
        ? [{ event_type: 'task_failure', task: 't', error_category: 'x', success: false }]
        : []),
    ];
    const { outcome, reasons, reproduced } = await played({ events: failing });
    expect([outcome, reproduced]).toMatchObject([
      'inconclusive',
      { failedLive: 30, failedAgain: 10 },
    ]);
    expect(reasons[0]).toContain('20 work when they are replayed on the base');
  });

  test.each([
    ['seconds without a word for it', file('0.8'), file('1.5')],
    ['a unit of its own', file('800ms'), file('1.5s')],
    [
      'a part beside it that names the agent and has no limit of its own',
      'bot: { name: researcher }\ntools: { web_search: { timeout: 800 } }\n',
      'bot: { name: researcher }\ntools: { web_search: { timeout: 1500 } }\n',
    ],
    ['a place that names nobody', 'limits: { wait: 800 }\n', 'limits: { wait: 1500 }\n'],
  ])('finds the limit by what was recorded: %s', async (_, before, after) => {
    const { counts } = await played({ before, after, longer: others(40, () => 900) });
    expect(counts.better).toBe(20);
  });

  test('takes no value for a limit at which calls fail while others last longer', async () => {
    // Every third call fails after 310 ms; the others take up to 800.
    const failing = (at: number) =>
      at % 3 === 0 ? [call(310, 'REFUSED')] : [call(20 + ((at * 37) % 780))];
    const { outcome, reasons } = await played({
      ...{ before: file('300'), after: file('900'), events: failing },
      longer: others(40, () => 600),
    });
    expect(outcome).toBe('inconclusive');
    expect(reasons[0]).toContain('nothing recorded shows that tools.web_search.timeout_ms');
  });

  test.each([
    ['another value', file('800'), file('800').replace('results: 5', 'results: 50')],
    ['a limit that no call ran into', file('5000'), file('9000')],
    ['a limit that calls outlast', file('300'), file('900')],
    ['a word', file('800', 'mode: fast\n'), file('800', 'mode: slow\n')],
    ['a text beside it', file('800'), file('1500', '# and so on\n')],
    ['a key beside it', file('800'), file('1500', 'more: 1\n')],
    [
      'another tool’s limit',
      file('800', '  mail:\n    timeout_ms: 800\n'),
      file('800', '  mail:\n    timeout_ms: 900\n'),
    ],
    [
      'another tool’s limit, where this one’s lies deeper',
      'tools: { web_search: { limits: { timeout: 800 } }, mail: { timeout: 800 } }\n',
      'tools: { web_search: { limits: { timeout: 800 } }, mail: { timeout: 1500 } }\n',
    ],
    ['a unit that is no time', file('800B'), file('1500B')],
  ])('plays no other change: %s', async (_, before, after) => {
    const { outcome, reasons } = await played({ before, after, longer: others(40, () => 900) });
    expect(outcome).toBe('inconclusive');
    expect(reasons[0]).toContain('The ready replay cannot play this change: ');
  });
});
