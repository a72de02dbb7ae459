/** Opens what the loop works on: the telemetry file, the target repository, the destinations. */
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Opened, OpenLoop, OpenLoopOptions } from '../app/context.ts';
import { rightsOf } from '../app/rights.ts';
import type { Digest } from '../base/index.ts';
import { errorMessage, type Log, type NewId } from '../base/index.ts';
import { openRepository } from '../git/index.ts';
import { type AllowedSigners, verifyAllowed } from '../identity/index.ts';
import { deliver, Loop, type LoopPorts, loopDestinations, tellLateNews } from '../loop/index.ts';
import { nodeSourceFiles } from '../observe/index.ts';
import { lazyStore, openSqlite, type Store, telemetryMigrations } from '../store/index.ts';
import { SandboxRunner } from '../validate/index.ts';
import { deployRunner } from './deploy-runner.ts';
import { nodeCommands } from './run-command.ts';
import type { Surroundings } from './surroundings.ts';

export interface OpenLoopPorts {
  readonly surroundings: Surroundings;
  readonly newId: NewId;
  readonly log: Log;
}

export async function openLoop(
  opened: Opened,
  ports: OpenLoopPorts,
  options: OpenLoopOptions & Required<Pick<OpenLoopOptions, 'tell'>>,
): Promise<OpenLoop> {
  const { surroundings, newId, log } = ports;
  const { clock, random, environment } = surroundings;
  const { store, config, home, killSwitch } = opened;
  // Closed when something below fails, such as a machine without git; handed over at the end.
  await using closing = new AsyncDisposableStack();
  const repository = closing.use(
    await openRepository({
      root: home.root,
      // Limits use real time, even if the loop's time is simulated.
      durable: !surroundings.simulated,
    }),
  );
  const telemetry = telemetryOf(opened, surroundings);
  if (telemetry !== store) closing.defer(() => telemetry.close());
  const loopPorts: LoopPorts = {
    store,
    telemetry,
    repository,
    files:
      surroundings.files ??
      closing.use(nodeSourceFiles(home.configDir, { home: environment['HOME'] })),
    // Clients name the folder they work in with its links resolved.
    targetFolder: realpathSync(home.root),
    // What a simulation's commands would print is not simulated.
    ...(surroundings.simulated
      ? {}
      : {
          commands: closing.use(nodeCommands({ environment, cwd: home.configDir, clock })),
          deployRunner: deployRunner({ environment, clock }),
          forgeWorld: {
            fetch: globalThis.fetch,
            clock,
            secret: (name) => environment[name],
            readFile: (path) => readFile(path, 'utf8'),
            tokens: new Map(),
          },
        }),
    replay: surroundings.replay,
    // Limits use real time, and a simulation's target is not run.
    ...(surroundings.simulated
      ? {}
      : {
          runner: new SandboxRunner({
            repository,
            clock,
            newId: () => newId('run'),
            settings: config.validate,
            keptIn: home.preparedDir,
            secret: (name) => environment[name],
            store: opened.store,
          }),
        }),
    killSwitch,
    rights: rightsOf(opened),
    clock,
    newId,
    log,
    config,
    repositoryId: home.id,
    placePending: () => opened.placePending(),
    verifySignature: (claim) => verifyAllowed(claim, allowedSigners(opened), environment),
    holder: `${hostname()}/${process.pid}/${newId('loop')}`,
    ...(options.onStep === undefined ? {} : { onStep: options.onStep }),
  };
  const destinations = loopDestinations(loopPorts, {
    write: options.tell,
    secret: (name) => environment[name],
  });
  const { holder } = loopPorts;
  const allowedSteps = () => killSwitch.allowedSteps();
  const open = closing.move();
  return {
    loop: new Loop(loopPorts),
    ports: loopPorts,
    deliver: async (lanes) => {
      // Effects that are already queued are still sent.
      if (lanes === undefined || lanes.includes('news')) {
        await tellLateNews(loopPorts).catch((error: unknown) =>
          log.warn('could not send notices', { error: errorMessage(error) }),
        );
      }
      const ports = { store, clock, random, holder, allowedSteps, outbox: config.outbox };
      return deliver(destinations, ports, lanes);
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function allowedSigners({ home, config }: Opened): AllowedSigners {
  const { allowedSignersFile, allowedSignersDigest } = config.identity;
  return {
    file: resolve(home.configDir, allowedSignersFile),
    digest: allowedSignersDigest as Digest | '',
  };
}

/**
 * A file of its own on SQLite; tables of the same database on PostgreSQL. Opened when it is first read:
 * a rollback needs none of it, and works even if the file is damaged.
 */
function telemetryOf(opened: Opened, { clock, random, simulated }: Surroundings): Store {
  if (opened.store.engine === 'postgres') return opened.store;
  const path = opened.home.telemetryFile;
  return lazyStore({ engine: 'sqlite', location: path }, () =>
    openSqlite({
      path,
      synchronous: simulated ? 'off' : 'normal',
      migrations: telemetryMigrations,
      bulkThread: !simulated,
      clock,
      random,
    }),
  );
}
