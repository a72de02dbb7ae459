/** A watch from its first look to its end, as the loop sees it. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { readArtifact } from '../artifact/index.ts';
import { latest, readDossier } from '../proposal/index.ts';
import {
  blameOf,
  PROJECTED_TABLES,
  projectEntry,
  readBaseline,
  readWatch,
  watch,
} from './index.ts';
import { DAY, deployed, HOUR, MINUTE, said, type Watched } from './watches.test-support.ts';

const calls =
  (bad: number, all: number, badLater = bad) =>
  (watched: Watched) => {
    watched.minute = (atMs, metric) =>
      metric === 'error_rate'
        ? { bad: atMs > watched.deployedAtMs ? badLater : bad, all }
        : { bad: 0, all: 0 };
  };

describe.each(['memory', 'postgres'] as const)('a watch on %s', (kind) => {
  const open = storePerTest(kind);

  test('MON-1 takes its baseline once, looks as often as configured, and ends as implemented', async () => {
    const watched = await deployed(open());
    const { store } = open();
    const { deployedAtMs } = watched;
    watched.agent = 'search';
    calls(1, 20)(watched);
    const first = await watched.take(await watched.look());
    expect(watched.asked).toHaveLength(2 * 6); // all telemetry, and what is known
    expect(
      new Set(
        watched.asked.map(({ fromMs, toMs }) => `${fromMs - deployedAtMs} ${toMs - deployedAtMs}`),
      ),
    ).toEqual(new Set([`${-DAY} 0`]));
    expect(first.dueAtMs).toBe(open().clock.nowMs() + MINUTE);
    const row = (await readWatch(store, watched.id))!;
    expect(row).toMatchObject({
      startedAtMs: deployedAtMs,
      fastUntilMs: deployedAtMs + HOUR,
      untilMs: deployedAtMs + DAY,
    });
    const kept = JSON.parse(
      Buffer.from((await readArtifact(store, row.baselineDigest)).content).toString(),
    );
    expect(kept.series).toHaveLength(6);
    expect(kept.series[0].hours).toEqual(Array(24).fill({ bad: 60, all: 1200 }));

    open().clock.advance(2 * MINUTE);
    const second = await watched.take(await watched.look());
    expect(second.did).toContain('of search failed (5.0 %, before 5.0 %)');
    expect(watched.asked.at(-1)).toMatchObject({ fromMs: deployedAtMs + MINUTE });
    expect(second.dueAtMs).toBe(open().clock.nowMs() + MINUTE);
    open().clock.advance(2 * HOUR);
    expect((await watched.look()).dueAtMs).toBe(open().clock.nowMs() + 5 * MINUTE);
    open().clock.advance(DAY - 2 * HOUR - 4 * MINUTE);
    expect((await watched.look()).dueAtMs).toBe(deployedAtMs + DAY);

    const last = await watched.until(said);
    expect(watched.sinceMs()).toBe(DAY);
    expect(last).toMatchObject({
      to: 'implemented',
      attestations: [{ kind: 'monitoring', verdict: 'stable' }],
    });
    expect(await watched.state()).toBe('implemented');
  });

  test('a trial is watched for a day at least, and taken back for no harm where it brings nothing', async () => {
    const watched = await deployed(open(), {
      trial: { cutOffMs: 790 },
      change: { kind: 'set_value', file: 'a.yaml', path: ['t'], from: 800, to: 3200 },
    });
    watched.agent = 'search';
    watched.tool = 'find';
    watched.settings = { ...watched.settings, duration: HOUR };
    calls(1, 20)(watched);
    await watched.take(await watched.look());
    const row = (await readWatch(open().store, watched.id))!;
    expect(row.untilMs).toBe(watched.deployedAtMs + DAY);
    const startMs = watched.deployedAtMs + HOUR;
    const long = (took: number, failedWith: string | null) => ({
      ...{ agent: 'search', tool: 'find', startMs, endMs: startMs + took, failedWith },
    });
    watched.recent = new Map([
      ['find', [...Array(60).fill(long(3200, 'TIMEOUT')), long(2000, null)]],
    ]);
    const step = await watched.until(said);
    expect(step.did).toMatch(/brought nothing: of 61 calls .* 1 ended.* It will be taken back/);
    expect(watched.sinceMs()).toBeLessThan(2.2 * HOUR);
    expect(step.attestations).toMatchObject([{ kind: 'monitoring', verdict: 'degraded' }]);
    expect(await blameOf(await readDossier(open().store, watched.id), open().store)).toBe('none');
    expect((await watched.look()).did).toContain('a trial that brought nothing');
  });

  test('MON-1 harm is attested with its report, once, and asks to be taken back at once', async () => {
    const watched = await deployed(open());
    calls(1, 20, 4)(watched);
    watched.agent = '\u001b[2Jsearch\u202e';
    const step = await watched.until(said);
    expect(step.to).toBeUndefined();
    expect(step.dueAtMs).toBe(open().clock.nowMs());
    expect(watched.sinceMs()).toBeLessThan(HOUR);
    expect(step.did).toMatch(
      /more calls of .*search.* failed than before the deployment: \d+ of \d+ \(20\.0 %\)/,
    );
    const { attestations, proposal } = await readDossier(open().store, watched.id);
    const [digest] = latest(attestations, 'monitoring', proposal.digest)!.artifacts;
    const bytes = (await readArtifact(open().store, digest!)).content;
    const report = JSON.parse(Buffer.from(bytes).toString());
    expect(report).toMatchObject({
      verdict: 'degraded',
      sentence: expect.stringContaining('20.0 %'),
    });
    // The agent's part of the budget is larger than the fleet's, so it is found there first.
    expect(report.series[0]).toMatchObject({ metric: 'error_rate', agent: null });
    expect(report.series[1]).toMatchObject({
      metric: 'error_rate',
      agent: watched.agent,
      baseline: { bad: 1440, all: 28_800 },
      finding: { allowed: 0.25, increase: expect.closeTo(3, 0) },
    });
    const [half, fifth] = [0.5, 0.2];
    const needed = (half + fifth) / half / (0.25 * 0.05);
    expect(report.series[1].finding.evidenceNeeded).toBeCloseTo(needed);
    expect(report.series[1].finding.pValue).toBeLessThan(1 / needed);

    const after = await watched.look();
    expect(after.attestations).toBeUndefined();
    expect(after.dueAtMs).toBeGreaterThan(open().clock.nowMs());
  });

  test('a failure that was there at the deployment is no harm at an hour that was well the day before', async () => {
    const watched = await deployed(open());
    watched.agent = 'resolver';
    const beganMs = watched.deployedAtMs - 17 * HOUR;
    const failing = (atMs: number) => ({ bad: atMs >= beganMs ? 8 : 0, all: 10 });
    watched.minute = (atMs, metric) =>
      metric === 'error_rate' ? failing(atMs) : { bad: 0, all: 10 };
    watched.beganMs = beganMs;
    await watched.take(await watched.look());
    open().clock.advance(30 * MINUTE);
    expect((await watched.look()).did).toContain('Nothing is worse');

    const unaware = await deployed(open());
    [unaware.agent, unaware.minute] = [watched.agent, watched.minute];
    expect((await unaware.until(said)).attestations).toMatchObject([{ verdict: 'degraded' }]);
  });

  test('what others bring by day is known, though the failure that is answered began at night', async () => {
    const watched = await deployed(open());
    watched.agent = 'resolver';
    const { deployedAtMs } = watched;
    watched.beganMs = deployedAtMs - HOUR;
    // At most a quarter of twenty, from the eighth hour after the deployment on.
    const others = (atMs: number) => {
      const hour = Math.floor(((atMs - deployedAtMs) / HOUR + 24) % 24);
      const bad = hour < 8 || hour > 20 ? 0 : Math.round(5 * Math.sin((Math.PI * (hour - 8)) / 12));
      return { bad, all: 20 };
    };
    const own = (atMs: number) => ({
      bad: atMs >= watched.beganMs! && atMs < deployedAtMs ? 1 : 0,
      all: 4,
    });
    watched.minute = (atMs, metric, agent) => {
      if (metric !== 'error_rate') return { bad: 0, all: 10 };
      const [one, rest] = [own(atMs), others(atMs)];
      return agent === 'resolver' ? one : { bad: one.bad + rest.bad, all: one.all + rest.all };
    };
    await watched.take(await watched.look());
    for (let hour = 1; hour < 24; hour++) {
      open().clock.advance(HOUR);
      expect(said(await watched.take(await watched.look()))).toBe(false);
    }

    // Where they have had the same trouble since then, nothing from before it is counted.
    const shared = await deployed(open());
    [shared.agent, shared.beganMs] = ['resolver', shared.deployedAtMs - 3 * HOUR];
    shared.minute = (atMs, metric, agent) => {
      if (metric !== 'error_rate') return { bad: 0, all: 10 };
      const bad = atMs >= shared.beganMs! ? 3 : 0;
      return agent === 'resolver' ? { bad, all: 4 } : { bad: 2 * bad, all: 8 };
    };
    await shared.take(await shared.look());
    open().clock.advance(6 * HOUR);
    expect((await shared.look()).did).toContain('Nothing is worse');
  });

  test('others at the tool who have had the same trouble since then are not harmed by its cure', async () => {
    const watched = await deployed(open());
    [watched.agent, watched.tool, watched.callers] = ['router', 'geocode', ['router', 'claims']];
    const beganMs = watched.deployedAtMs - 14 * HOUR;
    watched.beganMs = beganMs;
    let illSinceMs = beganMs;
    watched.minute = (atMs, metric, agent) => {
      if (metric !== 'error_rate') return { bad: 0, all: 10 };
      const isIll = agent === 'claims' ? atMs >= illSinceMs : atMs >= beganMs;
      return { bad: isIll && (agent === 'claims' || atMs < watched.deployedAtMs) ? 5 : 0, all: 5 };
    };
    await watched.take(await watched.look());
    open().clock.advance(30 * MINUTE);
    expect((await watched.look()).did).toContain('Nothing is worse');

    // Also where it began a moment ago: half an hour of it among hours without it would make all of it harm.
    const soon = await deployed(open());
    soon.minute = watched.minute;
    illSinceMs = soon.deployedAtMs - 30 * MINUTE;
    const noted = { agent: 'router', tool: 'geocode', callers: watched.callers };
    Object.assign(soon, { ...noted, beganMs: illSinceMs });
    await soon.take(await soon.look());
    open().clock.advance(30 * MINUTE);
    expect((await soon.look()).did).toContain('Nothing is worse');

    // Those who were well until the deployment are.
    const harmful = await deployed(open());
    Object.assign(harmful, { ...noted, beganMs });
    harmful.minute = watched.minute;
    illSinceMs = harmful.deployedAtMs;
    expect((await harmful.until(said)).attestations).toMatchObject([{ verdict: 'degraded' }]);
  });

  test('harm right after somebody committed to the same file is waited out, and not for ever', async () => {
    const harmed = async (
      hours: number,
      commits: Watched['commits'],
      isIn = (hour: number) => hour < hours,
    ) => {
      const watched = await deployed(open());
      watched.agent = 'search';
      const fromMs = watched.deployedAtMs + 10 * HOUR;
      watched.minute = (atMs, metric, agent) => {
        const isIll = metric === 'error_rate' && atMs >= fromMs && isIn((atMs - fromMs) / HOUR);
        return { bad: isIll ? 8 : 0, all: agent === undefined ? 60 : 20 };
      };
      watched.commits = commits.map((one) => ({ ...one, atMs: fromMs - 4 * MINUTE }));
      await watched.take(await watched.look());
      open().clock.advance(10 * HOUR + 30 * MINUTE);
      return watched;
    };
    const commit = { id: 'c'.repeat(40), title: 'Tidy', atMs: 0, paths: ['agents/search.yaml'] };
    const mended = await harmed(2, [commit]);
    const held = await mended.take(await mended.look());
    expect(held.did).toContain('right after somebody committed cccccccccccc (Tidy)');
    expect(held.attestations).toBeUndefined();
    for (const hours of [4, 24]) {
      open().clock.advance(hours * HOUR);
      expect((await mended.look()).attestations ?? []).not.toMatchObject([{ verdict: 'degraded' }]);
    }

    // Harm that comes back hours later is that of its first time.
    const again = await harmed(0, [commit], (hour) => hour < 2 || (hour >= 6 && hour < 8));
    await again.take(await again.look());
    open().clock.advance(6 * HOUR + 30 * MINUTE);
    const back = await again.look();
    expect(back.did).toContain('right after somebody committed');
    expect(back.attestations).toBeUndefined();

    const lasting = await harmed(100, [commit]);
    await lasting.take(await lasting.look());
    open().clock.advance(25 * HOUR);
    expect((await lasting.look()).attestations).toMatchObject([{ verdict: 'degraded' }]);
    // Without a commit, or with one to other files, at once.
    for (const commits of [[], [{ ...commit, paths: ['agents/writer.yaml'] }]]) {
      const own = await harmed(100, commits);
      expect((await own.look()).attestations).toMatchObject([{ verdict: 'degraded' }]);
    }
  });

  test('too little traffic extends it, four weeks at most, and then it is inconclusive, never stable', async () => {
    const watched = await deployed(open());
    watched.minute = (atMs, metric) => ({
      bad: 0,
      all:
        metric === 'error_rate' && (atMs < watched.deployedAtMs || atMs % (16 * HOUR) === 0)
          ? 1
          : 0,
    });
    let step = await watched.take(await watched.look());
    while (watched.sinceMs() < 28 * DAY) {
      expect(step.to).toBeUndefined();
      const { untilMs } = (await readWatch(open().store, watched.id))!;
      open().clock.advance(untilMs - open().clock.nowMs());
      step = await watched.take(await watched.look());
    }
    expect(watched.sinceMs()).toBe(28 * DAY);
    expect(step.did).toContain(`hone rollback ${watched.id}`);
    expect(step).toMatchObject({
      to: 'implemented',
      attestations: [{ kind: 'monitoring', verdict: 'inconclusive' }],
    });
    const extended = (await recorded(open().store)).filter(
      ({ type }) => type === 'monitor.extended',
    );
    expect(extended).toHaveLength(8);
    expect((await readWatch(open().store, watched.id))?.untilMs).toBe(
      watched.deployedAtMs + 28 * DAY,
    );
    expect(await watched.state()).toBe('implemented');

    const before = await open().store.all(`SELECT * FROM ${PROJECTED_TABLES[0]}`);
    const where = { proposal_id: watched.id };
    await open().store.commit({ writes: [{ delete: PROJECTED_TABLES[0], where }] });
    const writes = (await recorded(open().store)).flatMap(projectEntry);
    await open().store.commit({ writes });
    expect(await open().store.all(`SELECT * FROM ${PROJECTED_TABLES[0]}`)).toEqual(before);
  });
});

describe('when it cannot tell', () => {
  const open = storePerTest('memory');
  const atItsEnd = async (watched: Watched) => {
    await watched.take(await watched.look());
    open().clock.advance(DAY);
    return watched.look();
  };

  test('agents that fall silent after a good start did not hold', async () => {
    const watched = await deployed(open());
    watched.minute = (atMs, metric) => ({
      bad: 0,
      all: metric === 'error_rate' && atMs < watched.deployedAtMs + 3 * HOUR ? 20 : 0,
    });
    const step = await atItsEnd(watched);
    expect(step.did).toContain('hardly any telemetry came at the end of the watch');
    expect(step.to).toBeUndefined();
    expect(step.entries).toMatchObject([{ type: 'monitor.extended' }]);
  });

  /** Eight hours of work a day; the deployment is made so many hours into it. */
  const officeHours = (watched: Watched, sinceOpening: number, untilHour = Number.MAX_VALUE) => {
    watched.minute = (atMs, metric) => {
      const hour = (atMs - watched.deployedAtMs) / HOUR;
      const ofDay = (((hour + sinceOpening) % 24) + 24) % 24;
      return { bad: 0, all: metric === 'error_rate' && ofDay < 8 && hour < untilHour ? 20 : 0 };
    };
  };

  test.each([0, 1, 3, 7.5, 8, 12, 23])(
    'agents that work in office hours and go on doing so held, deployed %d hours into the day',
    async (sinceOpening) => {
      for (const baseline of [DAY, 7 * DAY]) {
        const watched = await deployed(open());
        watched.settings = { ...watched.settings, baseline };
        officeHours(watched, sinceOpening);
        expect((await atItsEnd(watched)).to).toBe('implemented');
      }
    },
  );

  test.each([
    [0, 2],
    [3, 2],
    [12, 14],
  ])(
    'and fell silent did not, deployed %d hours into the day and silent after %d',
    async (sinceOpening, untilHour) => {
      const watched = await deployed(open());
      officeHours(watched, sinceOpening, untilHour);
      const step = await atItsEnd(watched);
      expect(step.to).toBeUndefined();
      expect(step.did).toContain('hardly any telemetry came at the end of the watch');
    },
  );

  test('as little as a fifth of the traffic is told, whatever the length of the baseline', async () => {
    const watched = await deployed(open());
    watched.settings = { ...watched.settings, baseline: 7 * DAY };
    watched.minute = (atMs, metric) => ({
      bad: 0,
      all: metric === 'error_rate' ? (atMs < watched.deployedAtMs ? 20 : 4) : 0,
    });
    expect((await atItsEnd(watched)).to).toBe('implemented');
  });

  test('a weekend without harm does not speak of the week: it is watched until a weekday has passed', async () => {
    // The first one of a store moves its clock.
    await deployed(open());
    const friday = Date.UTC(2026, 2, 6, 18);
    open().clock.advance(friday - open().clock.nowMs());
    const late = await deployed(open());
    late.minute = (_, metric) => ({ bad: 0, all: metric === 'error_rate' ? 20 : 0 });
    late.hours = async ({ fromMs, toMs }) => {
      const first = Math.ceil(fromMs / HOUR) * HOUR;
      const hours = Array.from({ length: Math.floor((toMs - first) / HOUR) }, (_, hour) => {
        const atMs = first + hour * HOUR;
        const isOff = [0, 6].includes(new Date(atMs).getUTCDay());
        const none = { failed: 0, timed: 0, latencySumMs: 0, timedWell: 0, latencyWellMs: 0 };
        return { atMs, calls: isOff ? 100 : 1200, ...none, tokens: 0, costUsd: 0 };
      });
      return [{ agent: 'search', tool: 'web', hours }];
    };
    const first = await atItsEnd(late);
    expect(first.to).toBeUndefined();
    expect(first.did).toContain('no such day has passed');
    await late.take(first);
    const { untilMs } = (await readWatch(open().store, late.id))!;
    expect(untilMs).toBe(late.deployedAtMs + 3 * DAY);
    open().clock.advance(2 * DAY);
    expect((await late.look()).to).toBe('implemented');
  });

  test('what fails together with the changed tool is kept with the watch as near to it', async () => {
    const watched = await deployed(open());
    [watched.agent, watched.tool] = ['search', 'web'];
    const bad = [40, 41, 120, 200, 280];
    watched.hours = async ({ fromMs, toMs }) =>
      ['web', 'maps', 'mail'].map((tool) => ({
        agent: tool,
        tool,
        hours: Array.from({ length: (toMs - fromMs) / HOUR }, (_, hour) => {
          const failed = tool !== 'mail' && bad.includes(hour) ? 90 : 2;
          const none = { timed: 0, latencySumMs: 0, timedWell: 0, latencyWellMs: 0 };
          return { atMs: fromMs + hour * HOUR, calls: 100, failed, ...none, tokens: 0, costUsd: 0 };
        }),
      }));
    await watched.take(await watched.look());
    const { baselineDigest } = (await readWatch(open().store, watched.id))!;
    expect((await readBaseline(open().store, baselineDigest)).footing?.sharing).toEqual(['maps']);
  });

  test('what the changed tool’s provider serves as well is kept with the watch as near to it', async () => {
    const watched = await deployed(open());
    [watched.agent, watched.tool] = ['search', 'web'];
    const serves = (provider: string, ...tools: string[]) =>
      tools.map((tool) => ({ tool, provider }));
    watched.served = [...serves('one', 'web', 'maps'), ...serves('other', 'mail', 'post')];
    await watched.take(await watched.look());
    const { baselineDigest } = (await readWatch(open().store, watched.id))!;
    expect((await readBaseline(open().store, baselineDigest)).footing?.sharing).toEqual(['maps']);
  });

  test('no telemetry at all is too little, not stable', async () => {
    const step = await atItsEnd(await deployed(open()));
    expect(step.did).toContain('no telemetry since the deployment');
    expect(step.to).toBeUndefined();
    expect(step.entries).toMatchObject([{ type: 'monitor.extended' }]);
  });

  test('traffic of others does not speak of the agent that was changed', async () => {
    const watched = await deployed(open());
    watched.agent = 'search';
    watched.minute = (atMs, metric, agent) => ({
      bad: 0,
      all: metric === 'error_rate' && (agent === undefined || atMs < watched.deployedAtMs) ? 9 : 0,
    });
    expect((await atItsEnd(watched)).to).toBeUndefined();
  });

  test('traffic with nothing to compare it with is not stable', async () => {
    const watched = await deployed(open());
    watched.minute = (atMs) => ({ bad: 0, all: atMs > watched.deployedAtMs ? 9 : 0 });
    const step = await atItsEnd(watched);
    expect(step.to).toBeUndefined();
    expect(step.did).toContain('nothing to compare with');
  });

  test('harm that came and went while nobody looked is found', async () => {
    const watched = await deployed(open());
    watched.minute = (atMs, metric) => {
      const hour = (atMs - watched.deployedAtMs) / HOUR;
      return metric === 'error_rate'
        ? { bad: hour > 5 && hour < 6 ? 8 : 1, all: 20 }
        : { bad: 0, all: 0 };
    };
    await watched.take(await watched.look());
    open().clock.advance(3 * DAY);
    expect((await watched.look()).attestations).toMatchObject([{ verdict: 'degraded' }]);
  });

  test('what was never deployed is a fault', async () => {
    const watched = await deployed(open());
    const dossier = await readDossier(open().store, watched.id);
    const attestations = dossier.attestations.filter(({ kind }) => kind !== 'deployment');
    await expect(watch({ ...dossier, attestations }, watched.ports())).rejects.toMatchObject({
      code: 'not_deployed',
    });
  });
});
