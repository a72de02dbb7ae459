/** The part of this room that a start of `hone` may load: keep it small (ADR 005). */
export { newcombeInterval, type RateCount } from './intervals.ts';
export type { Interval } from './types.ts';
