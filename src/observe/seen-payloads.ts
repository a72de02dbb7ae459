/**
 * Which payloads were pushed already, so that one sent again counts once: a sender repeats a request whose answer it
 * did not get. A payload is named by the digest of its bytes. The digests of a commit are the position of that commit,
 * so they are stored with its events or not at all.
 *
 * The last `COMMITS_KEPT` commits of a source are remembered. At most some hundred commits happen in a second, however
 * many requests come (they share commits), so a repetition is recognised for a minute and a half under full load, and for
 * days under a usual one. Senders give up within a minute or, a collector, five. What is repeated later than that counts twice.
 */
import type { Json } from '../base/index.ts';
import type { Store } from '../store/index.ts';
import { positionsSince } from './position-store.ts';
import type { StreamPosition } from './types.ts';

const COMMITS_KEPT = 8_192;
const STREAM = 'push/';

/** What one commit says: payloads it completed, and one of which more is to come. */
export interface CommitPayloads {
  readonly done: readonly string[];
  readonly part: { readonly digest: string; readonly records: number } | null;
}

export class SeenPayloads {
  /** How many of its first records are stored; infinite for all. */
  readonly #records = new Map<string, number>();
  readonly #bySlot = new Map<number, CommitPayloads>();
  /** Of the last commit that was read. */
  #batch = -1;

  /** Adds what other processes committed. */
  async refresh(store: Store, source: string): Promise<void> {
    for (const { stream, value, batch } of await positionsSince(store, source, this.#batch)) {
      if (stream.startsWith(STREAM))
        this.#set(Number(stream.slice(STREAM.length)), payloadsOf(value));
      this.#batch = Math.max(this.#batch, batch);
    }
  }

  /** How many of the payload's records are stored: 0 for a new one, infinite for all. */
  recordsOf(digest: string): number {
    return this.#records.get(digest) ?? 0;
  }

  positionOf(batch: number, { done, part }: CommitPayloads): StreamPosition {
    const value = { done: [...done], part: part === null ? null : { ...part } };
    return { stream: `${STREAM}${batch % COMMITS_KEPT}`, marks: [], value };
  }

  committed(batch: number, payloads: CommitPayloads): void {
    this.#set(batch % COMMITS_KEPT, payloads);
    this.#batch = batch;
  }

  #set(slot: number, payloads: CommitPayloads): void {
    const before = this.#bySlot.get(slot);
    for (const digest of before?.done ?? []) this.#records.delete(digest);
    const part = before?.part ?? undefined;
    if (part !== undefined && this.recordsOf(part.digest) === part.records)
      this.#records.delete(part.digest);
    this.#bySlot.set(slot, payloads);
    if (payloads.part !== null) {
      const { digest, records } = payloads.part;
      this.#records.set(digest, Math.max(records, this.recordsOf(digest)));
    }
    for (const digest of payloads.done) this.#records.set(digest, Number.POSITIVE_INFINITY);
  }
}

/** Our own writing, read leniently: a row of another build must not stop telemetry. */
function payloadsOf(value: Json): CommitPayloads {
  const { done, part } = value as unknown as Partial<CommitPayloads>;
  return { done: Array.isArray(done) ? done : [], part: part ?? null };
}
