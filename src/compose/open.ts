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
import { KillSwitch } from '../policy/kill-switch.ts';
import { Switches } from '../policy/switches.ts';
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
  const { build } = ports;
  const now = accepted.build === build ? { ...accepted, held: undefined } : await again(accepted);
  const { config, digest, held } = now;
  const store = await openStore(home, config, ports);
  const { witnessFile: witness } = config.ledger;
  return {
    home,
    config,
    configuration:
      held === undefined
        ? await configurationState(home, { text: accepted.text, digest })
        : 'unreadable',
    store,
    killSwitch: new KillSwitch(store, () => existsSync(home.stopFile), held),
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
  // A power cut ends a simulation anyway, and it commits in a minute what takes a month.
  const synchronous = ports.simulated ? 'off' : 'full';
  const openFile = () => openSqlite({ ...common, path: home.controlFile, synchronous });
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

const HELD =
  'This build cannot read what was accepted. Correct hone.yaml, then run "hone config accept".';

/**
 * Another build wrote it: read the accepted text again, with this build's keys and defaults. Where they do
 * not take it any more, what they do take is in effect, and everything but watching and rolling back is
 * held until a person accepts a text that they take. Where the store is must be sure.
 */
async function again(accepted: Accepted) {
  const [{ carryOver, composeSections, expectConfig, parseConfig }, { honeSections }] =
    await Promise.all([import('../config/index.ts'), import('../loop/sections.ts')]);
  const schema = composeSections(honeSections);
  const parsed = parseConfig(accepted.text, 'the accepted hone.yaml', schema);
  if (parsed.ok) return { ...parsed, held: undefined };
  const carried = carryOver(schema, accepted.config);
  if (carried === undefined || carried.lost.includes('store.url')) {
    return { ...expectConfig<HoneConfig>(parsed), held: HELD };
  }
  return { config: carried.config, digest: accepted.digest, held: HELD };
}

/** Most starts compare bytes; only other bytes are parsed, to see whether they mean the same. */
async function configurationState(
  home: Home,
  accepted: Pick<Accepted, 'text' | 'digest'>,
): Promise<ConfigurationState> {
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
