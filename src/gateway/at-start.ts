/** The part of this room that a hook and `hone status` load: keep it small (ADR 005). */
export { foreignCode } from './foreign-code.ts';
export { type HookRecord, readHooks } from './hook-store.ts';
export { Judge, type JudgePorts, sessionName } from './judge.ts';
export { fullName, isPlainToolName } from './names.ts';
export type { Ask, Caller, TaskContexts, Verdict } from './types.ts';
