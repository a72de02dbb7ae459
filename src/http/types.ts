/** What plugs into the server host: routes and workers. */
import type { Actor, Role } from '../facts/index.ts';

export interface RouteRequest {
  /** Who asks; absent only on public routes. */
  readonly actor: Actor | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body of a POST; undefined without one. */
  readonly body: unknown;
}

export interface RouteAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Closed by default: a route says which role it needs, and `public` is a deliberate word. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly role: Role | 'public';
  handle(request: RouteRequest): Promise<RouteAnswer>;
}

/** Work that goes on beside the routes. `run` does what is due and says when to come back. */
export interface Worker {
  readonly name: string;
  /** The channel on which others tell that there is something to do: it then comes back at once. */
  readonly wokenBy?: string;
  run(signal: AbortSignal): Promise<{ readonly againInMs: number }>;
}
