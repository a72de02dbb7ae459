import { describe, expect, test } from 'vitest';
import type { RecentCall, SettingSubject } from '../../../facts/index.ts';
import { callsWithQuota, callsWithSlots } from '../../calls.test-support.ts';
import { diagnoserContract, saying } from '../../diagnoser-contract.test-support.ts';
import { COMMIT, group, latencies, settingsOf, WINDOW } from '../../failures.test-support.ts';
import { mergeAlike } from '../../identity.ts';
import { withLikeNames } from '../../like-names.ts';
import { wordsOfFile } from '../../references.ts';
import type { TargetCommit } from '../../types.ts';
import { loadLimit } from './load-limit.ts';

const REFUSED = {
  ...saying('429: come back later'),
  template: '429: come back later',
  errorCode: 'slow_down',
  failedLatency: latencies([3, 200]),
  succeededLatency: latencies([20_000, 500], [40_000, 500]),
};
const slots = (agents?: readonly string[], perMinute = 7) =>
  callsWithSlots(
    {
      calls: 1500,
      perMinute,
      latencyMs: 30_000,
      code: 'slow_down',
      ...(agents === undefined ? {} : { agents }),
    },
    5,
  );
const quota = callsWithQuota({ calls: 1500, perMinute: 5, latencyMs: 500, code: 'slow_down' }, 8);
const file = (text: string) => ({ 'agents/researcher.yaml': `name: researcher\n${text}` });

diagnoserContract({
  diagnoser: loadLimit,
  explains: [
    { groups: [REFUSED], calls: slots(), files: file('tools: { web_search: { lanes: 20 } }\n') },
    { groups: [REFUSED], calls: quota, files: file('tools: { web_search: { rpm: 600 } }\n') },
    { groups: [REFUSED], calls: quota },
  ],
  passesOver: [
    { groups: [REFUSED], files: file('concurrency: 20\n') },
    { groups: [{}], calls: slots(), files: file('concurrency: 20\n') },
    // Calls that fail after they worked for long were not refused.
    { groups: [{ ...REFUSED, failedLatency: latencies([90_000, 200]) }], calls: slots() },
  ],
});

function explained(
  text: string,
  calls: readonly RecentCall[],
  commits: readonly TargetCommit[] = [],
) {
  const all = mergeAlike([group(REFUSED)]);
  return loadLimit.explain(all[0]!, {
    window: WINDOW,
    all,
    settings: settingsOf('agents/researcher.yaml', `name: researcher\n${text}`),
    commit: COMMIT,
    commits,
    failureShare: 0.02,
    calls: Map.groupBy(calls, ({ tool }) => tool),
  });
}

describe('how much a setting should let through', () => {
  test('as many at once as the tool takes', () => {
    const [cause] = explained('tools: { web_search: { max_in_flight: 20 } }\n', slots());
    expect(cause).toMatchObject({
      subject: { kind: 'setting', limits: 'calls', aim: { value: 5 } },
    });
    expect(cause!.confidence).toBeGreaterThan(0.8);
  });

  test('fewer where others use some of it', () => {
    const [cause] = explained(
      'concurrency: 20\n',
      slots(['researcher', 'researcher', 'researcher', 'researcher', 'other'], 4.5),
    );
    const aim = cause!.subject.kind === 'setting' ? cause!.subject.aim! : undefined;
    expect(aim!.value).toBeLessThan(5);
    expect(aim!.value).toBeGreaterThan(1);
  });

  test.each([
    ['rpm: 600', 7, 8],
    ['per_second: 10', 7 / 60, 8.5 / 60],
    ['bookings_a_minute: 40', 7, 8],
    ['callquota: 600', 7, 8],
    ['CALLS: { perMinute: 600 }', 7, 8],
    ['requests_per_hour: 9000', 420, 510],
  ])('as many in a time as the quota allows, in the unit of the setting: %s', (text, low, high) => {
    const [cause] = explained(`${text}\n`, quota);
    const aim = cause!.subject.kind === 'setting' ? cause!.subject.aim! : undefined;
    expect(aim!.value).toBeGreaterThanOrEqual(low);
    expect(aim!.value).toBeLessThanOrEqual(high);
  });

  test('a value that the agent was seen to exceed is not what it keeps to', () => {
    const [cause] = explained('concurrency: 1\n', slots());
    expect(cause!.subject.kind).toBe('service');
  });

  test.each([
    ['the only number left', 'web_search: { timeout: 90s, retries: 0, munin: 20 }\n', 5],
    ['beside a time without its unit', 'web_search: { deadline: 90, munin: 20 }\n', 5],
    [
      'beside a time that is far too large to count calls',
      'web_search: { patrex: 90000, munin: 20 }\n',
      5,
    ],
    ['a word that is split', 'web_search: { fan_out: 20, patrex: 30 }\n', 5],
    ['a time of no word', 'web_search: { patrex: 90, retries: 0 }\n', undefined],
    ['two numbers', 'web_search: { timeout: 90s, munin: 20, patrex: 30 }\n', undefined],
    ['far beyond all', 'web_search: { timeout: 90s, munin: 4096 }\n', undefined],
    ['fewer than were made', 'web_search: { timeout: 90s, munin: 5 }\n', undefined],
    ['for every tool', 'munin: 20\n', undefined],
  ])('a key that says nothing: %s', (_, text, value) => {
    const [cause] = explained(text, slots());
    const { subject } = cause!;
    expect(subject.kind === 'setting' ? subject.aim!.value : undefined).toBe(value);
  });

  test.each([
    ['that only is called like the tool', 'searches: { hold: 90s, munin: 20 }\n', 5],
    [
      'beside one that has its name',
      `searches: { munin: 20 }\nweb_search: { hold: 90s }\n`,
      undefined,
    ],
    ['of what nothing is called like the tool', 'finds: { hold: 90s, munin: 20 }\n', undefined],
  ])('a key that says nothing, in a place %s', (_, text, value) => {
    const settings = settingsOf('agents/researcher.yaml', `name: researcher\n${text}boxes: 30\n`);
    const all = mergeAlike([group(REFUSED)]);
    const [cause] = loadLimit.explain(all[0]!, {
      ...{ window: WINDOW, all, commit: COMMIT, commits: [], failureShare: 0.02 },
      ...{ settings: withLikeNames(settings, [group(REFUSED)]) },
      calls: Map.groupBy(slots(), ({ tool }) => tool),
    });
    const { subject } = cause!;
    expect(subject.kind === 'setting' ? subject.aim!.value : undefined).toBe(value);
  });

  test('what the caller was slowed down to since is not taken for the limit that refused it', () => {
    const paths = ['agents/researcher.yaml'];
    const since = [{ id: 'a'.repeat(40), title: 'slower', atMs: slots().at(-1)!.endMs, paths }];
    const kinds = (commits: typeof since) =>
      explained('web_search: { lanes: 5 }\n', slots(), commits).map(({ subject }) => subject.kind);
    expect(kinds([])).toContain('setting');
    expect(kinds(since)).toEqual(['service']);
  });

  test('how likely each place of the limit is adds up to one, whichever it is', () => {
    const causes = explained('web_search: { lanes: 5 }\n', slots());
    expect(causes.length).toBeGreaterThan(1);
    expect(causes.reduce((sum, { share }) => sum + share!, 0)).toBeCloseTo(1);
    expect(causes.every(({ isByLoad }) => isByLoad === true)).toBe(true);
  });

  test('a person is told what to ask for where no setting limits it', () => {
    const [cause] = explained('model: x\n', quota);
    expect(cause).toMatchObject({ subject: { kind: 'service', name: 'web_search' } });
    expect(cause!.reasons.map(({ text }) => text).join(' ')).toMatch(/quota.*larger limit/s);
  });

  test('a person is told where the work itself is more than the limit lets through', () => {
    const busy = callsWithQuota(
      { calls: 1500, perMinute: 12, latencyMs: 500, code: 'slow_down' },
      8,
    );
    expect(explained('rpm: 600\n', busy)[0]!.subject.kind).toBe('service');
  });
});

describe('a limit that is the target’s own', () => {
  const GATEWAY = 'gateway/policy.yaml';
  function withFiles(
    files: Readonly<Record<string, string>>,
    calls: readonly RecentCall[],
    refused: Parameters<typeof group>[0] = REFUSED,
  ) {
    const all = mergeAlike([group(refused)]);
    return loadLimit.explain(all[0]!, {
      ...{ window: WINDOW, all, commit: COMMIT, commits: [], failureShare: 0.02 },
      settings: Object.entries(files).flatMap(([file, text]) => settingsOf(file, text)),
      words: new Map(Object.entries(files).map(([file, text]) => [file, wordsOfFile(text)])),
      calls: Map.groupBy(calls, ({ tool }) => tool),
    });
  }
  const busy = callsWithQuota({ calls: 1500, perMinute: 14, latencyMs: 500, code: 'slow_down' }, 8);

  const MENU = Array.from({ length: 30 }, (_, at) => `dish${at}: ${at + 1}\n`).join('');

  test.each([
    ['the only number there is', { 'gate.env': 'DOOR=8\nPORT=9000\n' }, busy],
    [
      'its route',
      { [GATEWAY]: 'routes: { web_search: { allowance: 8 }, mail: { allowance: 30 } }\n' },
      busy,
    ],
    ['its places', { 'broker.toml': '[web_search]\nseats = 5\n' }, slots()],
    ['a number of slots', { 'broker.toml': '[broker]\ncall-slots = 5\n' }, slots()],
    ['words that are run together', { 'broker.env': 'UPSTREAMMAXINFLIGHT=5\n' }, slots()],
    [
      'a file that the agent mentions',
      { 'lib/proxy.json': '{ "lanes": 5 }', 'src/researcher.ts': "import p from './proxy';\n" },
      slots(),
    ],
    ['a word', { 'deploy/proxy.env': 'PROXY_RPM=8\nPROXY_SHARDS=8\n' }, busy],
    [
      'a number beside others that nothing reaches',
      { 'gate.env': 'DOOR=8\n', 'menu.yaml': MENU.replaceAll(': ', ': 9') },
      busy,
    ],
  ])('is raised to what is asked for: %s', (_, files, calls) => {
    const [cause, other] = withFiles(files as Record<string, string>, calls);
    const { value, aim } = cause!.subject as SettingSubject;
    expect(aim!.value).toBeGreaterThanOrEqual(1.25 * (value as number));
    expect(aim!.value).toBeLessThanOrEqual(4 * (value as number));
    expect(cause!.confidence).toBeGreaterThan(0.5);
    expect(other!.confidence).toBeLessThan(cause!.confidence);
  });

  test.each([
    ['a number of nobody among many, by chance', { 'menu.yaml': MENU }],
    ['the caller’s own number', { 'agents/researcher.yaml': 'name: researcher\npages: 8\n' }],
    [
      'another tool’s',
      { 'agents/researcher.yaml': 'name: researcher\ntools: { mail: { rpm: 8 } }\n' },
    ],
    ['a time', { [GATEWAY]: 'routes: { web_search: { hold: 8s } }\n' }],
    ['other numbers', { [GATEWAY]: 'routes: { web_search: { allowance: 30 } }\n' }],
  ])('is somebody else’s where no place speaks for it: %s', (_, files) => {
    const [cause] = withFiles(files as Record<string, string>, busy);
    expect(cause!.subject.kind).toBe('service');
  });

  test('is no reason where calls hold their places many times as long since it began', () => {
    const bin = (hour: number, took: number) => ({
      ...{ atMs: WINDOW.toMs - hour * 3_600_000, bad: hour < 6 ? 60 : 0, all: 300 },
      ...{ toolCalls: 300, othersCalls: 0, othersFailed: 0, timed: 200, timedMs: 200 * took },
    });
    const kinds = (times: number) => {
      const history = Array.from({ length: 24 }, (_, at) =>
        bin(24 - at, at < 18 ? 6000 : 6000 * times),
      );
      return withFiles({ 'broker.toml': '[web_search]\nseats = 5\n' }, slots(), {
        ...REFUSED,
        history,
      }).map(({ subject }) => subject.kind);
    };
    expect(kinds(3)).toContain('setting');
    expect(kinds(5)).toEqual(['service']);
  });

  test('is the one of equal numbers whose name the messages say', () => {
    const files = {
      'ops/chromium.json': '{ "headless": { "seats": 5, "memory": 384, "pages": 600 } }',
      'ops/paper.json': '{ "printers": 5, "spool": "x" }',
    };
    const shareOf = (message: string) => {
      const [example] = group().examples;
      const refused = { ...REFUSED, examples: [{ ...example!, message }] };
      const blamed = withFiles(files, slots(), refused).filter(
        ({ subject }) => subject.kind === 'setting' && subject.path.at(-1) === 'seats',
      );
      return blamed[0]?.share ?? 0;
    };
    expect(shareOf('no browser free, all 5 seats taken')).toBeGreaterThan(0.5);
    expect(shareOf('come back later')).toBeLessThan(0.4);
    // A word of the tool's own name is said wherever the tool is.
    expect(shareOf('web search refused')).toBe(shareOf('come back later'));
  });

  test('is raised where its file is called what only the tools have in common that are refused', () => {
    const of = (other: string, tool: string) =>
      loadLimit
        .explain(mergeAlike([group({ ...REFUSED, tool: 'pms_rooms' })])[0]!, {
          ...{ window: WINDOW, commit: COMMIT, commits: [], failureShare: 0.02 },
          all: mergeAlike([
            group({ ...REFUSED, tool: 'pms_rooms' }),
            group({ ...REFUSED, tool: other }),
            group({ ...REFUSED, tool, errorCode: 'jammed' }),
          ]),
          settings: settingsOf('infra/pms-gateway.yml', 'sessions: { ceiling: 5, spare: 2 }\n'),
          calls: Map.groupBy(
            slots().map((call, at) => ({ ...call, tool: at % 2 === 0 ? 'pms_rooms' : other })),
            (call) => call.tool,
          ),
        })
        .find(({ subject }) => subject.kind === 'setting')!.share!;
    expect(of('pms_booking', 'keycard')).toBeGreaterThan(0.8);
    expect(of('guest_booking', 'keycard')).toBeLessThan(0.7);
    expect(of('pms_booking', 'pms_invoice')).toBeLessThan(0.7);
  });

  test('is not one caller’s own where several are refused together', () => {
    const files = {
      'agents/researcher.yaml': 'name: researcher\nweb_search: { rpm: 8 }\n',
      'gate/gate.env': 'RPM=8\n',
    };
    const fileOf = (calls: readonly RecentCall[]) =>
      withFiles(files, calls).flatMap(({ subject }) =>
        subject.kind === 'setting' ? [subject.file] : [],
      );
    const together = busy.map((call, at) => (at % 3 === 0 ? { ...call, agent: 'writer' } : call));
    expect(fileOf(busy)).toContain('agents/researcher.yaml');
    expect(fileOf(together)[0]).toBe('gate/gate.env');
  });
});
