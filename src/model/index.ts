export { providerOf } from './providers.ts';
export { type OpenModelProxy, openModelProxy } from './proxy.ts';
export { forgetPurses, Purse, purses } from './purse.ts';
export type { ModelRecord } from './types.ts';
