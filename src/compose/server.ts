/** What `hone up` runs: the doors over HTTP, the dashboard, and the workers beside them. */
import { hostname } from 'node:os';
import type { Opened } from '../app/context.ts';
import { unrecordedToken } from '../app/denials.ts';
import { makeDoorKey } from '../app/door-key.ts';
import { forgeWebhooks } from '../app/forge-webhook.ts';
import { probeInBackground } from '../app/hooks-probe.ts';
import { keyedUrl } from '../app/open-dashboard.ts';
import { isLoopback, isoTime } from '../base/index.ts';
import type { Beside, Context, Server } from '../cli/context.ts';
import { wrapLines } from '../cli/layout.ts';
import { apiRoutes, pagesRoute, startHost, tlsOf } from '../http/index.ts';
import { Tokens } from '../identity/index.ts';
import { loopSchedules } from '../loop/index.ts';
import { dashboardFiles } from './dashboard.ts';
import { dashboardDoor } from './dashboard-door.ts';
import { loopWorkers } from './loop-workers.ts';
import { telemetryDoor } from './otlp-door.ts';
import { servedContext } from './served-context.ts';
import { foundationWorkers, hookProber } from './workers.ts';

export async function startServer(
  opened: Opened,
  context: Context,
  { port, beside }: { readonly port: number | undefined; readonly beside: Beside | undefined },
): Promise<Server> {
  const { config, store } = opened;
  const { log } = context;
  // Limits, sessions and keys use real time, even if the loop's time is simulated.
  const clock = beside?.clock ?? context.clock;
  const tls = tlsOf(config.server, opened.home.configDir);
  // Closed when the server cannot start, such as on a port that is taken; by `stop` otherwise.
  await using closing = new AsyncDisposableStack();
  const tell = (text: string) => {
    const at = isoTime(context.clock.nowMs()).slice(0, 19).replace('T', ' ');
    context.io.err(wrapLines(`${at} ${text}`, context.io.errorColumns));
  };
  const open = closing.use(await context.openLoop(opened, { tell, log }));
  const bearer = bearerOf(opened, context);
  const telemetry =
    beside === undefined
      ? closing.use(
          await telemetryDoor(
            { opened, open },
            // Whoever lets the machine choose the server's port means all ports.
            {
              log,
              port: port === 0 ? 0 : undefined,
              isKnown: async (secret) => (await bearer(secret)) !== undefined,
            },
          ),
        )
      : undefined;
  const webhookSecret =
    context.environment[config.deploy.github.webhookSecret.replace(/^env:/, '')]?.trim() ?? '';
  const served = servedContext(context, { opened, open, log });
  const isLocal = isLoopback(config.server.host);
  const isSecure = tls !== undefined;
  const door = dashboardDoor(opened.home, { ...context, clock, isLocal, isSecure, bearer });
  const dashboard = closing.use(dashboardFiles(log));
  const api = apiRoutes({ context: served, clock, log, webhooks: forgeWebhooks(webhookSecret) });
  const holder = `${hostname()}/${process.pid}/${context.newId('up')}`;
  const host = await startHost({
    tls,
    host: config.server.host,
    port: port ?? config.server.port,
    guard: config.server,
    clock,
    ...(beside === undefined ? {} : { simulatedNowMs: () => context.clock.nowMs() }),
    log,
    routes: [...api, ...door.routes, pagesRoute(dashboard)],
    sessions: door.sessions,
    cookieName: door.cookieName,
    workers:
      telemetry === undefined
        ? []
        : [
            ...foundationWorkers({ opened, clock, log, holder, schedules: loopSchedules(open) }),
            ...loopWorkers(open, { clock, log }),
            hookProber(() => probeInBackground(served, opened), log),
            telemetry.worker,
          ],
    bearer,
    listen: (channel, wake) => store.listen(channel, wake),
    probe: async () => {
      await store.all('SELECT 1 AS one');
    },
  });
  closing.use(door.announce(host.url));
  const loop = closing.move();
  return {
    url: host.url,
    dashboardUrl: async () => {
      if (!isLocal) return host.url;
      const actor = beside?.who ?? (await context.actor(config.identity.agents));
      const asked = { nowMs: clock.nowMs(), random: context.random };
      return keyedUrl(host.url, makeDoorKey(door.secret, actor, asked));
    },
    prepareDashboard: dashboard.prepare,
    telemetry: { url: telemetry?.url, fault: telemetry?.fault },
    stop: async () => {
      await host.stop();
      await loop.disposeAsync();
    },
  };
}

/** The holder of a secret. A token that only its row knows is refused, and operators are told. */
function bearerOf(opened: Opened, { clock }: Context) {
  const { store, config } = opened;
  const tokens = new Tokens(store, config.identity.agents);
  return async (secret: string) => {
    const bearer = await tokens.bearer(secret);
    if (!('why' in bearer)) return bearer;
    if (bearer.why === 'not_recorded') {
      await store.commit({ effects: unrecordedToken(opened, clock.nowMs()) });
    }
    return undefined;
  };
}
