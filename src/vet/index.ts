export { RUBRIC } from './rubric.ts';
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
