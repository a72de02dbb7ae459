export { lookAtAftermath } from './aftermath.ts';
export type { Blame } from './answer.ts';
export { footingIn } from './at-target.ts';
export { footingFor, readBaseline } from './baseline.ts';
export { recordEnded } from './change-store.ts';
export { MonitorError, type MonitorErrorCode } from './errors.ts';
export { judge, type Limits } from './judge.ts';
export {
  type CourseHour,
  courseOf,
  type LateLimits,
  lateHarm,
  MEASURE_SHARES,
} from './late-harm.ts';
export { seriesWords } from './late-words.ts';
export { type Measure, type Series, seriesOf } from './measures.ts';
export { lookAfter } from './probation.ts';
export { type Benefit, type Probation, readProbation } from './probation-rows.ts';
export { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
export { blameOf } from './report.ts';
export { isOverlapping, type Place } from './rings.ts';
export { askRollback, type SuspectedChange, suspectOf } from './suspect.ts';
export { LIKELY } from './tie-back.ts';
export type {
  Baseline,
  Count,
  Fate,
  Finding,
  Judgement,
  MonitorPorts,
  MonitorSettings,
  Reading,
  SeriesBaseline,
  SeriesName,
  SeriesObserved,
  Watch,
} from './types.ts';
export { watch } from './watch.ts';
export { readWatch } from './watch-store.ts';
export { type AtTarget, lookWide, suspicionOf, viewOf } from './wide-look.ts';
