/** What use cases get in `hone up`: the installation and the loop that are open already, for as long as the server is. */
import type { AppContext, Opened, OpenLoop } from '../app/context.ts';
import type { Log } from '../base/index.ts';

export function servedContext(
  context: AppContext,
  { opened, open, log }: { opened: Opened; open: OpenLoop; log: Log },
): AppContext {
  // What a request opens stays open afterwards.
  const kept = { ...opened, madePrivate: [], close: () => Promise.resolve() };
  const keptLoop = { ...open, [Symbol.asyncDispose]: () => Promise.resolve() };
  return {
    ...context,
    door: 'http',
    hasWorkers: true,
    open: () => Promise.resolve(kept),
    openLoop: () => Promise.resolve(keptLoop),
    remark: (text) => log.warn('a request', { remark: text }),
    progress: () => {},
  };
}
