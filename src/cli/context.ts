/** What commands get from the composition root: all that use cases get, and a terminal. */
import type { AppContext, Opened } from '../app/context.ts';
import type { Clock, Log } from '../base/index.ts';
import type { Actor } from '../facts/index.ts';
import type { Io } from './io.ts';

export interface Server {
  readonly url: string;
  /** Opens the dashboard, once and within a minute where it is on this machine. */
  dashboardUrl(): Promise<string>;
  /** Builds the dashboard where that is needed, so that the first page need not wait for it. */
  prepareDashboard(): Promise<void>;
  /** Where telemetry is received, or why it is not; neither if that is switched off. */
  readonly telemetry: { readonly url: string | undefined; readonly fault: string | undefined };
  stop(): Promise<void>;
}

/** A server beside a simulation, which runs the loop in a time of its own: it has no workers and receives nothing. */
export interface Beside {
  /** What limits, sessions and keys go by. */
  readonly clock: Clock;
  /** Under this name the dashboard is opened. */
  readonly who: Actor;
}

export interface Context extends AppContext {
  readonly io: Io;
  readonly log: Log;
  /** Listens and works until `stop`. Without a port, the configured one. */
  startServer(opened: Opened, port: number | undefined, beside?: Beside): Promise<Server>;
  /** Stands between a client and the MCP server that `command` starts, until one of them ends. */
  gateway(options: {
    readonly command: readonly string[];
    readonly name: string;
    readonly session: string | undefined;
    readonly task: string | undefined;
  }): Promise<number>;
  /** Offers Hone's tools to an agent until its client ends. */
  mcpServer(options: { readonly agent: string | undefined }): Promise<number>;
  /** Tells the whole story with a simulated fleet. */
  demo(options: { io: Io; seed: number; pause: boolean }): Promise<number>;
}
