/**
 * The ledger as server-sent events (HTML standard, section 9.2). An event's id is the entry's index: a client that
 * was cut off sends the last one as `Last-Event-ID` and goes on from there.
 *
 * Nothing piles up: the next entries are read once the client has taken the last ones. A client that reads nothing
 * for a while is dropped; it reconnects by itself, and misses nothing.
 */

import type { Followed, Following } from '../app/follow-ledger.ts';
import { isRefusal, type Refusal } from '../app/refusal.ts';
import { type Clock, errorMessage, HoneError, type Log } from '../base/index.ts';

/** So that proxies and clients see that it is alive. */
const HEARTBEAT_MS = 15_000;
/** Longer than any network hiccup that a connection survives. */
const STALLED_MS = 60_000;
/** How long a client waits before it comes back. */
const RETRY_MS = 3_000;
/** Each keeps a connection and asks the store twice a second. */
const FOLLOWERS_MAX = 50;

export interface StreamPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends it: the server stops. */
  readonly signal: AbortSignal;
  /** Whether whoever follows still may: their token can be revoked meanwhile. */
  isStillAllowed(): Promise<boolean>;
  /** Cuts the connection, however much is still to be sent. */
  drop(): void;
}

/** Counts followers, so that streams leave connections for others. */
export class EventStreams {
  #open = 0;

  async open(
    follow: () => Promise<Following | Refusal>,
    ports: StreamPorts,
  ): Promise<ReadableStream<Uint8Array> | Refusal> {
    if (this.#open >= FOLLOWERS_MAX) {
      return { refused: `${FOLLOWERS_MAX} clients follow the ledger already. Try again later.` };
    }
    this.#open += 1;
    const ended = () => {
      this.#open -= 1;
    };
    try {
      const following = await follow();
      if (!isRefusal(following)) return eventStream(following, ports, ended);
      ended();
      return following;
    } catch (error) {
      ended();
      throw error;
    }
  }
}

function eventStream(
  following: Following,
  { clock, log, signal, isStillAllowed, drop }: StreamPorts,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const over = AbortSignal.any([gone.signal, signal]);
  let taken = new AbortController();
  const end = async () => {
    if (gone.signal.aborted) return;
    gone.abort();
    taken.abort();
    ended();
    await following[Symbol.asyncDispose]();
  };
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) => {
    controller.enqueue(Buffer.from(text));
    const sent = new AbortController();
    taken = sent;
    void clock.sleep(STALLED_MS, sent.signal).then(() => {
      if (sent.signal.aborted) return;
      log.warn('dropped a client that stopped reading events', { afterMs: STALLED_MS });
      drop();
    });
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(Buffer.from(`retry: ${RETRY_MS}\n\n`)),
      pull: async (controller) => {
        taken.abort();
        try {
          const followed = await following.next(HEARTBEAT_MS, over);
          const isAllowed = await isStillAllowed();
          if (gone.signal.aborted) return;
          if (!signal.aborted && isAllowed) return send(controller, eventText(followed));
        } catch (error) {
          if (gone.signal.aborted) return;
          log.warn('a stream of events ended', { error: errorMessage(error) });
          controller.enqueue(Buffer.from(faultText(error)));
        }
        await end();
        controller.close();
      },
      cancel: end,
    },
    // Nothing is read before somebody takes it.
    { highWaterMark: 0 },
  );
}

/** An id without data moves the client's place without raising an event. */
function eventText(followed: readonly Followed[]): string {
  if (followed.length === 0) return ': nothing new\n\n';
  return followed
    .map(({ index, entry }) =>
      entry === null ? `id: ${index}\n\n` : `id: ${index}\ndata: ${JSON.stringify(entry)}\n\n`,
    )
    .join('');
}

/** A fault that is not a `HoneError` is a defect: its message stays in the log. */
function faultText(error: unknown): string {
  const known = error instanceof HoneError;
  const body = {
    error: {
      code: known ? error.code : 'internal',
      message: known ? error.message : 'Hone could not continue.',
      hint: known ? (error.hint ?? null) : "See the server's log.",
    },
  };
  return `event: fault\ndata: ${JSON.stringify(body)}\n\n`;
}
