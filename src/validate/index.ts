export { canBeRead, worseMeasures } from './carry.ts';
export { checkPatch, type PatchRules } from './check-patch.ts';
export { DEFAULT_FORBIDDEN_PATHS, validateSection } from './config-section.ts';
export { figuresOf } from './figures.ts';
export { REQUIRED_MODES } from './modes.ts';
export { type PolicyContext, policyContext } from './policy-context.ts';
export { POLICY_TESTS, type PolicyTest } from './policy-tests.ts';
export {
  NODE_INSIDE,
  NotRunnable,
  SandboxRunner,
  type TargetRunner,
} from './target-runner/index.ts';
export type {
  DrawnSessions,
  Replay,
  ReplayCase,
  ReplayOutcome,
  ValidatePorts,
  ValidateSettings,
} from './types.ts';
export { begin, validate } from './validate.ts';
