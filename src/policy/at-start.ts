/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { readAutomatic } from './automatic.ts';
export { KillSwitch } from './kill-switch.ts';
export { matchingComponents, openedName } from './path-match.ts';
export { isWeakened, type Switched, Switches } from './switches.ts';
