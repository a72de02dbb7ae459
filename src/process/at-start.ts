/** The part of this room that a hook loads for every call: keep it small (ADR 005). */
export { taskOfSession } from './task-store.ts';
