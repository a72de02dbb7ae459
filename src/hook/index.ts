export { type HookContext, type HookIo, runHook } from './hook.ts';
