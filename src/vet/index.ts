export { RUBRIC } from './rubric.ts';
export {
  findSubmitted,
  listSubmissions,
  planSubmit,
  type Submission,
  type Submitting,
  submissionsFrom,
} from './submission-store.ts';
export type {
  Check,
  CheckOutcome,
  CheckResult,
  KnownPattern,
  Rubric,
  VetLimits,
  VetPorts,
} from './types.ts';
export { vet } from './vet.ts';
