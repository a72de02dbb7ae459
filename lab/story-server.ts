/**
 * The dashboard of a simulated installation, for whoever wants to watch the story. It shows what the simulation's own
 * loop does and takes no step itself. Whoever opens it may look; its pages are built when somebody does.
 */
import { systemClock } from '../src/base/index.ts';
import type { Context, Server } from '../src/cli/context.ts';
import type { Actor } from '../src/facts/index.ts';

export const WATCH = 'Watch this act in a browser; the address works once, for a minute:';
export const STILL_THERE = 'Its dashboard stays until you go on; a new address:';

const ONLOOKER: Actor = { kind: 'agent', id: 'onlooker', verified: 'local' };

export interface StoryServer extends AsyncDisposable, Pick<Server, 'url' | 'prepareDashboard'> {
  /** An address that opens the dashboard, once and within a minute. */
  address(): Promise<string>;
}

/** `who`: a person may also decide there. */
export async function openStoryServer(
  lab: { context(): Context },
  who: Actor = ONLOOKER,
): Promise<StoryServer> {
  await using closing = new AsyncDisposableStack();
  const context = lab.context();
  const opened = await context.open();
  closing.defer(() => opened.close());
  const server = await context.startServer(opened, 0, { clock: systemClock, who });
  closing.defer(() => server.stop());
  const open = closing.move();
  return {
    url: server.url,
    address: () => server.dashboardUrl(),
    prepareDashboard: () => server.prepareDashboard(),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
