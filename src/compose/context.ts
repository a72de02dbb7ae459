/** Builds what the command line gets: ports, the installation, the server. */
import { hostname, userInfo } from 'node:os';
import {
  idMaker,
  LOG_LEVELS,
  type LogLevel,
  makeLog,
  systemClock,
  systemRandom,
} from '../base/index.ts';
import { collectStatus } from '../cli/collect-status.ts';
import type { Context, Opened } from '../cli/context.ts';
import { processIo } from '../cli/io.ts';
import type { Actor } from '../facts/index.ts';
import { findHome } from '../home/index.ts';
import { localActor } from '../identity/local-actor.ts';
import { openInstallation, openStore } from './open.ts';

export function makeContext(json: boolean, build: string): Context {
  const environment = process.env;
  const ports = { clock: systemClock, random: systemRandom, environment, build };
  const newId = idMaker(systemClock, systemRandom);
  const level = environment['HONE_LOG'] as LogLevel | undefined;
  const log = makeLog({
    clock: systemClock,
    level: level !== undefined && LOG_LEVELS.includes(level) ? level : 'warn',
    write: (line) => void process.stderr.write(line),
  });
  const home = () => findHome({ cwd: process.cwd(), environment });
  const context: Context = {
    ...ports,
    io: processIo(json),
    newId,
    log,
    home,
    open: () => openInstallation(home(), ports),
    openStore: (where, config) => openStore(where, config, ports),
    startServer: (opened, port) => startServer(opened, port, context),
    actor: (agents) => currentActor(agents, environment),
  };
  return context;
}

async function startServer(opened: Opened, port: number | undefined, context: Context) {
  const [{ foundationRoutes, startHost }, { foundationWorkers }, { Tokens }] = await Promise.all([
    import('../http/index.ts'),
    import('./workers.ts'),
    import('../identity/index.ts'),
  ]);
  const { config, store, killSwitch } = opened;
  const { clock, log } = context;
  const tokens = new Tokens(store, config.identity.agents);
  return startHost({
    host: config.server.host,
    port: port ?? config.server.port,
    guard: config.server,
    clock,
    log,
    routes: foundationRoutes({ killSwitch, status: () => collectStatus(opened) }),
    workers: foundationWorkers({
      opened,
      clock,
      log,
      holder: `${hostname()}/${process.pid}/${context.newId('up')}`,
      schedules: [],
    }),
    bearer: (secret) => tokens.bearer(secret),
    probe: async () => {
      await store.all('SELECT 1 AS one');
    },
  });
}

async function currentActor(
  agents: Parameters<typeof localActor>[0]['agents'],
  environment: NodeJS.ProcessEnv,
): Promise<Actor> {
  return localActor({ osUser: osUser(), gitEmail: await gitEmail(), environment, agents });
}

/** A user id without an entry in the user database still has a number. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The address git would commit with; absent when none is configured or there is no git. */
async function gitEmail(): Promise<string | undefined> {
  try {
    const { execFileSync } = await import('node:child_process');
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const email = execFileSync('git', ['config', '--get', 'user.email'], {
      encoding: 'utf8',
      stdio: [...stdio],
    }).trim();
    return email === '' ? undefined : email;
  } catch {
    return undefined;
  }
}
