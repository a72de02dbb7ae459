/** Builds what the command line gets: ports, the installation, the server. */
import { userInfo } from 'node:os';
import type { ActorOptions } from '../app/context.ts';
import { idMaker, LOG_LEVELS, type Log, type LogLevel, makeLog } from '../base/index.ts';
import type { Context } from '../cli/context.ts';
import { type Io, plainLine } from '../cli/io.ts';
import { wrap, wrapLines } from '../cli/layout.ts';
import type { Actor } from '../facts/index.ts';
import { localActor } from '../identity/at-start.ts';
import { homeOf, openInstallation, openStore, portsOf } from './open.ts';
import { processSurroundings, type Surroundings } from './surroundings.ts';

export function makeContext(
  json: boolean,
  version: string,
  surroundings: Surroundings = processSurroundings(),
): Context {
  const { clock, random, environment, cwd } = surroundings;
  const ports = portsOf(surroundings, version);
  const newId = idMaker(clock, random);
  const io = surroundings.io(json);
  // Loaded with the loop: before it nothing of telemetry or of another program is logged.
  let loaded = (text: string) => text;
  const clean = (text: string) => loaded(text);
  const log = logTo(io, surroundings, { level: 'warn', clean });
  const home = () => homeOf(surroundings);
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
    startServer: async (opened, port, beside) => {
      const { startServer } = await import('./server.ts');
      const infoLog = logTo(io, surroundings, { level: 'info', clean });
      return startServer(opened, { ...context, log: infoLog }, { port, beside });
    },
    secret: environment['HONE_TOKEN']?.trim(),
    door: 'command',
    hasWorkers: false,
    progress: (text) => io.progress(plainLine(text)),
    remark: (text) => io.err(wrap(plainLine(text), io.errorColumns)),
    gitSetting: (name) => gitSetting(name, surroundings),
    actor: (agents, options) => currentActor(agents, surroundings, options),
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

async function currentActor(
  agents: Parameters<typeof localActor>[0]['agents'],
  surroundings: Surroundings,
  { inClient = false }: ActorOptions = {},
): Promise<Actor> {
  const environment = inClient ? {} : surroundings.environment;
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
    const { runToEnd } = await import('../git/at-start.ts');
    const args = ['config', '--get', name];
    const { output } = await runToEnd({ binary: 'git', args, env: environment, cwd });
    const value = output.toString('utf8').trim();
    return value === '' ? undefined : value;
  } catch {
    return undefined;
  }
}
