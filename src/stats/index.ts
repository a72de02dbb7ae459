/** What other rooms may use of the statistics. */
export { ALARM_PROBABILITY, AlarmGate, QUIET_POINTS } from './alarm-gate.ts';
export { type BootstrapOptions, type BootstrapResult, bootstrapInterval } from './bootstrap.ts';
export { type BoundedMeanOptions, BoundedMeanWatch } from './bounded-mean.ts';
export { type Change, type ChangeReport, findChangePoints } from './change-points.ts';
export { type LaggedCorrelation, laggedCorrelation } from './correlation.ts';
export { WITNESSES, type Witness } from './detector-sheet.ts';
export {
  betaCdf,
  betaQuantile,
  betaSf,
  binomialCdf,
  binomialSf,
  chiSquareCdf,
  chiSquareQuantile,
  chiSquareSf,
  fisherCdf,
  fisherSf,
  normalCdf,
  normalQuantile,
  normalSf,
  poissonCdf,
  poissonSf,
  studentCdf,
  studentQuantile,
  studentSf,
} from './distributions.ts';
export { StatsError, type StatsErrorCode } from './errors.ts';
export { type FairShare, fairShare } from './fair-share.ts';
export {
  decideTrial,
  type GuardRailReading,
  guardRailAlpha,
  type MetricReading,
  type PrimaryReading,
  type TrialDecision,
} from './guard-rails.ts';
export {
  clopperPearsonInterval,
  newcombeInterval,
  type PairCounts,
  pairedInterval,
  type RateCount,
  wilsonInterval,
} from './intervals.ts';
export { LateRate, type LateRateOptions } from './late-rate.ts';
export { type Adjusted, benjaminiHochberg } from './multiplicity.ts';
export { OnlineDetector, type Reading } from './online-detector.ts';
export { fitLine, IDENTITY, type Line, type Outcome, onLine } from './platt.ts';
export { mannWhitney, type RankTest } from './rank-test.ts';
export {
  type CountBin,
  findRateLevels,
  likeliestStep,
  type RateLevel,
  type Step,
} from './rate-levels.ts';
export {
  type Arm,
  type ArmCounts,
  RateTrial,
  type RateTrialOptions,
  type TrialStatus,
} from './rate-trial.ts';
export {
  type Baseline,
  type RateStatus,
  RateWatch,
  type RateWatchOptions,
} from './rate-watch.ts';
export {
  type MeanSequenceOptions,
  Moments,
  type MomentsView,
  meanDifferenceSequence,
  meanSequence,
  rateSequence,
} from './sequences.ts';
export { mannKendall, type Trend } from './trend.ts';
export type { Interval } from './types.ts';
