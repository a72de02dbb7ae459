/** Kinds of source whose older events are passed over: for whoever imports only the last days. */
import type { Source, SourceKind, SourceRecord, Stream, StreamReader } from './types.ts';

export function sinceKinds(
  kinds: readonly SourceKind[],
  sinceMs: number | undefined,
): readonly SourceKind[] {
  if (sinceMs === undefined) return kinds;
  return kinds.map((kind) => ({
    ...kind,
    open: (settings, ports) => sinceSource(kind.open(settings, ports), sinceMs),
  }));
}

function sinceSource(source: Source, sinceMs: number): Source {
  return {
    list: async () => {
      const listing = await source.list();
      return { ...listing, streams: listing.streams.map((one) => sinceStream(one, sinceMs)) };
    },
  };
}

function sinceStream(stream: Stream, sinceMs: number): Stream {
  return {
    open: async (positions) => {
      const reader = await stream.open(positions);
      return reader === undefined ? undefined : sinceReader(reader, sinceMs);
    },
  };
}

/** The position behind them is stored all the same: they are not read again. */
function sinceReader(reader: StreamReader, sinceMs: number): StreamReader {
  const isWanted = (record: SourceRecord) => !record.ok || !(record.event.atMs < sinceMs);
  return {
    get name() {
      return reader.name;
    },
    next: async (stepsMax) => {
      const pulled = await reader.next(stepsMax);
      if (pulled === undefined) return undefined;
      return { ...pulled, records: pulled.records.filter(isWanted) };
    },
    takeNotes: () => reader.takeNotes(),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}
