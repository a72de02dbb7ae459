/** Telemetry and clocks that are not as they should be: a watch never says "stable" for want of data. */
import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { DAY, deployed, HOUR, MINUTE, said, type Watched } from './watches.test-support.ts';

const open = storePerTest('memory');

/** Twenty calls in every minute; `bad` of them fail, `all` are told. */
const told = (
  watched: Watched,
  {
    bad = () => 1,
    isTold = () => true,
  }: { bad?(hour: number): number; isTold?(hour: number): boolean },
) => {
  watched.minute = (atMs, metric) => {
    const hour = (atMs - watched.deployedAtMs) / HOUR;
    if (metric !== 'error_rate' || !isTold(hour)) return { bad: 0, all: 0 };
    return { bad: bad(hour), all: 20 };
  };
};

const lookAfter = async (watched: Watched, ms: number) => {
  open().clock.advance(ms);
  return watched.take(await watched.look());
};

describe('telemetry that comes late', () => {
  const late = async (bad: (hour: number) => number) => {
    const watched = await deployed(open());
    let isThere = false;
    told(watched, { bad, isTold: (hour) => hour < 2 || isThere });
    await lookAfter(watched, 0);
    const atTheEnd = await lookAfter(watched, DAY);
    isThere = true;
    return { atTheEnd, after: await lookAfter(watched, DAY) };
  };

  test('is waited for', async () => {
    const { atTheEnd, after } = await late(() => 1);
    expect(atTheEnd.to).toBeUndefined();
    expect(atTheEnd.entries).toMatchObject([{ type: 'monitor.extended' }]);
    expect(after.to).toBe('implemented');
  });

  test('shows the harm that nobody saw', async () => {
    const { after } = await late((hour) => (hour > 10 && hour < 14 ? 12 : 1));
    expect(after.attestations).toMatchObject([{ verdict: 'degraded' }]);
  });
});

test('minutes out of order, and of one minute in parts, are counted as they are', async () => {
  const watched = await deployed(open());
  told(watched, { bad: (hour) => (hour > 3 ? 4 : 1) });
  const { rates } = watched.ports();
  watched.ports = ((ports) => () => ({
    ...ports.call(watched),
    rates: async (...asked: Parameters<typeof rates>) => {
      const bins = await rates(...asked);
      const parts = bins.flatMap(({ atMs, bad, all }) => [
        { atMs: atMs + 40_000, bad: bad - Math.floor(bad / 2), all: all / 2 },
        { atMs: atMs + 20_000, bad: Math.floor(bad / 2), all: all / 2 },
      ]);
      return parts.reverse();
    },
  }))(watched.ports);
  const step = await watched.until(said);
  expect(step.attestations).toMatchObject([{ verdict: 'degraded' }]);
  expect(watched.sinceMs()).toBeGreaterThan(3 * HOUR);
  expect(watched.sinceMs()).toBeLessThan(5 * HOUR);
});

describe('a clock that jumps', () => {
  test.each([2 * DAY, 40 * DAY, 400 * DAY])(
    'ahead by %d ms: what was not seen in between is not stable',
    async (aheadMs) => {
      const watched = await deployed(open());
      told(watched, { isTold: (hour) => hour < 3 });
      await lookAfter(watched, 0);
      await lookAfter(watched, 3 * HOUR);
      const step = await lookAfter(watched, aheadMs);
      expect(step.attestations).toBeUndefined();
      expect(step.entries).toMatchObject([{ type: 'monitor.extended' }]);
    },
  );

  test('back, and forward again: it is neither over before its time nor without an end', async () => {
    const watched = await deployed(open());
    told(watched, {});
    await lookAfter(watched, 0);
    await lookAfter(watched, 2 * HOUR);
    const step = await lookAfter(watched, -5 * HOUR);
    expect(step.attestations).toBeUndefined();
    expect(step.dueAtMs! - open().clock.nowMs()).toBeLessThanOrEqual(5 * MINUTE);
    await lookAfter(watched, 5 * HOUR);
    expect((await lookAfter(watched, 20 * HOUR)).to).toBeUndefined();
    expect((await lookAfter(watched, 2 * HOUR)).to).toBe('implemented');
  });
});

test('an agent that is renamed with the change was not seen, and its new name is not it', async () => {
  const watched = await deployed(open());
  watched.agent = 'search';
  watched.minute = (atMs, metric, agent) => {
    const isNew = atMs > watched.deployedAtMs;
    const isTold = agent === undefined || agent === (isNew ? 'search-2' : 'search');
    return { bad: 0, all: metric === 'error_rate' && isTold ? 20 : 0 };
  };
  await lookAfter(watched, 0);
  const atTheEnd = await lookAfter(watched, DAY);
  expect(atTheEnd.entries).toMatchObject([{ type: 'monitor.extended' }]);
  let step = atTheEnd;
  for (let day = 2; day <= 28; day++) {
    expect(step.to).toBeUndefined();
    step = await lookAfter(watched, DAY);
  }
  expect(step.attestations).toMatchObject([{ verdict: 'inconclusive' }]);
});

test('failures that never were are a baseline, and their first ones are harm', async () => {
  const watched = await deployed(open());
  told(watched, { bad: (hour) => (hour > 2 ? 1 : 0) });
  const step = await watched.until(said);
  expect(step.attestations).toMatchObject([{ verdict: 'degraded' }]);
  expect(watched.sinceMs()).toBeLessThan(4 * HOUR);
});
