/**
 * The key in the address that `hone up` and `hone open` print. It names who asked for it, holds for a minute and opens
 * once. Whoever can read the private file that the running server wrote can make one: that is the same proof as
 * running a command on this machine, so a session that it opens is verified `local` and nothing more.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../base/index.ts';
import type { Actor } from '../facts/index.ts';

export const DOOR_KEY_MS = 60_000;

interface Payload {
  readonly actor: Actor;
  readonly untilMs: number;
  /** Makes each key another one, and names it in the list of those that were used. */
  readonly nonce: string;
}

export function makeDoorKey(
  secret: string,
  actor: Actor,
  { nowMs, random }: { readonly nowMs: number; readonly random: Random },
): string {
  const nonce = Buffer.from(random.bytes(16)).toString('base64url');
  const payload: Payload = { actor, untilMs: nowMs + DOOR_KEY_MS, nonce };
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${signatureOf(secret, text)}`;
}

/** Checks keys, and remembers those that were used for as long as they would hold. */
export class DoorKeys {
  readonly #secret: string;
  readonly #used = new Map<string, number>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Who asked for the key; undefined if it is not one of ours, too old, or used already. */
  redeem(key: string, nowMs: number): Actor | undefined {
    const payload = this.#read(key);
    if (payload === undefined) return undefined;
    const { actor, untilMs, nonce } = payload;
    // One that would hold longer than a key does was made by a clock that is wrong.
    if (nowMs >= untilMs || untilMs - nowMs > DOOR_KEY_MS || this.#used.has(nonce))
      return undefined;
    for (const [one, until] of this.#used) if (until <= nowMs) this.#used.delete(one);
    this.#used.set(nonce, untilMs);
    return actor;
  }

  #read(key: string): Payload | undefined {
    const [text, signature, ...rest] = key.split('.');
    if (text === undefined || signature === undefined || rest.length > 0) return undefined;
    const expected = Buffer.from(signatureOf(this.#secret, text));
    const given = Buffer.from(signature);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
  }
}

const signatureOf = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url');
