/**
 * What happens, as it happens: the ledger's stream. An entry means that something changed, so what is shown is asked
 * for anew, at most once a second. A connection that is lost is said, and resumes after the last entry that was seen.
 */
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

export type Connection = 'connecting' | 'live' | 'lost';

let state: Connection = 'connecting';
const listeners = new Set<() => void>();

function become(next: Connection): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

const RETRY_MS = 3_000;
const TOGETHER_MS = 1_000;

/** Gives how to end it. */
export function follow(client: QueryClient): () => void {
  let last: string | undefined;
  let stream: EventSource | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      void client.invalidateQueries();
    }, TOGETHER_MS);
  };
  const open = () => {
    stream = new EventSource(last === undefined ? '/api/events' : `/api/events?after=${last}`);
    stream.onopen = () => {
      if (state === 'lost') void client.invalidateQueries();
      become('live');
    };
    stream.onmessage = ({ lastEventId }) => {
      last = lastEventId;
      refresh();
    };
    stream.onerror = () => {
      become('lost');
      // A browser comes back by itself unless the server refused it, such as after a restart.
      if (stream?.readyState !== EventSource.CLOSED) return;
      void client.invalidateQueries({ queryKey: ['/api/session'] });
      again = setTimeout(open, RETRY_MS);
    };
  };
  open();
  return () => {
    stream?.close();
    clearTimeout(again);
    clearTimeout(waiting);
  };
}
