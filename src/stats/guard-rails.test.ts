import { describe, expect, it } from 'vitest';
import { StatsError } from './errors.ts';
import { decideTrial, type GuardRailReading, guardRailAlpha } from './guard-rails.ts';

const errors = (low: number, high: number, minimumEffect = 0.05) => ({
  name: 'error rate',
  change: { low, high },
  badDirection: 'up' as const,
  minimumEffect,
});
const latency = (low: number, high: number): GuardRailReading => ({
  name: 'latency',
  change: { low, high },
  badDirection: 'up',
  tolerance: 0.1,
});

describe('one decision from several metrics', () => {
  it('ships when the primary improves and every rail holds', () => {
    expect(decideTrial(errors(-0.2, -0.06), [latency(-0.05, 0.08)]).decision).toBe('ship');
    expect(decideTrial(errors(-0.2, -0.06), []).decision).toBe('ship');
  });

  it('stops on a harmed rail, however good the primary is', () => {
    const { decision, reasons } = decideTrial(errors(-0.5, -0.4), [latency(0.12, 0.3)]);
    expect(decision).toBe('stop');
    expect(reasons.join()).toMatch(/latency is harmed/);
  });

  it('stops when the smallest effect is out of reach', () => {
    expect(decideTrial(errors(-0.04, 0.02), [latency(-0.05, 0.05)]).decision).toBe('stop');
  });

  it('goes on while something is open, and says what', () => {
    const open = decideTrial(errors(-0.2, 0.01), [latency(-0.05, 0.2)]);
    expect(open.decision).toBe('continue');
    expect(open.reasons).toHaveLength(2);
    expect(decideTrial(errors(-Infinity, Infinity), []).decision).toBe('continue');
  });

  it('reads a metric whose fall is bad the other way round', () => {
    const success = { name: 'success', badDirection: 'down' as const, minimumEffect: 0.02 };
    expect(decideTrial({ ...success, change: { low: 0.03, high: 0.09 } }, []).decision).toBe(
      'ship',
    );
    expect(decideTrial({ ...success, change: { low: -0.09, high: -0.03 } }, []).decision).toBe(
      'stop',
    );
  });

  it('divides alpha among the rails', () => {
    expect(guardRailAlpha(0.05, 5)).toBeCloseTo(0.01, 12);
    expect(guardRailAlpha(0.05, 0)).toBe(0.05);
    expect(() => guardRailAlpha(0, 1)).toThrow(StatsError);
  });
});
