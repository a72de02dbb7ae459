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
export { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
export { Switches, type SwitchSet, type SwitchState } from './switches.ts';
