export { type BaselineHour, judgeBaseline } from './baseline.ts';
export {
  type HealthCheck,
  type HealthState,
  type OwnFigures,
  ownHealth,
  worst,
} from './health.ts';
export { checkInvariants, type InvariantInput, type Violation } from './invariants.ts';
export { type HourCount, type RateChange, rateChange } from './rate-change.ts';
export {
  type ConfidenceBand,
  confidenceBands,
  type TrackCheck,
  type TrackFigures,
  trackChecks,
} from './track-record.ts';
