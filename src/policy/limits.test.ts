import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SWITCH_MODES } from '../facts/index.ts';
import { judgeLimit, LIMIT_CEILINGS } from './index.ts';

const limits = Object.keys(LIMIT_CEILINGS) as (keyof typeof LIMIT_CEILINGS)[];
const anyCase = fc.record({ count: fc.nat(5000), max: fc.nat(3000) });

test('SWITCH-1 enforced, the configured number holds; observed, what passes above it is marked; off, not', () => {
  fc.assert(
    fc.property(fc.constantFrom(...limits), anyCase, (limit, { count, max }) => {
      const judged = SWITCH_MODES.map((mode) => judgeLimit(limit, { count, max, mode }));
      const [off, observe, enforce] = judged;
      expect(enforce).toEqual({ allowed: count < max, letPass: false, max });
      expect(off!.letPass).toBe(false);
      expect(observe!.allowed).toBe(off!.allowed);
      expect(observe!.letPass).toBe(observe!.allowed && !enforce!.allowed);
    }),
  );
});

test('SWITCH-1 no mode lifts the ceiling (rule 7), and none is below what is configured', () => {
  fc.assert(
    fc.property(fc.constantFrom(...limits), anyCase, (limit, { count, max }) => {
      for (const mode of SWITCH_MODES) {
        const { allowed } = judgeLimit(limit, { count, max, mode });
        if (count >= Math.max(max, LIMIT_CEILINGS[limit])) expect(allowed).toBe(false);
        if (count < max) expect(allowed).toBe(true);
      }
    }),
  );
});
