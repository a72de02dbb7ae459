/** What use cases get from the composition root, and how they open what they work on. */
import type { Clock, Log, NewId, Random } from '../base/index.ts';
import type { ConfigurationState } from '../config/index.ts';
import type { Actor, Lane } from '../facts/index.ts';
import type { Home } from '../home/index.ts';
import type { Witness } from '../ledger/index.ts';
import type { HoneConfig, Loop, LoopPorts } from '../loop/index.ts';
import type { KillSwitch, Switches } from '../policy/index.ts';
import type { Store } from '../store/index.ts';

/** An open installation. */
export interface Opened {
  readonly home: Home;
  readonly config: HoneConfig;
  readonly configuration: ConfigurationState;
  /** Why Hone only watches and rolls back and records no decision; undefined in normal operation. */
  readonly held: string | undefined;
  /** The configuration accepted last, as the accepting build read it; undefined if it is not kept here. */
  readonly acceptedConfig: unknown;
  readonly store: Store;
  readonly killSwitch: KillSwitch;
  readonly switches: Switches;
  /** What others on this machine could read until now, and whether they still can. */
  readonly madePrivate?: readonly { readonly path: string; readonly mended: boolean }[];
  readonly witness: Witness | undefined;
  /** Places waiting entries, so that the whole ledger is read. */
  placePending(): Promise<void>;
  close(): Promise<void>;
}

/** The loop with everything it works on: telemetry and the target repository. */
export interface OpenLoop extends AsyncDisposable {
  readonly loop: Loop;
  readonly ports: LoopPorts;
  /** Sends the effects that are due, of these lanes or of all; returns how many reached an end. */
  deliver(lanes?: readonly Lane[]): Promise<number>;
}

export interface OpenOptions {
  /** Also opens a store without this installation: for those who check or repair the record. */
  readonly evenLost?: boolean;
}

export interface OpenLoopOptions {
  /** Told before each step. */
  readonly onStep?: (text: string) => void;
  /** Where notices for the terminal go; standard error unless given. */
  readonly tell?: (line: string) => void;
  /** The context's own unless given. */
  readonly log?: Log;
}

export interface ActorOptions {
  /** The user of an agent's client answers: variables that the client sets say nothing of who that is. */
  readonly inClient?: boolean;
}

export interface AppContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly build: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The caller's folder: relative paths that they give are below it. */
  readonly cwd: string;
  home(): Home;
  /** Opens the installation of the repository we are in; closed by the caller. */
  open(options?: OpenOptions): Promise<Opened>;
  /** Opens the store with these settings, before anything was accepted. */
  openStore(home: Home, config: HoneConfig): Promise<Store>;
  /** Opens the loop of an open installation; closed by the caller, before the installation. */
  openLoop(opened: Opened, options?: OpenLoopOptions): Promise<OpenLoop>;
  /** What git is set to here; undefined where it is not. */
  gitSetting(name: 'user.email' | 'user.signingKey'): Promise<string | undefined>;
  /** Whether workers of this process take the steps that are due and send the effects. */
  readonly hasWorkers: boolean;
  /** The secret of the caller's token. */
  readonly secret: string | undefined;
  readonly door: 'command' | 'http';
  /** Who is there: the user of this machine, or the agent that runs as them. */
  actor(agents: HoneConfig['identity']['agents'], options?: ActorOptions): Promise<Actor>;
  /** A remark to the caller beside the answer, such as that a clock is wrong. */
  remark(text: string): void;
  /** What is being done at the moment. */
  progress(text: string): void;
}

function openToOthersWords({ path, mended }: { path: string; mended: boolean }): string {
  const was = `Others on this machine could read ${path}`;
  return mended
    ? `${was}; this was fixed. They may know what it holds.`
    : `${was}, and this could not be fixed: its owner has to remove their access.`;
}

/** Opens, works, closes, whatever happens. */
export async function withOpened<T>(
  context: AppContext,
  work: (opened: Opened) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const opened = await context.open(options);
  for (const one of opened.madePrivate ?? []) {
    context.remark(openToOthersWords(one));
  }
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** The same, for readers of the ledger: every entry has its place. */
export function withLedger<T>(
  context: AppContext,
  work: (opened: Opened) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const placed = async (opened: Opened) => {
    await opened.placePending();
    return work(opened);
  };
  return withOpened(context, placed, options);
}

/** The same, for those that make the loop work. */
export function withLoop<T>(
  context: AppContext,
  options: OpenLoopOptions,
  work: (opened: Opened, open: OpenLoop) => Promise<T>,
): Promise<T> {
  return withOpened(context, async (opened) => {
    await using open = await context.openLoop(opened, options);
    return await work(opened, open);
  });
}
