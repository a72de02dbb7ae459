import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDENTITY } from '../stats/index.ts';
import { type ClueWeights, likelihoods, sharesOf } from './weigh.ts';

const WEIGHTS: ClueWeights = {
  bias: 0,
  nats: { how: { 'a strong': 2, 'b weak': -1 }, tail: { gap: -2, reaches: 1 } },
  calibration: IDENTITY,
};

const of = (...causes: Parameters<typeof likelihoods>[0]) => likelihoods(causes, WEIGHTS);

test('evidence adds up, for and against; a clue that was never met says nothing', () => {
  const [alone] = of({ how: 'a strong' });
  expect(of({ how: 'a strong', tail: 'reaches' })[0]).toBeGreaterThan(alone!);
  expect(of({ how: 'a strong', tail: 'gap' })[0]).toBeCloseTo(0.5);
  expect(of({ how: 'a strong', when: 'files never met' })[0]).toBe(alone);
});

test('causes compete: a rival lowers what is left for the others', () => {
  const [alone] = of({ how: 'a strong' });
  const [first, second] = of({ how: 'a strong' }, { how: 'b weak' });
  expect(first).toBeLessThan(alone!);
  expect(second).toBeLessThan(first!);
});

test('copies share what one would have; of two who want the same of one value the likelier stands for both', () => {
  const cause = (how: string, cure: number, copy: string) => ({
    clues: { how },
    among: { cure, copy },
  });
  const rival = cause('c', 9, 'rival');
  const [one, left] = sharesOf([cause('a strong', 0, 'x'), rival], WEIGHTS);
  const copied = sharesOf([cause('a strong', 0, 'x'), cause('a strong', 1, 'x'), rival], WEIGHTS);
  expect(copied).toEqual([one! / 2, one! / 2, left]);
  const weaker = sharesOf([cause('b weak', 0, 'y'), cause('a strong', 0, 'x'), rival], WEIGHTS);
  expect(weaker).toEqual([0, one, left]);
});

test('unknown keeps five percent', () => {
  const family = fc.constantFrom('a strong', 'b weak', 'c');
  fc.assert(
    fc.property(
      fc.array(family, { maxLength: 20 }),
      fc.integer({ min: -9, max: 9 }),
      (all, bias) => {
        const shares = likelihoods(
          all.map((how) => ({ how })),
          { ...WEIGHTS, bias },
        );
        expect(shares.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(0.95 + 1e-9);
      },
    ),
  );
});
