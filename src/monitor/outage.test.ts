/** What is not, or may not be, the change's fault, as the loop sees it. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { readArtifact } from '../artifact/index.ts';
import { readDossier } from '../proposal/index.ts';
import { blameOf, readWatch } from './index.ts';
import { DAY, deployed, HOUR, MINUTE, said, type Watched } from './watches.test-support.ts';

/** Calls of `search` and of all the others, and how many of each minute's twenty fail. */
function fleet(watched: Watched, bad: (atMs: number, agent: 'search' | 'others') => number) {
  watched.agent = 'search';
  watched.minute = (atMs, metric, agent) => {
    if (metric !== 'error_rate') return { bad: 0, all: 0 };
    const own = bad(atMs, 'search');
    return agent === 'search' ? { bad: own, all: 20 } : { bad: own + bad(atMs, 'others'), all: 40 };
  };
}

describe.each(['memory', 'postgres'] as const)('harm that others have as well, on %s', (kind) => {
  const open = storePerTest(kind);
  const blame = async ({ id }: Watched) =>
    blameOf(await readDossier(open().store, id), open().store);
  const extensions = async () =>
    (await recorded(open().store)).filter(({ type }) => type === 'monitor.extended');

  test('an outage takes nothing back: it is told once, watched longer, and judged without it', async () => {
    const watched = await deployed(open());
    const [fromMs, toMs] = [
      watched.deployedAtMs + 3 * HOUR,
      watched.deployedAtMs + 3 * HOUR + 40 * MINUTE,
    ];
    fleet(watched, (atMs) => (atMs >= fromMs && atMs < toMs ? 10 : 1));
    await watched.take(await watched.look());
    open().clock.advance(fromMs - open().clock.nowMs());
    const held = await watched.until(({ entries }) => entries !== undefined);
    expect(held.did).toContain('looks like an outage, not like this change');
    expect(open().clock.nowMs()).toBeLessThan(fromMs + 15 * MINUTE);
    expect((await readWatch(open().store, watched.id))?.untilMs).toBe(
      watched.deployedAtMs + 2 * DAY,
    );
    for (let look = 0; look < 30; look++) {
      expect(said(await watched.take(await watched.look()))).toBe(false);
      open().clock.advance(10 * MINUTE);
    }
    expect(await extensions()).toHaveLength(1);
    open().clock.advance(watched.deployedAtMs + 2 * DAY - open().clock.nowMs());
    const last = await watched.take(await watched.look());
    expect(last).toMatchObject({ to: 'implemented' });
    expect(last.did).toContain('(5.0 %, before 5.0 %)');
  });

  test('what does not pass is taken back after the hold, in doubt', async () => {
    const watched = await deployed(open());
    const fromMs = watched.deployedAtMs + 3 * HOUR;
    fleet(watched, (atMs) => (atMs >= fromMs ? 10 : 1));
    await watched.take(await watched.look());
    open().clock.advance(fromMs - open().clock.nowMs());
    const step = await watched.until(said);
    expect(step.attestations).toMatchObject([{ verdict: 'degraded' }]);
    expect(step.did).toContain('in doubt');
    expect(open().clock.nowMs() - fromMs).toBeGreaterThanOrEqual(HOUR);
    expect(open().clock.nowMs() - fromMs).toBeLessThan(HOUR + 5 * MINUTE);
    expect(await blame(watched)).toBe('doubt');
  });

  test('harm to the agent alone is its own, and called at once', async () => {
    const watched = await deployed(open());
    const fromMs = watched.deployedAtMs + 3 * HOUR;
    fleet(watched, (atMs, agent) => (agent === 'search' && atMs >= fromMs ? 10 : 1));
    await watched.take(await watched.look());
    open().clock.advance(fromMs - open().clock.nowMs());
    const step = await watched.until(said);
    expect(open().clock.nowMs() - fromMs).toBeLessThanOrEqual(5 * MINUTE);
    expect(step.did).not.toContain('doubt');
    expect(await blame(watched)).toBe('own');
  });

  test('of two watched changes, harm elsewhere takes back the newest only', async () => {
    const older = await deployed(open());
    const fromMs = older.deployedAtMs + 4 * HOUR;
    const isBad = (atMs: number) => atMs >= fromMs && atMs < fromMs + 15 * MINUTE;
    const bad = (atMs: number, agent: string) => (agent === 'others' && isBad(atMs) ? 10 : 1);
    fleet(older, bad);
    await older.take(await older.look());
    open().clock.advance(2 * HOUR);
    const newer = await deployed(open());
    fleet(newer, bad);
    await newer.take(await newer.look());
    open().clock.advance(fromMs + 11 * MINUTE - open().clock.nowMs());
    expect(said(await older.take(await older.look()))).toBe(false);
    expect(await newer.take(await newer.look())).toMatchObject({
      attestations: [{ verdict: 'degraded' }],
      did: expect.stringContaining('it is the newest'),
    });
    // Taken back, and so it passes; the older one is watched to its end and kept.
    for (let look = 0; look < 20; look++) {
      open().clock.advance(15 * MINUTE);
      expect(said(await older.take(await older.look()))).toBe(false);
    }
    expect(await older.state()).toBe('monitoring');
    const { untilMs } = (await readWatch(open().store, older.id))!;
    open().clock.advance(untilMs - open().clock.nowMs());
    expect(await older.take(await older.look())).toMatchObject({ to: 'implemented' });
  });
});

describe('a deployment that was recorded hours after it', () => {
  const open = storePerTest('memory');

  test('is compared with what came before the branch moved, and judged from there', async () => {
    const watched = await deployed(open());
    const movedAtMs = watched.deployedAtMs - 5 * HOUR;
    watched.movedAtMs = movedAtMs + 3000;
    fleet(watched, (atMs) => (atMs >= movedAtMs ? 4 : 1));
    await watched.take(await watched.look());
    const row = (await readWatch(open().store, watched.id))!;
    expect(row.startedAtMs).toBe(movedAtMs);
    const bytes = (await readArtifact(open().store, row.baselineDigest)).content;
    const { series } = JSON.parse(Buffer.from(bytes).toString());
    expect(series[0].hours).toEqual(Array(24).fill({ bad: 120, all: 2400 }));
    expect(await watched.take(await watched.look())).toMatchObject({
      attestations: [{ verdict: 'degraded' }],
    });
  });

  test('is never compared with what came after its record', async () => {
    const watched = await deployed(open());
    watched.movedAtMs = watched.deployedAtMs + HOUR;
    await watched.take(await watched.look());
    expect((await readWatch(open().store, watched.id))?.startedAtMs).toBe(watched.deployedAtMs);
  });
});

describe.each(['memory', 'postgres'] as const)('whose harm it is, by tool, on %s', (kind) => {
  const open = storePerTest(kind);

  /** `search` and `clerk` share a tool; what fails of twenty calls of each a minute, by agent and tool. */
  function shared(
    watched: Watched,
    bad: (atMs: number, agent: 'search' | 'clerk', tool: 'find' | 'mail') => number,
  ) {
    const agents = ['search', 'clerk'] as const;
    const tools = ['find', 'mail'] as const;
    watched.agent = 'search';
    watched.tool = 'find';
    watched.callers = agents;
    watched.minute = (atMs, metric, agent, tool) => {
      if (metric !== 'error_rate') return { bad: 0, all: 0 };
      let [failed, all] = [0, 0];
      for (const one of agents.filter((name) => agent === undefined || name === agent)) {
        for (const each of tools.filter((name) => tool === undefined || name === tool)) {
          failed += bad(atMs, one, each);
          all += 20;
        }
      }
      return { bad: failed, all };
    };
    watched.calls = async ({ fromMs, toMs }) =>
      agents.flatMap((agent) =>
        tools.map((tool) => ({
          agent,
          tool,
          bins: Array.from({ length: Math.floor((toMs - fromMs) / MINUTE) }, (_, minute) => {
            const atMs = fromMs + minute * MINUTE;
            return { atMs, bad: bad(atMs, agent, tool), all: 20 };
          }),
        })),
      );
  }

  test('an agent that shares the tool and got worse at it takes the change back, however much the changed one gained', async () => {
    const watched = await deployed(open());
    const fromMs = watched.deployedAtMs + 2 * HOUR;
    shared(watched, (atMs, agent, tool) => {
      if (tool === 'mail') return 1;
      if (agent === 'search') return atMs < watched.deployedAtMs ? 10 : 0;
      return atMs >= fromMs ? 5 : 1;
    });
    await watched.take(await watched.look());
    open().clock.advance(fromMs - open().clock.nowMs());
    const step = await watched.until(said);
    expect(step.attestations).toMatchObject([{ verdict: 'degraded' }]);
    expect(step.did).toContain('of find by clerk');
    expect(open().clock.nowMs() - fromMs).toBeLessThan(HOUR);
  });

  /** Two changes at the tool that `clerk` shares with both, and from some time on its calls fail there. */
  async function twoAtOneTool(isHarmed: (atMs: number) => boolean) {
    const bad = (atMs: number, agent: string, tool: string) =>
      agent === 'clerk' && tool === 'find' && isHarmed(atMs) ? 6 : 1;
    const one = async () => {
      const watched = await deployed(open());
      shared(watched, bad);
      await watched.take(await watched.look());
      return watched;
    };
    const older = await one();
    open().clock.advance(2 * HOUR);
    return { older, newer: await one() };
  }

  test('of two changes that nobody can tell apart the newest is taken back, in doubt; where that helps, the other stays', async () => {
    let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const { older, newer } = await twoAtOneTool((atMs) => atMs >= fromMs && atMs < toMs);
    fromMs = newer.deployedAtMs + 2 * HOUR;
    open().clock.advance(fromMs + 30 * MINUTE - open().clock.nowMs());
    expect(said(await older.take(await older.look()))).toBe(false);
    const taken = await newer.take(await newer.look());
    expect(taken.attestations).toMatchObject([{ verdict: 'degraded' }]);
    expect(taken.did).toContain('another change');
    toMs = open().clock.nowMs() + 10 * MINUTE;
    for (let look = 0; look < 8; look++) {
      open().clock.advance(15 * MINUTE);
      expect(said(await older.take(await older.look()))).toBe(false);
    }
  });

  test('and where it does not help, the other is taken back after the hold', async () => {
    let fromMs = Number.POSITIVE_INFINITY;
    const { older, newer } = await twoAtOneTool((atMs) => atMs >= fromMs);
    fromMs = newer.deployedAtMs + 2 * HOUR;
    open().clock.advance(fromMs + 30 * MINUTE - open().clock.nowMs());
    expect(said(await newer.take(await newer.look()))).toBe(true);
    open().clock.advance(30 * MINUTE);
    expect(said(await older.take(await older.look()))).toBe(false);
    open().clock.advance(35 * MINUTE);
    expect(await older.take(await older.look())).toMatchObject({
      attestations: [{ verdict: 'degraded' }],
    });
  });

  test.each([true, false])(
    'and so by the hour, where only counts of two weeks show it (goes on: %s)',
    async (goesOn) => {
      let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      const { older, newer } = await twoAtOneTool(() => false);
      fromMs = newer.deployedAtMs + 2 * HOUR;
      const hour = (atMs: number, isHarmed: boolean) => {
        const failed = isHarmed && atMs >= fromMs && atMs < toMs ? 30 : 3;
        const none = { timed: 0, latencySumMs: 0, timedWell: 0, latencyWellMs: 0 };
        return { atMs, calls: 60, failed, ...none, tokens: 0, costUsd: 0 };
      };
      for (const one of [older, newer])
        one.hours = async (window) =>
          (['search', 'clerk'] as const).map((agent) => ({
            agent,
            tool: 'find',
            hours: Array.from(
              { length: Math.floor((window.toMs - window.fromMs) / HOUR) },
              (_, at) =>
                hour(Math.ceil(window.fromMs / HOUR) * HOUR + at * HOUR, agent === 'clerk'),
            ),
          }));
      /** At the first look after each hour. */
      const hourly = async (watched: Watched, hours: number) => {
        for (let at = 0; at < hours; at++) {
          open().clock.advance(HOUR - ((open().clock.nowMs() - 6 * MINUTE) % HOUR));
          const step = await watched.take(await watched.look());
          if (said(step)) return step;
        }
        return undefined;
      };
      const taken = await hourly(newer, 12);
      expect(taken?.did).toContain('nobody can tell which');
      if (!goesOn) toMs = open().clock.nowMs();
      expect(await hourly(older, 2)).toBeUndefined();
      const last = await hourly(older, 4);
      if (goesOn) expect(last?.attestations).toMatchObject([{ verdict: 'degraded' }]);
      else expect(last).toBeUndefined();
    },
  );

  test('trouble at a tool that the change is not about, for others as well, takes nothing back', async () => {
    const watched = await deployed(open());
    const [fromMs, toMs] = [watched.deployedAtMs + 3 * HOUR, watched.deployedAtMs + 5 * HOUR];
    shared(watched, (atMs, agent, tool) => {
      if (tool === 'mail') return atMs >= fromMs && atMs < toMs ? 16 : 1;
      return agent === 'search' && atMs < watched.deployedAtMs ? 6 : 1;
    });
    await watched.take(await watched.look());
    open().clock.advance(fromMs - open().clock.nowMs());
    const held = await watched.until(({ did }) => did.includes('somebody else'));
    expect(held.attestations).toBeUndefined();
    open().clock.advance(toMs + HOUR - open().clock.nowMs());
    expect(said(await watched.take(await watched.look()))).toBe(false);
    open().clock.advance(watched.deployedAtMs + 2 * DAY - open().clock.nowMs());
    expect(await watched.take(await watched.look())).toMatchObject({ to: 'implemented' });
  });
});
