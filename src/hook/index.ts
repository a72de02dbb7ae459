export { CLIENTS, type ClientName } from './clients.ts';
export { type HookIo, runHook } from './hook.ts';
