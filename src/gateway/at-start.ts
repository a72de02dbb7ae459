/** The part of this room that a hook loads for every call: keep it small (ADR 005). */
export { Judge, sessionName } from './judge.ts';
export { fullName, isPlainToolName } from './names.ts';
export type { Ask, Caller, TaskContexts, Verdict } from './types.ts';
