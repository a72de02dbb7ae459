/** What plugs into the server host: routes and workers. */
import type { Actor, Role } from '../facts/index.ts';
import type { Caller } from './caller.ts';

export interface RouteRequest {
  /** Who asks; absent only on public routes. */
  readonly actor: Actor | undefined;
  /** The address without its query. */
  readonly path?: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body of a POST; undefined without one. */
  readonly body: unknown;
  /** The body as it was sent, for a route that checks a signature of it. */
  readonly rawBody: string;
  /** Of the token that was sent or entered; absent on public routes and for a local session. */
  readonly secret: string | undefined;
  /** How they are known; absent only on public routes. */
  readonly caller?: Caller | undefined;
  header(name: string): string | undefined;
  /** Whether the token still allows it: an answer that goes on asks again and again. */
  isStillAllowed(): Promise<boolean>;
  /** Aborts when the server stops, for answers that go on. */
  readonly signal: AbortSignal;
  /** Cuts the connection, whatever is still to be sent. */
  drop(): void;
}

interface Answered {
  readonly status: number;
  /** Beside those that every answer has; the same name replaces it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It counts as a failed try to be let in. */
  readonly denied?: boolean;
}

/** One document, a file, or what is sent bit by bit: events unless its headers say otherwise. */
export type RouteAnswer = Answered &
  (
    | { readonly body: unknown }
    | { readonly file: string | Uint8Array<ArrayBuffer> }
    | { readonly stream: ReadableStream<Uint8Array> }
  );

/** Whose token it is, and what they may do. */
export interface Bearer {
  readonly actor: Actor;
  readonly role: Role;
}

/** Closed by default: a route says which role it needs, and `public` is a deliberate word. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly role: Role | 'public';
  /** Never held back by a limit on how often somebody may ask. */
  readonly urgent?: boolean;
  handle(request: RouteRequest): Promise<RouteAnswer>;
}

/** Work that goes on beside the routes. `run` does what is due and says when to come back. */
export interface Worker {
  readonly name: string;
  /** The channel on which others announce work: the worker then runs at once. */
  readonly wokenBy?: string;
  run(signal: AbortSignal): Promise<{ readonly againInMs: number }>;
}
