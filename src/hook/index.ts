export { type HookIo, runHook } from './hook.ts';
