/** Where the store is, for code that copies all of it. */
import { resolveStore } from '../config/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import { StoreError } from '../store/index.ts';
import type { AppContext } from './context.ts';

/** Undefined on SQLite. */
export function databaseUrl(
  { environment }: Pick<AppContext, 'environment'>,
  { store }: Pick<HoneConfig, 'store'>,
): string | undefined {
  const target = resolveStore(store.url, environment);
  if (!target.ok) {
    throw new StoreError('unreachable', target.message, { hint: 'Set it, then try again.' });
  }
  return target.engine === 'sqlite' ? undefined : target.url;
}
