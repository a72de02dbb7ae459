/** A store that is opened when it is first used: a damaged one must not stop those who do not need it. */
import type { Engine, Store } from './types.ts';

export function lazyStore(
  where: { readonly engine: Engine; readonly location: string },
  open: () => Promise<Store>,
): Store {
  let opening: Promise<Store> | undefined;
  let untold = 0;
  const opened = (): Promise<Store> => {
    // If it could not be opened, the next caller tries again: it may have been fixed.
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    ...where,
    commit: async (plan) => (await opened()).commit(plan),
    claim: async (claim) => (await opened()).claim(claim),
    // One that cannot tell has another content each time.
    revision: async () => (await (await opened()).revision?.()) ?? `untold ${untold++}`,
    all: async (sql, parameters) => (await opened()).all(sql, parameters),
    nowMs: async () => (await opened()).nowMs(),
    notify: async (channel) => (await opened()).notify(channel),
    listen: async (channel, wake) => (await opened()).listen(channel, wake),
    close: async () => (await opening)?.close(),
  };
}
