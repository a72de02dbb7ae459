/** Opens an installation: finds it, reads what was accepted, opens its store, builds its rooms. */

import { resolve } from 'node:path';
import type { Opened, OpenOptions } from '../app/context.ts';
import { finishRestore } from '../backup/at-start.ts';
import { isoTime } from '../base/index.ts';
import {
  closeToOthers,
  findHome,
  type Home,
  HomeError,
  readAccepted,
  stopFileExists,
  witnessFile,
} from '../home/index.ts';
import { entryWriter } from '../ledger/index.ts';
import { CONFIG_DIGEST } from '../loop/at-start.ts';
import type { HoneConfig } from '../loop/index.ts';
import { effectWriter } from '../outbox/index.ts';
import { KillSwitch, Switches } from '../policy/at-start.ts';
import {
  allMigrations,
  controlMigrations,
  openSqlite,
  type Store,
  StoreError,
  withClock,
} from '../store/index.ts';
import { inEffect, standing } from './in-effect.ts';
import type { Machine } from './machine.ts';
import { placePending } from './place-pending.ts';

export interface Ports extends Omit<Machine, 'cwd'> {
  readonly build: string;
}

/** What was accepted is read again when its keys or defaults changed, not only with a new version. */
export function portsOf(machine: Machine, version: string): Ports {
  const { clock, random, environment, simulated } = machine;
  return { clock, random, environment, simulated, build: `${version}+${CONFIG_DIGEST}` };
}

export function homeOf({ cwd, environment }: Machine): Home {
  const found = findHome({ cwd, environment });
  finishRestore(found);
  return found;
}

export async function openInstallation(
  home: Home,
  ports: Ports,
  options: OpenOptions = {},
): Promise<Opened> {
  const accepted = readAccepted<HoneConfig>(home);
  if (accepted === undefined) {
    throw new HomeError('not_initialised', `Hone is not set up for ${home.root}.`, {
      hint: 'Run "hone init" there first.',
    });
  }
  const madePrivate = closeToOthers(home);
  const now = await inEffect(accepted, ports.build);
  const store = await openStore(home, now.config, ports);
  const { config, configuration, held, acceptedConfig } = await closedOnFault(store, () =>
    standing(home, { accepted, now, store, evenLost: options.evenLost === true }),
  );
  const { witnessFile: witness } = config.ledger;
  return {
    home,
    config,
    configuration,
    madePrivate,
    held,
    acceptedConfig,
    store,
    killSwitch: new KillSwitch(store, () => stopFileExists(home), held),
    switches: new Switches(store, config.switches),
    witness: witness === '' ? undefined : witnessFile(resolve(home.configDir, witness)),
    placePending: async () => {
      const holder = `command/${process.pid}/${isoTime(ports.clock.nowMs())}`;
      await placePending(store, holder, config.lease.ttl);
    },
    close: () => store.close(),
  };
}

/** PostgreSQL's client is loaded only where it is used. */
export async function openStore(home: Home, config: HoneConfig, ports: Ports): Promise<Store> {
  const { clock, random } = ports;
  const parts = { entries: entryWriter, effects: effectWriter };
  const common = { migrations: controlMigrations, parts, clock, random };
  // A power cut ends a simulation anyway, and it commits in a minute what takes a month.
  const synchronous = ports.simulated ? 'off' : 'full';
  const openFile = () => openSqlite({ ...common, path: home.controlFile, synchronous });
  if (config.store.url === 'sqlite') return openFile();
  const { resolveStore } = await import('../config/index.ts');
  const target = resolveStore(config.store.url, ports.environment);
  if (!target.ok) {
    throw new StoreError('unreachable', target.message, { hint: 'Set it, then try again.' });
  }
  if (target.engine === 'sqlite') return openFile();
  const { openPostgres } = await import('../store/postgres/index.ts');
  const store = await openPostgres({ ...common, url: target.url, migrations: allMigrations });
  return ports.simulated ? withClock(store, clock) : store;
}

async function closedOnFault<T>(store: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}
