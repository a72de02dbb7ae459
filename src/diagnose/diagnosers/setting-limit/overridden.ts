/**
 * Who goes by a number of their own in place of one for all: their file says the same key with a longer time, and what is cut off at the
 * number for all ends in their time. That shows what the number does, whatever its key is called. Pure.
 */
import { shareWithin } from '../../latency-shape.ts';
import { ownershipOf, placeOf } from '../../ownership.ts';
import type { Failure, Setting } from '../../types.ts';
import { UNIT_MS } from './quantities.ts';

/** A little later is no other limit. */
const LONGER = 1.25;
/** Fewer that end late may be chance. */
const LATE_MIN = 5;

export function overriddenBy(
  { file, steps }: Setting,
  limitMs: number,
  {
    failure: { agent, tool },
    settings,
    all,
  }: {
    readonly failure: Pick<Failure, 'agent' | 'tool'>;
    readonly settings: readonly Setting[];
    readonly all: readonly Failure[];
  },
): readonly string[] {
  const place = placeOf(steps);
  const others = settings.filter(
    (one) => one.file !== file && placeOf(one.steps) === place && waitsLonger(one, limitMs),
  );
  if (others.length === 0 || tool === '') return [];
  const found = all.filter((other) => {
    if (other.tool !== tool || other.agent === agent || other.succeededLatency === null)
      return false;
    const late =
      other.succeededLatency.count *
      shareWithin(other.succeededLatency, LONGER * limitMs, Number.POSITIVE_INFINITY);
    const isOwn = (one: Setting) =>
      ['agent', 'both'].includes(ownershipOf(one, other.agent, other.tool));
    return late >= LATE_MIN && others.some(isOwn);
  });
  return [...new Set(found.map((other) => other.agent))];
}

function waitsLonger({ value, unit }: Setting, limitMs: number): boolean {
  if (typeof value !== 'number') return false;
  const readings = unit === null ? [value, value * 1000] : [value * UNIT_MS[unit]];
  return readings.some((ms) => ms >= LONGER * limitMs);
}
