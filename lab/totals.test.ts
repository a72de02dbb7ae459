import { expect, test } from 'vitest';
import type { Played } from './play.ts';
import { randomTotals, totals } from './totals.ts';

const run = (over: Partial<Played>): Played => ({
  ...{
    scenario: 'x',
    seed: 1,
    approver: 'blind',
    expected: 'fixed',
    ok: true,
    why: '',
    label: null,
  },
  ...{ harmLeft: false, hoursToImprovement: null, hoursToDetection: null, hoursToRollback: [] },
  ...{
    changes: 0,
    proposals: [],
    right: { deployed: 0, takenBack: 0 },
    harmed: null,
    told: 0,
    stated: [],
  },
  ...{ events: 0, days: [], violations: [], isAlikeForAll: false },
  ...over,
});

const figure = (some: readonly { metric: string; value: number | null }[], metric: string) =>
  some.find((one) => one.metric === metric)?.value;

test('a share is that of the approver with whom it went worse', () => {
  const played = [
    run({}),
    run({ ok: true }),
    run({ approver: 'scripted' }),
    run({ approver: 'scripted', ok: false }),
  ];
  expect(figure(totals(played), 'fixed_share')).toBe(0.5);
  expect(figure(totals(played), 'untouched_share')).toBeNull();
});

test('wrong rollbacks are counted among right changes, places among all proposals that can be judged', () => {
  const proposal = (isRightPlace: boolean | null) =>
    ({ isRightPlace }) as Played['proposals'][number];
  const figures = totals([
    run({ right: { deployed: 3, takenBack: 1 }, proposals: [proposal(true), proposal(null)] }),
    run({ right: { deployed: 1, takenBack: 0 }, proposals: [proposal(false)] }),
  ]);
  expect(figure(figures, 'wrong_rollback_share')).toBe(0.25);
  expect(figure(figures, 'right_place_share')).toBe(0.5);
});

test('in random worlds one that was left alone counts so, told or not', () => {
  const played = [
    run({ expected: 'told', ok: false, label: 'not told' }),
    run({ expected: 'untouched', ok: false, label: 'acted too early', scenario: 'y' }),
  ];
  expect(figure(randomTotals(played), 'untouched_share')).toBe(0.5);
  expect(figure(randomTotals(played), 'worlds')).toBe(2);
});
