export { providerOf } from './providers.ts';
export { type OpenModelProxy, openModelProxy } from './proxy.ts';
export { Purse } from './purse.ts';
export type { ModelRecord } from './types.ts';
