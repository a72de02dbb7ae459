/** Builds what the command line gets: ports, the installation, the server. */
import { hostname, userInfo } from 'node:os';
import type { Opened } from '../app/context.ts';
import { finishRestore } from '../backup/at-start.ts';
import {
  idMaker,
  isLoopback,
  isoTime,
  LOG_LEVELS,
  type Log,
  type LogLevel,
  makeLog,
} from '../base/index.ts';
import type { Context } from '../cli/context.ts';
import { type Io, plainLine } from '../cli/io.ts';
import { wrap, wrapLines } from '../cli/layout.ts';
import type { Actor } from '../facts/index.ts';
import { findHome } from '../home/index.ts';
import { localActor } from '../identity/at-start.ts';
import { CONFIG_DIGEST } from '../loop/at-start.ts';
import { openInstallation, openStore } from './open.ts';
import { processSurroundings, type Surroundings } from './surroundings.ts';

export function makeContext(
  json: boolean,
  version: string,
  surroundings: Surroundings = processSurroundings(),
): Context {
  const { clock, random, environment, simulated, cwd } = surroundings;
  // What was accepted is read again when its keys or defaults changed, not only with a new version.
  const build = `${version}+${CONFIG_DIGEST}`;
  const ports = { clock, random, environment, simulated, build };
  const newId = idMaker(clock, random);
  const io = surroundings.io(json);
  // Loaded with the loop: before it nothing of telemetry or of another program is logged.
  let loaded = (text: string) => text;
  const clean = (text: string) => loaded(text);
  const log = logTo(io, surroundings, { level: 'warn', clean });
  const home = () => {
    const found = findHome({ cwd, environment });
    finishRestore(found);
    return found;
  };
  const context: Context = {
    ...ports,
    io,
    newId,
    log,
    cwd,
    home,
    open: (options) => openInstallation(home(), ports, options),
    openStore: (where, config) => openStore(where, config, ports),
    openLoop: async (opened, options = {}) => {
      const { openLoop } = await import('./open-loop.ts');
      const { mask } = await import('../sanitise/index.ts');
      loaded = (text) => mask(text, { except: ['email'] }).text;
      const tell = options.tell ?? ((text: string) => io.err(wrapLines(text, io.errorColumns)));
      return openLoop(
        opened,
        { surroundings, newId, log: options.log ?? log },
        { ...options, tell },
      );
    },
    demo: async (options) => (await import('../../lab/demo.ts')).runDemo(options),
    gateway: async (options) => (await import('../mcp/index.ts')).runGateway(context, options),
    mcpServer: async (options) => (await import('../mcp/index.ts')).runServer(context, options),
    // People who watch `hone up` want to see what it does, and when.
    startServer: (opened, port) =>
      startServer(opened, port, {
        ...context,
        log: logTo(io, surroundings, { level: 'info', clean }),
      }),
    secret: environment['HONE_TOKEN']?.trim(),
    door: 'command',
    hasWorkers: false,
    progress: (text) => io.progress(plainLine(text)),
    remark: (text) => io.err(wrap(plainLine(text), io.errorColumns)),
    gitSetting: (name) => gitSetting(name, surroundings),
    actor: (agents) => currentActor(agents, surroundings),
  };
  return context;
}

function logTo(
  io: Io,
  { clock, environment }: Surroundings,
  { level, clean }: { level: LogLevel; clean: (text: string) => string },
): Log {
  const asked = environment['HONE_LOG'] as LogLevel | undefined;
  return makeLog({
    clock,
    level: asked !== undefined && LOG_LEVELS.includes(asked) ? asked : level,
    write: (line) => io.err(line),
    readable: io.isTerminal,
    clean,
  });
}

async function startServer(opened: Opened, port: number | undefined, context: Context) {
  const { apiRoutes, pagesRoute, startHost, tlsOf } = await import('../http/index.ts');
  const { dashboardFiles } = await import('./dashboard.ts');
  const { dashboardDoor } = await import('./dashboard-door.ts');
  const { foundationWorkers, hookProber } = await import('./workers.ts');
  const { probeInBackground } = await import('../app/hooks-probe.ts');
  const { Tokens } = await import('../identity/index.ts');
  const { unrecordedToken } = await import('../app/operator-only.ts');
  const { servedContext } = await import('./served-context.ts');
  const { loopSchedules } = await import('../loop/index.ts');
  const { loopWorkers } = await import('./loop-workers.ts');
  const { telemetryDoor } = await import('./otlp-door.ts');
  const { config, store } = opened;
  const { clock, log } = context;
  const tls = tlsOf(config.server, opened.home.configDir);
  const tokens = new Tokens(store, config.identity.agents);
  // Closed when the server cannot start, such as on a port that is taken; by `stop` otherwise.
  await using closing = new AsyncDisposableStack();
  const tell = (text: string) => {
    const at = isoTime(clock.nowMs()).slice(0, 19).replace('T', ' ');
    context.io.err(wrapLines(`${at} ${text}`, context.io.errorColumns));
  };
  const open = closing.use(await context.openLoop(opened, { tell, log }));
  const bearer = async (secret: string) => {
    const bearer = await tokens.bearer(secret);
    if (!('why' in bearer)) return bearer;
    if (bearer.why === 'not_recorded') {
      await store.commit({ effects: unrecordedToken(opened, clock.nowMs()) });
    }
    return undefined;
  };
  const telemetry = closing.use(
    await telemetryDoor(
      { opened, open },
      // Whoever lets the machine choose the server's port means all ports.
      {
        log,
        port: port === 0 ? 0 : undefined,
        isKnown: async (secret) => (await bearer(secret)) !== undefined,
      },
    ),
  );
  const { forgeWebhooks } = await import('../app/forge-webhook.ts');
  const webhookSecret =
    context.environment[config.deploy.github.webhookSecret.replace(/^env:/, '')]?.trim() ?? '';
  const served = servedContext(context, { opened, open, log });
  const isLocal = isLoopback(config.server.host);
  const door = dashboardDoor(opened.home, {
    ...context,
    isLocal,
    isSecure: tls !== undefined,
    bearer,
  });
  const dashboard = closing.use(dashboardFiles(log));
  const api = apiRoutes({ context: served, clock, log, webhooks: forgeWebhooks(webhookSecret) });
  const host = await startHost({
    tls,
    host: config.server.host,
    port: port ?? config.server.port,
    guard: config.server,
    clock,
    log,
    routes: [...api, ...door.routes, pagesRoute(dashboard)],
    sessions: door.sessions,
    cookieName: door.cookieName,
    workers: [
      ...foundationWorkers({
        opened,
        clock,
        log,
        holder: `${hostname()}/${process.pid}/${context.newId('up')}`,
        schedules: loopSchedules(open),
      }),
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
      const actor = await context.actor(config.identity.agents);
      const { makeDoorKey } = await import('../app/door-key.ts');
      const { keyedUrl } = await import('../app/open-dashboard.ts');
      const asked = { nowMs: clock.nowMs(), random: context.random };
      return keyedUrl(host.url, makeDoorKey(door.secret, actor, asked));
    },
    prepareDashboard: dashboard.prepare,
    telemetry,
    stop: async () => {
      await host.stop();
      await loop.disposeAsync();
    },
  };
}

async function currentActor(
  agents: Parameters<typeof localActor>[0]['agents'],
  surroundings: Surroundings,
): Promise<Actor> {
  const { environment } = surroundings;
  // The address git would commit with. The actor stays in the record forever, so it must not hold a secret.
  const email = await gitSetting('user.email', surroundings);
  const { mask } = await import('../sanitise/index.ts');
  const isClean = email !== undefined && mask(email, { except: ['email'] }).count === 0;
  const gitEmail = isClean ? email : undefined;
  return localActor({ osUser: osUser(), gitEmail, environment, agents });
}

/** A user id without an entry in the user database still has a number. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Absent when nothing is configured or there is no git. */
async function gitSetting(
  name: string,
  { environment, cwd }: Surroundings,
): Promise<string | undefined> {
  try {
    const { execFileSync } = await import('node:child_process');
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const value = execFileSync('git', ['config', '--get', name], {
      encoding: 'utf8',
      stdio: [...stdio],
      env: { ...environment },
      cwd,
    }).trim();
    return value === '' ? undefined : value;
  } catch {
    return undefined;
  }
}
