export { DEFAULT_FORBIDDEN_PATHS, validateSection } from './config-section.ts';
export { POLICY_TESTS, type PolicyTest } from './policy-tests.ts';
export {
  type PartName,
  type PartResult,
  REQUIRED_MODES,
  type Replay,
  type ReplayOutcome,
  type ValidatePorts,
  type ValidateSettings,
} from './types.ts';
export { begin, validate } from './validate.ts';
