/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { KillSwitch } from './kill-switch.ts';
export { isWeakened, Switches } from './switches.ts';
