/** Whole fleets by the hour: what is found, and which change is called its cause. */
import { expect, test } from 'vitest';
import type { CallHours, SessionHours } from '../facts/index.ts';
import { harmSentence } from './late-words.ts';
import { hoursOfCalls, type PoolWorld, poolCalls } from './shared-pool.test-support.ts';
import { type AtTarget, lastSeenMs, lookWide, suspicionOf, whoDid } from './wide-look.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 16);
const settings = {
  alpha: 0.05,
  errorRate: 0.25,
  duration: 24 * HOUR,
  probation: 336 * HOUR,
} as Parameters<typeof lookWide>[2]['settings'];

const CHANGE: AtTarget = {
  proposalId: 'p_1',
  startedAtMs: START,
  footing: { agents: ['researcher'], tools: ['search'], after: ['read'] },
};

const DEPLOYED = { proposalId: 'p_1', fromMs: START };

interface Hour {
  readonly calls: number;
  readonly rate: number;
  readonly tookMs: number;
}

function series(agent: string, tool: string, at: (hour: number) => Hour): CallHours {
  const hours = Array.from({ length: 14 * 24 * 2 }, (_, index) => {
    const { calls, rate, tookMs } = at(index - 14 * 24);
    const failed = Math.round(calls * rate);
    return {
      atMs: START + (index - 14 * 24) * HOUR,
      calls,
      failed,
      timed: calls,
      latencySumMs: calls * tookMs,
      timedWell: calls - failed,
      latencyWellMs: (calls - failed) * tookMs,
      tokens: 0,
      costUsd: 0,
    };
  });
  return { agent, tool, hours };
}

const steady =
  (rate: number, calls = 100): ((hour: number) => Hour) =>
  () => ({ calls, rate, tookMs: 1000 });
const OTHERS = [
  series('porter', 'gate', steady(0.02)),
  series('clerk', 'file', steady(0.02)),
  series('clerk', 'stamp', steady(0.02)),
];

const portsAt = (
  calls: readonly CallHours[],
  hour: number,
  sessions: readonly SessionHours[] = [],
) => {
  const nowMs = START + hour * HOUR + 6 * 60_000;
  const heard = calls.map((one) => ({
    ...one,
    hours: one.hours.filter(({ atMs }) => atMs + HOUR <= nowMs),
  }));
  return {
    nowMs,
    settings,
    callHours: async () => heard,
    sessionHours: async () => sessions,
    recentCalls: async () => new Map(),
  };
};

/** When the change is first taken for the cause, in hours after its deployment. */
async function blamedAt(
  calls: readonly CallHours[],
  untilHour = 336,
  change = CHANGE,
): Promise<number | undefined> {
  for (let hour = 1; hour <= untilHour; hour++) {
    const [harmed] = await lookWide(change, [], portsAt(calls, hour));
    if (harmed !== undefined && suspicionOf(harmed.suspicions, 'p_1') >= 0.8) return hour;
  }
  return undefined;
}

test('a partner that shares the tool and fails behind the improvement of the changed agent', async () => {
  const calls = [
    series('researcher', 'search', (hour) => ({
      calls: 200,
      rate: hour < 0 ? 0.1 : 0.01,
      tookMs: hour < 0 ? 1000 : 2000,
    })),
    series('auditor', 'search', (hour) => ({
      calls: 20,
      rate: hour < 0 ? 0.01 : 0.95,
      tookMs: 1000,
    })),
    ...OTHERS,
  ];
  expect(await blamedAt(calls, 6)).toBeLessThanOrEqual(2);
});

test('MON-5 one kind of task that fails since a change, while all tasks together hardly do', async () => {
  const hours = Array.from({ length: 14 * 24 + 30 }, (_, index) => index - 14 * 24);
  const at = (hour: number) => ({ atMs: START + hour * HOUR });
  // One session in a hundred is about audits: two more of 200 fail where 20 fail anyway.
  const sessions = hours.map((hour) => {
    const failed = 20 + Math.abs(hour % 2) + (hour < 6 ? 0 : 2);
    return { ...at(hour), sessions: 200, failed, corrected: 0 };
  });
  const audits = hours.filter((hour) => hour >= 6 || hour % 24 === 0);
  const tasks = [
    { name: 'answer', hours: hours.map((hour) => ({ ...at(hour), failed: 20 })) },
    { name: 'audit', hours: audits.map((hour) => ({ ...at(hour), failed: hour < 6 ? 1 : 2 })) },
  ];
  const own = { agent: 'researcher', hours: sessions, tasks };
  const all = [series('researcher', 'search', steady(0.02)), ...OTHERS];
  const [harmed] = await lookWide(CHANGE, [], portsAt(all, 30, [own]));
  expect(harmed?.finding.series.task).toBe('audit');
  expect(harmSentence(harmed!, DEPLOYED)).toContain(
    'sessions of researcher had the task audit fail',
  );
  const { tasks: _, ...unnamed } = own;
  expect(await lookWide(CHANGE, [], portsAt(all, 30, [unnamed]))).toEqual([]);
});

test('MON-5 harm that begins on day four because traffic grew, by a change that made calls longer', async () => {
  const busy = (hour: number) => (hour >= 96 ? 2.5 : 1);
  const calls = [
    series('researcher', 'search', (hour) => ({
      calls: 100 * busy(hour),
      rate: hour < 0 ? 0.1 : hour < 96 ? 0.01 : 0.5,
      tookMs: hour < 0 ? 1000 : 2000,
    })),
    series('auditor', 'search', (hour) => ({
      calls: 20,
      rate: hour < 96 ? 0.01 : 0.5,
      tookMs: 1000,
    })),
    ...OTHERS,
  ];
  const hour = await blamedAt(calls, 120);
  expect(hour).toBeGreaterThan(96);
  expect(hour).toBeLessThanOrEqual(100);
});

test('another tool of the provider, whose places the change holds for longer by day', async () => {
  const isDay = (hour: number) => ((hour % 24) + 24) % 24 >= 8;
  const calls = (tookMs: number, isOutage = false) => [
    series('researcher', 'search', (hour) => ({
      calls: 200,
      rate: hour < 0 ? 0.15 : 0.1,
      tookMs: hour < 0 ? 1000 : tookMs,
    })),
    series('courier', 'parcels', (hour) => ({
      calls: 40,
      rate: hour >= (isOutage ? 33 : 0) && isDay(hour) ? 0.4 : 0.01,
      tookMs: 500,
    })),
    ...OTHERS,
  ];
  const sharing = { ...CHANGE, footing: { ...CHANGE.footing, sharing: ['parcels'] } };
  expect(await blamedAt(calls(3000), 40, sharing)).toBeLessThanOrEqual(12);
  // Without the provider it is a tool that has nothing to do with the change.
  expect(await blamedAt(calls(3000), 40)).toBeUndefined();
  // Where the change holds nothing for longer, the other tool is what is ill.
  expect(await blamedAt(calls(1000, true), 60, sharing)).toBeUndefined();
});

test.each([
  ['the change is at', { tools: ['press'], after: [] }],
  ['an agent calls that it is at', { tools: null, after: [] }],
  ['is called after those that it is at', { tools: ['order'], after: ['press'] }],
  ['is called after them only since', { tools: ['order'], after: [] }, 50],
])(
  'a partner of a tool that %s, where nothing but overlapping calls tells of it',
  async (_name, at, rarely = 1) => {
    const days = 3;
    const limitMs = (atMs: number) => (atMs < START ? 150_000 : 600_000);
    const change: AtTarget = { ...CHANGE, footing: { agents: ['printer'], ...at } };
    const blamed = async (world: Partial<PoolWorld>, others = OTHERS) => {
      const startMs = START - days * 24 * HOUR;
      const { press: all, stamp } = poolCalls({ seed: 3, startMs, hours: 96, limitMs, ...world });
      // Until the change hardly any of them gets there.
      const press = all.filter(({ startMs }, at) => startMs >= START || at % rarely === 0);
      const order = series('printer', 'order', steady(0.01, 300));
      const calls = [hoursOfCalls(press), hoursOfCalls(stamp), order, ...others];
      for (let hour = 1; hour <= 20; hour++) {
        const ports = portsAt(calls, hour);
        const isIn = ({ endMs }: { endMs: number }) => endMs >= START && endMs < ports.nowMs;
        const recent = new Map([
          ['press', press.filter(isIn)],
          ['stamp', stamp.filter(isIn)],
        ]);
        const [harmed] = await lookWide(change, [], { ...ports, recentCalls: async () => recent });
        const probability = suspicionOf(harmed?.suspicions ?? [], 'p_1');
        if (probability >= 0.8) return { hour, said: harmSentence(harmed!, DEPLOYED) };
      }
      return undefined;
    };
    const found = await blamed({ places: 9 });
    expect(found!.hour).toBeLessThanOrEqual(14);
    expect(found!.said).toContain('both use the same places');
    // An outage elsewhere in the same hours puts no failures into the moments in which its calls are in flight.
    const ill = (hour: number) => ({ calls: 60, rate: hour < 0 ? 0.02 : 0.8, tookMs: 1000 });
    const amidst = await blamed({ places: 9 }, [...OTHERS, series('courier', 'post', ill)]);
    expect(amidst!.hour).toBeLessThanOrEqual(14);
    // As many failures since the very same hour, and places of its own.
    expect(await blamed({ failing: (atMs) => (atMs < START ? 0.005 : 0.08) })).toBeUndefined();
  },
);

test('calls that fail while those of the change are in flight are no noise, however little the hours say', async () => {
  const limitMs = (atMs: number) => (atMs < START ? 150_000 : 600_000);
  const footing = { agents: ['printer'], tools: ['press'], after: [] };
  const world = { seed: 3, startMs: START - 72 * HOUR, hours: 96, limitMs, places: 9 };
  const { press, stamp } = poolCalls(world);
  const calls = [hoursOfCalls(press), hoursOfCalls(stamp), ...OTHERS];
  const ports = portsAt(calls, 20);
  const isIn = ({ endMs }: { endMs: number }) => endMs >= START && endMs < ports.nowMs;
  const recentCalls = async () =>
    new Map([
      ['press', press.filter(isIn)],
      ['stamp', stamp.filter(isIn)],
    ]);
  // A budget that no alarm is found within.
  const strict = { ...ports, settings: { ...settings, alpha: 1e-250 } };
  const change = { ...CHANGE, footing };
  const place = { agent: 'clerk', tool: 'stamp' };
  const [found] = await whoDid(place, [change], { ...strict, recentCalls });
  expect(found).toMatchObject({ isAlarm: true, overlaps: true });
  const known = { ...change, footing: { ...footing, sharing: ['stamp'] } };
  expect((await whoDid(place, [known], { ...strict, recentCalls }))[0]?.isAlarm).toBe(true);
  expect((await whoDid(place, [known], strict))[0]?.isAlarm).toBe(false);
  // The watch, which was not asked about this place, finds it, too.
  const watched = { ...strict, recentCalls };
  for (const one of [change, known]) {
    const [harmed] = await lookWide(one, [], watched);
    expect(suspicionOf(harmed!.suspicions, 'p_1')).toBeGreaterThan(0.8);
  }
  expect(await lookWide(known, [], strict)).toEqual([]);
});

test('MON-5 an outage of the tool at unchanged load is nobody’s fault, for whoever calls it', async () => {
  const ill = (hour: number) => hour >= 50 && hour < 54;
  const calls = [
    series('researcher', 'search', (hour) => ({
      calls: 100,
      rate: ill(hour) ? 0.6 : 0.02,
      tookMs: 1000,
    })),
    series('auditor', 'search', (hour) => ({
      calls: 50,
      rate: ill(hour) ? 0.6 : 0.02,
      tookMs: 1000,
    })),
    ...OTHERS,
  ];
  expect(await blamedAt(calls, 60)).toBeUndefined();
});

test('harm that was there before the change is not its doing, and one place can be asked about', async () => {
  const calls = [
    series('researcher', 'search', steady(0.02)),
    series('auditor', 'search', (hour) => ({
      calls: 50,
      rate: hour < -24 ? 0.01 : 0.4,
      tookMs: 1000,
    })),
    ...OTHERS,
  ];
  expect(await blamedAt(calls, 12)).toBeUndefined();
  const [first] = await whoDid({ agent: 'auditor', tool: 'search' }, [CHANGE], portsAt(calls, 12));
  expect(first?.probability ?? 0).toBeLessThan(0.3);
});

test('the clearest harm of each ring is traced, however much there is in another', async () => {
  const ill = (rate: number) => (hour: number) => ({
    calls: 100,
    rate: hour < 0 ? 0.02 : rate,
    tookMs: 1000,
  });
  const calls = [
    ...Array.from({ length: 8 }, (_, at) => series(`a${at}`, `t${at}`, ill(0.9))),
    series('auditor', 'search', steady(0.02)),
    series('researcher', 'search', ill(0.15)),
  ];
  const harmed = await lookWide(CHANGE, [], portsAt(calls, 24));
  expect(harmed).toHaveLength(5);
  expect(harmed.map(({ finding }) => finding.series.ring)).toContain(0);
});

test('what is beyond noise at one of many places is suspected, and an alarm only where it is plain', async () => {
  const wide = { ...CHANGE, footing: { agents: ['researcher'], tools: null, after: [] } };
  const many = Array.from({ length: 60 }, (_, at) => series('researcher', `t${at}`, steady(0.05)));
  const others = series('auditor', 'search', steady(0.05, 400));
  const place = { agent: 'researcher', tool: 'search' };
  const asked = async (rate: number, hour: number) => {
    const ill = (at: number) => ({ calls: 20, rate: at < 0 ? 0.05 : rate, tookMs: 1000 });
    const calls = [...many, others, series('researcher', 'search', ill)];
    return (await whoDid(place, [wide], portsAt(calls, hour)))[0]!;
  };
  const little = await asked(0.15, 8);
  expect(little.isAlarm).toBe(false);
  expect(little.probability).toBeGreaterThan(0.8);
  const plain = await asked(0.9, 4);
  expect(plain).toMatchObject({ isAlarm: true, sinceMs: START + HOUR });
});

test('harm that came and went was last seen when it went', async () => {
  const calls = [
    series('researcher', 'search', (hour) => ({
      calls: 100,
      rate: hour >= 0 && hour < 30 ? 0.4 : 0.02,
      tookMs: 1000,
    })),
    series('auditor', 'search', steady(0.02)),
    ...OTHERS,
  ];
  expect(await lastSeenMs(CHANGE, [], portsAt(calls, 60))).toBe(START + 30 * HOUR);
  const well = [series('researcher', 'search', steady(0.02)), ...OTHERS];
  expect(await lastSeenMs(CHANGE, [], portsAt(well, 60))).toBeUndefined();
});

test('nothing before, nothing since, or a series that never fails says nothing', async () => {
  expect(await lookWide(CHANGE, [], portsAt([], 5))).toEqual([]);
  const fresh = series('researcher', 'search', (hour) => ({
    calls: hour < 0 ? 0 : 50,
    rate: 0.5,
    tookMs: 1,
  }));
  expect(await lookWide(CHANGE, [], portsAt([fresh], 24))).toEqual([]);
  const never = series('researcher', 'search', steady(0));
  expect(await lookWide(CHANGE, [], portsAt([never, ...OTHERS], 100))).toEqual([]);
});

test('what people committed to the files of the harmed agent or tool competes with the change', async () => {
  // Everybody's value, as far as its file says: each coincidence in time would be its doing.
  const wide = {
    ...CHANGE,
    footing: { agents: null, tools: null, after: [], answers: { agent: 'porter', tool: 'gate' } },
  };
  const ill = (hour: number) => ({ calls: 100, rate: hour < 1 ? 0.02 : 0.3, tookMs: 1000 });
  const calls = [series('researcher', 'search', ill), ...OTHERS];
  const ports = portsAt(calls, 12);
  const commit = { id: 'c'.repeat(40), title: 'Other model', atMs: START + HOUR - 60_000 };
  const lookedWith = async (atMs: number, ...paths: string[]) => {
    const peoplesCommits = async () => [{ ...commit, atMs, paths }];
    return (await lookWide(wide, [], { ...ports, peoplesCommits }))[0]!;
  };
  const own = ({ suspicions }: Awaited<ReturnType<typeof lookedWith>>) =>
    suspicionOf(suspicions, 'p_1');
  expect(own(await lookedWith(commit.atMs, 'agents/porter.env'))).toBeGreaterThan(0.5);
  const found = await lookedWith(commit.atMs, 'agents/researcher.env');
  expect(own(found)).toBeLessThan(0.4);
  expect(found.suspicions).toHaveLength(1);
  expect(harmSentence(found, DEPLOYED)).toContain('Likelier is what somebody committed there');
  expect(own(await lookedWith(commit.atMs, 'tools/Search.md'))).toBeLessThan(0.4);
  // Hours after the harm began it did nothing.
  const later = await lookedWith(START + 6 * HOUR, 'agents/researcher.env');
  expect(own(later)).toBeGreaterThan(0.5);
  expect(later.commit).toBeUndefined();
  const place = { agent: 'researcher', tool: 'search' };
  const asked = { ...ports, peoplesCommits: async () => [{ ...commit, paths: ['researcher.md'] }] };
  expect((await whoDid(place, [wide], ports))[0]?.probability).toBeGreaterThan(0.5);
  expect(await whoDid(place, [wide], asked)).toEqual([]);
});
