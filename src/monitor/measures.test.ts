/** What is watched beside failures: each measure on a fleet of known hours, found where it is and nowhere else. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../base/index.ts';
import type { CallHours, SessionHours } from '../facts/index.ts';
import { lateHarm, notCompared } from './late-harm.ts';
import { type Fleet, type Measure, seriesOf } from './measures.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 16);
const LIMITS = { alpha: 0.05, allowed: 0.25, otherwise: 0.1, hours: 336 };
const CHANGE = {
  startedAtMs: START,
  footing: { agents: ['scout'], tools: ['search'], after: [] },
};

interface Hour {
  readonly calls?: number;
  readonly tookMs?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly rate?: number;
}

/** Two weeks before and `since` hours after; slower by half in the evening, and never twice the same. */
function place(
  agent: string,
  tool: string,
  { since = 24, at = () => ({}) }: { since?: number; at?: (hour: number) => Hour } = {},
): CallHours {
  const random = seededRandom(agent.length * 31 + tool.length);
  const hours = Array.from({ length: 336 + since }, (_, index) => {
    const hour = index - 336;
    const evening = ((hour % 24) + 24) % 24 >= 18 ? 1.5 : 1;
    const noise = 0.95 + 0.1 * random.next();
    const { calls = 60, tookMs = 800, tokens = 500, costUsd = 0.01, rate = 0 } = at(hour);
    const made = Math.round(calls * noise);
    const failed = Math.round(made * rate);
    return {
      atMs: START + hour * HOUR,
      calls: made,
      failed,
      timed: made,
      latencySumMs: made * tookMs * evening * noise,
      timedWell: made - failed,
      latencyWellMs: (made - failed) * tookMs * evening * noise,
      tokens: made * tokens * noise,
      costUsd: made * costUsd * noise,
    };
  });
  return { agent, tool, hours: hours.filter(({ calls }) => calls > 0) };
}

function sessions(
  agent: string,
  at: (hour: number) => { failed?: number; corrected?: number } = () => ({}),
): SessionHours {
  return {
    agent,
    hours: Array.from({ length: 336 + 24 }, (_, index) => {
      const { failed = 0, corrected = 0 } = at(index - 336);
      return { atMs: START + (index - 336) * HOUR, sessions: 20, failed, corrected };
    }),
  };
}

const OTHERS = [place('clerk', 'file'), place('porter', 'gate')];

function found(fleet: Fleet, change: Parameters<typeof seriesOf>[1] = CHANGE) {
  const all = seriesOf(fleet, change, LIMITS.otherwise);
  return lateHarm(all, LIMITS).map(({ series }) =>
    `${series.measure} ${series.agent} ${series.tool}`.trim(),
  );
}

const since = (hour: Hour) => (at: number) => (at >= 0 ? hour : {});

describe('MON-5 beside failures', () => {
  const cases: readonly (readonly [Measure, Hour])[] = [
    ['latency', { tookMs: 1600 }],
    ['cost', { costUsd: 0.03 }],
    ['tokens', { tokens: 900 }],
    ['more_calls', { calls: 120 }],
    ['fewer_calls', { calls: 25 }],
    ['silence', { calls: 0 }],
  ];
  test.each(cases)('%s is found where it is, and nothing else is', (measure, hour) => {
    const ill = place('scout', 'search', { at: since(hour) });
    const fleet = { calls: [ill, ...OTHERS], sessions: [sessions('scout'), sessions('clerk')] };
    expect(found(fleet)).toEqual([`${measure} scout search`]);
  });

  /** A measure that is so many times what it was. */
  const moved: readonly (readonly [Measure, (times: number) => Hour, number, number])[] = [
    ['latency', (times) => ({ tookMs: 800 * times }), 1.05, 1.25],
    ['cost', (times) => ({ costUsd: 0.01 * times }), 1.05, 1.25],
    ['tokens', (times) => ({ tokens: 500 * times }), 1.05, 1.25],
    ['more_calls', (times) => ({ calls: 60 * times }), 1.05, 1.25],
    ['fewer_calls', (times) => ({ calls: 60 * times }), 0.95, 0.8],
  ];
  test.each(moved)('MON-1 %s may move by less than a tenth', (measure, at, allowed, harm) => {
    const foundAt = (times: number) => {
      const calls = [place('scout', 'search', { at: since(at(times)) }), ...OTHERS];
      return found({ calls, sessions: [sessions('scout'), sessions('clerk')] });
    };
    expect(foundAt(allowed)).toEqual([]);
    expect(foundAt(harm)).toEqual([`${measure} scout search`]);
  });

  test.each(['tasks', 'corrections'] as const)(
    '%s of an agent are found without failed calls',
    (measure) => {
      const at = (hour: number) => ({
        [measure === 'tasks' ? 'failed' : 'corrected']: hour >= 0 ? 6 : 1,
      });
      const fleet = {
        calls: [place('scout', 'search'), ...OTHERS],
        sessions: [sessions('scout', at)],
      };
      expect(found(fleet)).toEqual([`${measure} scout`]);
    },
  );

  test('a fleet that goes on as before gives no alarm, though its evenings are slow', () => {
    const fleet = { calls: [place('scout', 'search'), ...OTHERS], sessions: [sessions('scout')] };
    expect(found(fleet)).toEqual([]);
  });

  test('what fails is judged by its failures alone', () => {
    const ill = place('scout', 'search', { at: since({ rate: 0.8, tookMs: 4000, calls: 20 }) });
    const failing = (hour: number) => ({ failed: hour >= 0 ? 16 : 0 });
    const fleet = { calls: [ill, ...OTHERS], sessions: [sessions('scout', failing)] };
    expect(found(fleet)).toEqual(['failures scout search']);
  });

  test('a measure that is always zero says nothing, nor does one that was never zero before', () => {
    const calls = [place('scout', 'search', { at: () => ({ costUsd: 0, tokens: 0 }) }), ...OTHERS];
    const measures = seriesOf({ calls, sessions: [] }, CHANGE, 0.1)
      .filter(({ agent }) => agent === 'scout')
      .map(({ measure }) => measure);
    expect(measures).toEqual(['failures', 'latency', 'silence']);
  });

  test('a gap in all telemetry is no silence, and neither is another name for the same agent', () => {
    const gone = since({ calls: 0 });
    const all = ['scout', 'clerk', 'porter'].map((agent) => place(agent, 'search', { at: gone }));
    expect(found({ calls: all, sessions: [] })).toEqual([]);
    const renamed = place('scout-2', 'search', { at: (hour) => (hour < 0 ? { calls: 0 } : {}) });
    const calls = [place('scout', 'search', { at: gone }), renamed, ...OTHERS];
    expect(found({ calls, sessions: [] })).toEqual([]);
    expect(notCompared(seriesOf({ calls, sessions: [] }, CHANGE, 0.1))).toMatchObject([
      { agent: 'scout-2', tool: 'search' },
    ]);
  });
});

describe('what is expected of a change', () => {
  test.each(['tasks', 'corrections'] as const)('%s of the hours in which it settles', (measure) => {
    const ill = (hour: number) => (hour >= 0 && hour < 5 ? { failed: 15, corrected: 15 } : {});
    const calls = [place('scout', 'search'), ...OTHERS];
    const fleet = { calls, sessions: [sessions('scout', ill)] };
    const signs = { failures: 'less', latency: 'less', calls: 'less' } as const;
    const settling = { untilMs: START + 5 * HOUR, tasks: 6 };
    const lengthOf = (change: Parameters<typeof seriesOf>[1]) =>
      seriesOf(fleet, change, 0.1).find((one) => one.measure === measure)!.since.length;
    expect(lengthOf(CHANGE) - lengthOf({ ...CHANGE, expected: { signs, settling } })).toBe(5);
  });

  const longer = { failures: 'less', latency: 'more', latencyTimes: 2, calls: 'same' } as const;
  const slower = (tookMs: number) => ({
    calls: [place('scout', 'search', { at: since({ tookMs }) }), ...OTHERS],
    sessions: [],
  });

  test('longer calls after a longer limit are no harm, up to what the limit allows', () => {
    const change = { ...CHANGE, expected: { signs: longer } };
    expect(found(slower(1500), change)).toEqual([]);
    expect(found(slower(4000), change)).toEqual(['latency scout search']);
  });

  test('calls that were cut off may take as long as the new limit, many times what the others take', () => {
    const change = { ...CHANGE, expected: { signs: longer } };
    // A sixth was cut off after five seconds; the others took less than one.
    const took = (tookMs: number) => {
      const own = place('scout', 'search', { at: since({ tookMs }) });
      const hours = own.hours.map((hour) => {
        if (hour.atMs >= START) return hour;
        const failed = Math.round(hour.calls / 6);
        const timedWell = hour.calls - failed;
        const latencyWellMs = (hour.latencyWellMs * timedWell) / hour.calls;
        const latencySumMs = latencyWellMs + failed * 5000;
        return { ...hour, failed, timedWell, latencyWellMs, latencySumMs };
      });
      return found({ calls: [{ ...own, hours }, ...OTHERS], sessions: [] }, change);
    };
    expect(took(2000)).toEqual([]);
    expect(took(5000)).toEqual(['latency scout search']);
  });

  test('more tokens and a higher cost after a larger limit of them are no harm, up to what it allows', () => {
    const larger = { ...longer, sizeTimes: 2 };
    const written = (times: number) => ({
      calls: [
        place('scout', 'search', { at: since({ tokens: 500 * times, costUsd: 0.01 * times }) }),
        ...OTHERS,
      ],
      sessions: [],
    });
    expect(found(written(1.8), { ...CHANGE, expected: { signs: larger } })).toEqual([]);
    expect(found(written(1.8), { ...CHANGE, expected: { signs: longer } })).toHaveLength(2);
    expect(found(written(4), { ...CHANGE, expected: { signs: larger } })).toHaveLength(2);
  });

  test('they are harm for whoever shares the tool', () => {
    const change = { ...CHANGE, expected: { signs: longer } };
    const calls = [
      place('scout', 'search'),
      place('auditor', 'search', { at: since({ tookMs: 1500 }) }),
      ...OTHERS,
    ];
    expect(found({ calls, sessions: [] }, change)).toEqual(['latency auditor search']);
  });

  test('fewer calls after fewer tries are no harm', () => {
    const signs = {
      failures: 'less',
      latency: 'less',
      calls: 'less',
      tries: { before: 9, after: 2 },
    } as const;
    const calls = [place('scout', 'search', { at: since({ calls: 25 }) }), ...OTHERS];
    const fleet = { calls, sessions: [sessions('scout')] };
    expect(found(fleet, { ...CHANGE, expected: { signs } })).toEqual([]);
    expect(found(fleet)).toEqual(['fewer_calls scout search']);
  });
});

describe('hours that are looked at again', () => {
  /** Names that nobody has looked at, so that nothing is kept of them. */
  const renamed = (fleet: Fleet, as: string): Fleet => ({
    calls: fleet.calls.map((one) => ({ ...one, agent: `${as}${one.agent}` })),
    sessions: fleet.sessions.map((one) => ({ ...one, agent: `${as}${one.agent}` })),
  });
  const upTo = ({ calls, sessions: asked }: Fleet, hour: number): Fleet => {
    const isPast = ({ atMs }: { atMs: number }) => atMs < START + hour * HOUR;
    return {
      calls: calls
        .map((one) => ({ ...one, hours: one.hours.filter(isPast).map((at) => ({ ...at })) }))
        .filter(({ hours }) => hours.length > 0),
      sessions: asked.map((one) => ({ ...one, hours: one.hours.filter(isPast) })),
    };
  };
  const silentAt = (hour: number) => (hour % 7 === 3 ? { calls: 0 } : {});
  const whole: Fleet = {
    calls: [
      place('scout', 'search', { since: 60 }),
      place('scout', 'fetch', { since: 60, at: silentAt }),
      place('ranger', 'search', { since: 60, at: (hour) => (hour < 20 ? { calls: 0 } : {}) }),
      place('keeper', 'store', { since: 60, at: (hour) => (hour > 30 ? { tookMs: 1900 } : {}) }),
    ],
    sessions: [sessions('scout'), sessions('keeper')],
  };
  const without = (fleet: Fleet, agent: string, hour: number): Fleet => ({
    calls: fleet.calls,
    sessions: fleet.sessions.map((one) =>
      one.agent === agent
        ? { ...one, hours: one.hours.filter(({ atMs }) => atMs !== START + hour * HOUR) }
        : one,
    ),
  });
  const withheld = (fleet: Fleet, tool: string, fromHour: number): Fleet => ({
    calls: fleet.calls.map((one) =>
      one.tool === tool
        ? { ...one, hours: one.hours.filter(({ atMs }) => atMs < START + fromHour * HOUR) }
        : one,
    ),
    sessions: fleet.sessions,
  });
  const altered = (fleet: Fleet, hour: number): Fleet => ({
    calls: fleet.calls.map((one) => ({
      ...one,
      hours: one.hours.map((at) =>
        at.atMs === START + hour * HOUR
          ? { ...at, failed: at.failed + 3, calls: at.calls + 5 }
          : at,
      ),
    })),
    sessions: fleet.sessions,
  });
  // Hour by hour, with a gap, late sessions, a tool whose hours come late, counts that came late, an hour that is taken away, and a step back in time.
  const looks: readonly Fleet[] = [
    ...[0, 1, 2, 3, 9].map((hour) => upTo(whole, hour)),
    without(upTo(whole, 10), 'scout', 9),
    upTo(whole, 10),
    upTo(whole, 11),
    withheld(upTo(whole, 18), 'store', 12),
    upTo(whole, 18),
    altered(upTo(whole, 22), 5),
    altered(upTo(whole, 23), 5),
    altered(upTo(whole, 23), -40),
    upTo(whole, 21),
    upTo(whole, 60),
  ];

  test('say the same as if all were looked at for the first time', () => {
    const limits = { ...LIMITS };
    for (const [at, fleet] of looks.entries()) {
      const kept = seriesOf(fleet, CHANGE, 0.1);
      const change = { ...CHANGE, footing: { ...CHANGE.footing, agents: [`n${at}scout`] } };
      const fresh = seriesOf(renamed(fleet, `n${at}`), change, 0.1);
      const named = fresh.map((one) => ({ ...one, agent: one.agent.slice(`n${at}`.length) }));
      expect(kept, `look ${at}`).toEqual(named);
      const evidence = (all: readonly (typeof kept)[number][]) =>
        lateHarm(all, limits).map(({ evidence: found, increase }) => [found, increase]);
      expect(evidence(kept), `look ${at}`).toEqual(evidence(fresh));
    }
  });
});
