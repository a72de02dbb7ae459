export {
  type FinishedRun,
  listSchedules,
  nextTime,
  type RunOutcome,
  runIfDue,
  type Schedule,
  type SchedulePorts,
  type ScheduleRun,
  type ScheduleState,
} from './schedules.ts';
