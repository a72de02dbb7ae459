export { changesAfter, type OutcomeChange } from './after-commits.ts';
export { CLUE_WEIGHTS } from './clue-weights.ts';
export type { Clues } from './clues.ts';
export { diagnose } from './diagnose.ts';
export { DIAGNOSERS } from './diagnosers.ts';
export { endedAt } from './ended.ts';
export { seenWords } from './files-seen.ts';
export { firstWrongStep, type SessionStep } from './first-wrong-step.ts';
export {
  forgetPlan,
  type IgnoredPattern,
  ignoredPatterns,
  ignorePlan,
} from './ignored-patterns.ts';
export { isOnePlace, mergedPatterns, mergePlan } from './merged-patterns.ts';
export { seriesOf } from './occurrences.ts';
export {
  findPattern,
  knownPatterns,
  listPatterns,
  type PatternRow,
  patternParts,
  readPattern,
} from './pattern-store.ts';
export { readSettings } from './read-settings.ts';
export { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
export { findShifts } from './shifts/find-shifts.ts';
export { type AgentRun, type FaultKind, type RunStep, stepFaults } from './step-faults.ts';
export { isToldOnly, settingSubject } from './subjects.ts';
export type {
  Cause,
  Depth,
  DiagnoseLimits,
  DiagnosePorts,
  Diagnoser,
  Diagnosis,
  Evidence,
  Failure,
  KnownPattern,
  Reason,
  Recurring,
  Setting,
  SettingsReading,
  Step,
  TimeUnit,
} from './types.ts';
export { type Among, type ClueWeights, type Competitor, sharesOf } from './weigh.ts';
