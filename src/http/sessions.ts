/**
 * Sessions of the dashboard: what a browser's cookie stands for. They live in memory and end with the server.
 *
 *   key of `hone open` ──► local ──a token is entered──► named ──it is forgotten──► local
 *   a token is entered ──► named ──it is forgotten──► ended
 *
 * A local session may look and decide as the person at the command line may; the use cases ask for more where more
 * is needed. A named one acts as its token, which is looked at again with each request. The cookie holds a random
 * number, of which only the digest is kept here; a token's secret never reaches the page's scripts.
 */
import { createHash } from 'node:crypto';
import type { Clock, Random } from '../base/index.ts';
import type { Actor } from '../facts/index.ts';
import type { Bearer } from './types.ts';

/** A working day: a page that nobody looked at for longer asks anew. */
const IDLE_MS = 12 * 3_600_000;
const SESSIONS_MAX = 100;

export interface Session {
  /** Sent by our own pages with every change; a page of others cannot read it. */
  readonly csrf: string;
  /** Whoever asked for the key; undefined where only a token was entered. */
  readonly local: Actor | undefined;
  /** Of the token that was entered. */
  secret: string | undefined;
  usedAtMs: number;
}

export class Sessions {
  readonly #clock: Clock;
  readonly #random: Random;
  /** By the digest of the cookie's value, the one used last at the end. */
  readonly #open = new Map<string, Session>();

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Gives the value of its cookie. The longest unused one makes room. */
  begin(who: Pick<Session, 'local' | 'secret'>): string {
    const value = this.#word();
    const [oldest] = this.#open.keys();
    if (this.#open.size >= SESSIONS_MAX && oldest !== undefined) this.#open.delete(oldest);
    const usedAtMs = this.#clock.monotonicMs();
    this.#open.set(digestOf(value), { ...who, csrf: this.#word(), usedAtMs });
    return value;
  }

  find(value: string): Session | undefined {
    const key = digestOf(value);
    const found = this.#open.get(key);
    if (found === undefined) return undefined;
    this.#open.delete(key);
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - found.usedAtMs > IDLE_MS) return undefined;
    found.usedAtMs = nowMs;
    this.#open.set(key, found);
    return found;
  }

  end(value: string): void {
    this.#open.delete(digestOf(value));
  }

  #word(): string {
    return Buffer.from(this.#random.bytes(32)).toString('base64url');
  }
}

/** An agent that opened a page may look. */
export function localBearer(actor: Actor): Bearer {
  return { actor, role: actor.kind === 'human' ? 'approver' : 'viewer' };
}

const digestOf = (value: string) => createHash('sha256').update(value).digest('base64url');
