/** Opens an installation: finds it, reads what was accepted, opens its store, builds its rooms. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isoTime } from '../base/index.ts';
import type { ConfigurationState, Opened } from '../cli/context.ts';
import { readConfigFile } from '../config/node-files.ts';
import { type Accepted, type Home, HomeError, readAccepted, witnessFile } from '../home/index.ts';
import { entryWriter } from '../ledger/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import { effectWriter } from '../outbox/index.ts';
import { KillSwitch, Switches } from '../policy/index.ts';
import {
  allMigrations,
  controlMigrations,
  openSqlite,
  type Store,
  StoreError,
  withClock,
} from '../store/index.ts';
import { placePending } from './place-pending.ts';
import type { Surroundings } from './surroundings.ts';

export interface Ports
  extends Pick<Surroundings, 'clock' | 'random' | 'environment' | 'simulated'> {
  readonly build: string;
}

export async function openInstallation(home: Home, ports: Ports): Promise<Opened> {
  const accepted = readAccepted<HoneConfig>(home);
  if (accepted === undefined) {
    throw new HomeError('not_initialised', `Hone is not set up for ${home.root}.`, {
      hint: 'Run "hone init" there first.',
    });
  }
  const config = accepted.build === ports.build ? accepted.config : await parseAgain(accepted);
  const store = await openStore(home, config, ports);
  const { witnessFile: witness } = config.ledger;
  return {
    home,
    config,
    configuration: await configurationState(home, accepted),
    store,
    killSwitch: new KillSwitch(store, () => existsSync(home.stopFile)),
    switches: new Switches(store, config.switches),
    witness: witness === '' ? undefined : witnessFile(resolve(home.root, witness)),
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
  const openFile = () => openSqlite({ ...common, path: home.controlFile, synchronous: 'full' });
  if (config.store.url === 'sqlite') return openFile();
  const { resolveStore } = await import('../config/value-types.ts');
  const target = resolveStore(config.store.url, ports.environment);
  if (!target.ok) {
    throw new StoreError('unreachable', target.message, { hint: 'Set it, then try again.' });
  }
  if (target.engine === 'sqlite') return openFile();
  const { openPostgres } = await import('../store/postgres/store.ts');
  const store = await openPostgres({ ...common, url: target.url, migrations: allMigrations });
  return ports.simulated ? withClock(store, clock) : store;
}

/** Another build wrote it: read the accepted text again, with this build's keys and defaults. */
async function parseAgain(accepted: Accepted): Promise<HoneConfig> {
  const [{ composeSections, expectConfig, parseConfig }, { honeSections }] = await Promise.all([
    import('../config/index.ts'),
    import('../loop/sections.ts'),
  ]);
  const schema = composeSections(honeSections);
  return expectConfig(parseConfig(accepted.text, 'the accepted hone.yaml', schema)).config;
}

/** Most starts compare bytes; only other bytes are parsed, to see whether they mean the same. */
async function configurationState(home: Home, accepted: Accepted): Promise<ConfigurationState> {
  const bytes = readConfigFile(home.configFile);
  if (bytes === undefined) return 'missing';
  if (Buffer.from(accepted.text).equals(bytes)) return 'accepted';
  const [{ composeSections, parseConfig }, { honeSections }] = await Promise.all([
    import('../config/index.ts'),
    import('../loop/sections.ts'),
  ]);
  const parsed = parseConfig(bytes, 'hone.yaml', composeSections(honeSections));
  return parsed.ok && parsed.digest === accepted.digest ? 'accepted' : 'edited';
}
