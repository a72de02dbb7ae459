export { diagnoseSection } from './config-section.ts';
export { diagnose } from './diagnose.ts';
export { seenWords } from './files-seen.ts';
export {
  knownPatterns,
  listPatterns,
  type PatternRow,
  patternParts,
  readPattern,
} from './pattern-store.ts';
export { readSettings } from './read-settings.ts';
export { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
export { recurringPatterns } from './recurring.ts';
export type {
  DiagnoseInput,
  DiagnoseLimits,
  Diagnosis,
  KnownPattern,
  Setting,
  SettingsReading,
  Step,
  TimeUnit,
} from './types.ts';
