export { lastFailed, listSchedules } from './schedule-view.ts';
export { nextTime, runIfDue, scheduleStates } from './schedules.ts';
export type {
  FinishedRun,
  RunOutcome,
  RunParts,
  RunResult,
  Schedule,
  SchedulePorts,
  ScheduleRun,
  ScheduleState,
} from './types.ts';
