export { DEFAULT_FORBIDDEN_PATHS, validateSection } from './config-section.ts';
export { POLICY_TESTS, type PolicyTest } from './policy-tests.ts';
export type {
  PartName,
  PartResult,
  Replay,
  ReplayOutcome,
  ValidatePorts,
  ValidateSettings,
} from './types.ts';
export { begin, validate } from './validate.ts';
