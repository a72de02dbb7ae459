export {
  CI_PATHS,
  CONSTITUTION,
  type Constitution,
  HONE_PATHS,
  JUDGING_PATHS,
  matchingPath,
  type Rule,
  TEST_PATHS,
} from './constitution.ts';
export { KillSwitch, type Resumed, type StopFile, type StopState } from './kill-switch.ts';
export { type LetPass, letPassEntry, letPassWords } from './let-pass.ts';
export { judgeLimit, LIMIT_CEILINGS, type LimitVerdict } from './limits.ts';
export { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
export {
  ENFORCED,
  FIXED_GATES,
  isWeakened,
  isWeaker,
  type Switched,
  Switches,
  type SwitchSet,
  type SwitchState,
  type WithSwitch,
} from './switches.ts';
