/**
 * The numbers that the parts of the online detector share for the point at hand, in one flat array.
 * V8 boxes a double that crosses a call which it does not inline, and keeps double fields of objects
 * behind a pointer: with arguments and fields a point cost 250 ns and fed the garbage collector, with
 * this sheet it costs half and allocates nothing.
 */

/** The questions that are asked about every point, in the order of their cells. */
export const WITNESSES = [
  'level',
  'jump',
  'step for the time of day',
  'recent level for the time of day',
  'stillness',
] as const;
export type Witness = (typeof WITNESSES)[number];

export const Cell = {
  /** The point itself. */
  timeMs: 0,
  value: 1,
  /** How many points came before, this one included. */
  count: 2,
  /** The usual time between points; 0 while unknown. */
  intervalMs: 3,
  previousMs: 4,
  /** Running median and mean distance from it. */
  level: 5,
  spread: 6,
  /** Inverse of the metric's unit, fixed once so that histories stay comparable; 0 while unknown. */
  perUnit: 7,
  /** Average of the last two points, and of the last dozen deviations for their times. */
  fast: 8,
  recentForTime: 9,
  /** Distance from what the season expects, and how it usually is, at all times and at this one. */
  deviation: 10,
  deviationSpread: 11,
  /** Distance from what the season and the previous point expect. */
  step: 12,
  stepSpread: 13,
  /** Lagged product and square of deviations: how much of one carries over to the next. */
  lagged: 14,
  squared: 15,
  previousDeviation: 16,
  previousValue: 17,
  stillPoints: 18,
  /** From the season: whether this time was seen before, what it brings, how far it usually strays. */
  seasonKnown: 19,
  seasonExpected: 20,
  seasonSpread: 21,
  seasonStepSpread: 22,
  /** What came out: the smallest probability and whose it is (twice the witness, plus 1 for down). */
  probability: 23,
  speaker: 24,
  /** One cell per witness: what it saw, and the least that is worth saying. */
  seen: 25,
  least: 25 + WITNESSES.length,
} as const;

export const SHEET_CELLS = Cell.least + WITNESSES.length;
