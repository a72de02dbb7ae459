/** What commands get from the composition root. */
import type { Clock, Log, NewId, Random } from '../base/index.ts';
import type { FoundationConfig } from '../config/index.ts';
import type { Actor } from '../facts/index.ts';
import type { Home } from '../home/index.ts';
import type { Witness } from '../ledger/index.ts';
import type { KillSwitch, Switches } from '../policy/index.ts';
import type { Store } from '../store/index.ts';
import type { Io } from './io.ts';

/** How `hone.yaml` stands to what was accepted. */
export type ConfigurationState = 'accepted' | 'edited' | 'missing';

/** An open installation. */
export interface Opened {
  readonly home: Home;
  readonly config: FoundationConfig;
  readonly configuration: ConfigurationState;
  readonly store: Store;
  readonly killSwitch: KillSwitch;
  readonly switches: Switches;
  readonly witness: Witness | undefined;
  /** Gives entries that wait for their place one, so that the ledger is read whole. */
  placePending(): Promise<void>;
  close(): Promise<void>;
}

export interface Context {
  readonly io: Io;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly log: Log;
  readonly build: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  home(): Home;
  /** Opens the installation of the repository we are in; closed by the caller. */
  open(): Promise<Opened>;
  /** Opens the store with these settings, before anything was accepted. */
  openStore(home: Home, config: FoundationConfig): Promise<Store>;
  /** Listens and works until `stop`. Without a port, the configured one. */
  startServer(
    opened: Opened,
    port: number | undefined,
  ): Promise<{ readonly url: string; stop(): Promise<void> }>;
  /** Who is at the command line. */
  actor(agents: FoundationConfig['identity']['agents']): Promise<Actor>;
}

/** Opens, works, closes, whatever happens. */
export async function withOpened<T>(
  context: Context,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await context.open();
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** The same, for commands that read the ledger: nothing waits for its place when they look. */
export function withLedger<T>(context: Context, work: (opened: Opened) => Promise<T>): Promise<T> {
  return withOpened(context, async (opened) => {
    await opened.placePending();
    return work(opened);
  });
}
