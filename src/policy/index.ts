export {
  AUTOMATIC_TIERS,
  type AutomaticState,
  type AutomaticTier,
  readAutomatic,
  setAutomatic,
} from './automatic.ts';
export { CODE_OWNERS_PLACES, type CodeOwners, parseCodeOwners } from './code-owners.ts';
export { CONSTITUTION, type Constitution, type Rule } from './constitution.ts';
export { globsFor, isSpelledOut } from './declared-files.ts';
export { PolicyError, type PolicyErrorCode } from './errors.ts';
export {
  CI_PATHS,
  HONE_PATHS,
  isNamedBy,
  isTestFile,
  isText,
  type JudgingFile,
  judgingFile,
  judgingReason,
} from './judging-files.ts';
export { KillSwitch, type Resumed, type StopFile, type StopState } from './kill-switch.ts';
export { type LetPass, letPassEntry, letPassWords } from './let-pass.ts';
export { judgeLimit, LIMIT_CEILINGS, type LimitVerdict } from './limits.ts';
export { matchingPath, matchingPaths } from './path-patterns.ts';
export { callOf, lockedOut, PolicySet } from './policy-set.ts';
export { GATE_ROWS, PROJECTED_TABLES, projectBody, projectEntry, readRow } from './rebuild.ts';
export { Rights } from './rights.ts';
export type {
  Action,
  PolicyFile,
  RightAnswer,
  RightAsked,
  RightSubject,
  Who,
} from './rights-words.ts';
export { ACTIONS, groupOf } from './rights-words.ts';
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
