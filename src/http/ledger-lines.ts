/**
 * The whole ledger, sent as fast as the client takes it: the next page is read once the last one was taken. A client that
 * takes nothing for a minute is cut off, and few may export at once: each reads everything.
 */
import type { AppContext } from '../app/context.ts';
import { exportLedger } from '../app/export-ledger.ts';
import { type Clock, errorMessage, type Log } from '../base/index.ts';

const AT_ONCE_MAX = 4;
const STALLED_MS = 60_000;

interface Connection {
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
  /** Cuts the connection: what was sent does not pass for the whole. */
  drop(): void;
}

/** Gives nothing where as many as may be are at it. */
export function ledgerLines({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  let running = 0;
  return (context: AppContext, connection: Connection): ReadableStream<Uint8Array> | undefined => {
    if (running >= AT_ONCE_MAX) return undefined;
    running += 1;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const write = async (lines: string) => {
      const sent = new AbortController();
      const stalled = AbortSignal.any([sent.signal, connection.signal]);
      const tooSlow = clock.sleep(STALLED_MS, stalled).then(() => {
        if (!sent.signal.aborted) throw new Error('The client takes nothing, or the server stops.');
      });
      try {
        await Promise.race([writer.write(Buffer.from(lines)), tooSlow]);
      } finally {
        sent.abort();
      }
    };
    exportLedger(context, write)
      .then(() => writer.close())
      .catch((error: unknown) => {
        log.debug('an export of the ledger was cut off', { error: errorMessage(error) });
        connection.drop();
      })
      .finally(() => {
        running -= 1;
      });
    return readable;
  };
}
