/**
 * Stores what is pushed to one source: payload by payload in the order they came, each answered when its last record is
 * committed. What waits while a commit runs shares the next one; a large payload takes several, and others get their turn
 * in between. If another process was faster, its commits are read and the rest is tried again.
 *
 *   waiting ─► decoded ─► in a batch ─► committed ─► answered
 *                 │            └─ refused: somebody else committed ─► in the next batch
 *                 └─ unreadable ─► answered
 */
import { errorMessage, type Log, nextTurn, type Random, sha256 } from '../base/index.ts';
import type { Event } from '../facts/index.ts';
import type { Store, Write } from '../store/index.ts';
import { Batch } from './batch.ts';
import { outOfBounds } from './check-event.ts';
import type { Cleaner } from './clean-event.ts';
import { isBurden, processCpuMs } from './overhead.ts';
import { samplingWords } from './overhead-words.ts';
import { readPosition, writePosition } from './position-store.ts';
import { RunningTotals } from './running-totals.ts';
import { type CommitPayloads, SeenPayloads } from './seen-payloads.ts';
import { type SessionKey, sessionKey } from './session-key.ts';
import { loadSource, type SourceState } from './source-state.ts';
import { decodePayload, type Payload } from './sources/otlp/payload.ts';
import { onceEach } from './sources/otlp/request.ts';
import type { Decoded, SourceRecord } from './types.ts';

/** Of one turn: decoded at once, and remembered by one commit. */
const GROUP_PAYLOADS_MAX = 32;
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
/** Of one commit, as with files: some 20 ms. */
const BATCH_RECORDS_MAX = 500;
/** Sanitising takes the most time, and it goes by the length of texts. */
const BATCH_CHARS_MAX = 512 * 1024;
/** Each means that somebody else made progress. */
const REFUSALS_MAX = 50;

export type Pushed =
  /** Stored, or stored before. `rejected` of its items were not accepted; `message` says why. */
  | { readonly ok: true; readonly rejected: number; readonly message: string }
  | { readonly ok: false; readonly why: 'unreadable' | 'unavailable'; readonly message: string };

export interface LaneOptions {
  readonly source: string;
  readonly store: Store;
  readonly cleaner: Cleaner;
  readonly random: Random;
  readonly log: Log;
  readonly overheadMax: number;
}

interface Waiting {
  readonly payload: Payload;
  readonly digest: string;
  readonly answer: (pushed: Pushed) => void;
}

/** A payload whose records are being stored. */
interface Storing {
  readonly digest: string;
  readonly records: readonly SourceRecord[];
  readonly pushed: Pushed;
  /** All who sent it. */
  readonly senders: Waiting[];
}

/** Of one batch. */
interface Filled extends CommitPayloads {
  readonly records: readonly SourceRecord[];
}

export class PushLane {
  readonly #options: LaneOptions;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #seen = new SeenPayloads();
  #state: SourceState | undefined;
  /** What the last batch cost; told with the next one. */
  #costMs = 0;
  #sessionKey: SessionKey | undefined;
  /** As of the state. */
  #totals = RunningTotals.of(null);

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  push(payload: Payload): Promise<Pushed> {
    return new Promise((answer) => {
      this.#queue.push({ payload, digest: digestOf(payload), answer });
      this.#running ??= this.#run();
    });
  }

  /** Until everything that came was answered. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#storeGroup(this.#takeGroup());
      await nextTurn();
    }
    // In the same turn in which the queue was found empty: what comes later starts it again.
    this.#running = undefined;
  }

  /** Never rejects: whoever was not answered is asked to send it again. */
  async #storeGroup(group: readonly Waiting[]): Promise<void> {
    const { log, source } = this.#options;
    try {
      await this.#store(await this.#decode(group));
    } catch (error) {
      this.#state = undefined;
      const cause = errorMessage(error);
      log.error('telemetry that was sent could not be stored', { source, error: cause });
      const message = 'It could not be stored now; send it again later.';
      for (const { answer } of group) answer({ ok: false, why: 'unavailable', message });
    }
  }

  #takeGroup(): Waiting[] {
    let [count, bytes] = [0, 0];
    while (count < Math.min(this.#queue.length, GROUP_PAYLOADS_MAX)) {
      bytes += this.#queue[count]!.payload.body.length;
      if (count > 0 && bytes > GROUP_BYTES_MAX) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  /** What cannot be read, or holds nothing, is answered at once. */
  async #decode(group: readonly Waiting[]): Promise<Storing[]> {
    const nowMs = await this.#options.store.nowMs();
    const storing = new Map<string, Storing>();
    for (const one of group) {
      const same = storing.get(one.digest);
      if (same !== undefined) {
        same.senders.push(one);
        continue;
      }
      const decoded = await decodePayload(one.payload, nowMs);
      if (!decoded.ok) {
        one.answer({ ok: false, why: 'unreadable', message: decoded.why });
        continue;
      }
      const pushed = answerOf(decoded, nowMs);
      const records = onceEach(decoded.records).map(asRecord);
      if (records.length === 0) one.answer(pushed);
      else storing.set(one.digest, { digest: one.digest, records, pushed, senders: [one] });
    }
    return [...storing.values()];
  }

  async #store(storing: readonly Storing[]): Promise<void> {
    let refusals = 0;
    for (let left = storing; left.length > 0; ) {
      const state = this.#state ?? (await this.#load());
      left = this.#answerStored(left);
      if (left.length === 0) return;
      const filled = this.#fill(left);
      if (await this.#commit(state, filled)) left = this.#answerStored(left);
      else if (++refusals > REFUSALS_MAX) throw new Error('other processes were always faster');
      await nextTurn();
    }
  }

  /** The row is read first: what is read afterwards can only be newer, and then the commit is refused. */
  async #load(): Promise<SourceState> {
    const { store, source } = this.#options;
    const state = await loadSource(store, source);
    await this.#seen.refresh(store, source);
    this.#totals = await storedTotals(store, source);
    this.#state = state;
    return state;
  }

  /** Also those that another process stored in the meantime. */
  #answerStored(storing: readonly Storing[]): readonly Storing[] {
    const isStored = ({ digest, records }: Storing) =>
      this.#seen.recordsOf(digest) >= records.length;
    for (const { senders, pushed } of storing.filter(isStored))
      for (const { answer } of senders) answer(pushed);
    return storing.filter((one) => !isStored(one));
  }

  #fill(storing: readonly Storing[]): Filled {
    const taken: SourceRecord[] = [];
    const done: string[] = [];
    let chars = 0;
    for (const { digest, records } of storing) {
      const from = this.#seen.recordsOf(digest);
      let at = from;
      while (at < records.length) {
        chars += charsOf(records[at]!);
        const isFull = taken.length >= BATCH_RECORDS_MAX || chars > BATCH_CHARS_MAX;
        if (isFull && taken.length > 0)
          return { records: taken, done, part: at > from ? { digest, records: at } : null };
        taken.push(records[at]!);
        at += 1;
      }
      done.push(digest);
    }
    return { records: taken, done, part: null };
  }

  /** False if somebody else committed in the meantime. */
  async #commit(state: SourceState, { records, ...payloads }: Filled): Promise<boolean> {
    const { store, cleaner, log, source, overheadMax } = this.#options;
    const startMs = processCpuMs();
    this.#state = undefined; // until it is known that the batch is there
    const batch = state.batch + 1;
    const totals = this.#totals;
    const planned = await new Batch(cleaner, state, {
      stream: 'http',
      records: records.map((one) => totals.newOf(one)),
      position: this.#seen.positionOf(batch, payloads),
      nowMs: await store.nowMs(),
      sessionKey: await this.#key(),
      costMs: this.#costMs,
      overheadMax,
    }).plan();
    const { plan } = planned;
    const writes = [...(plan.writes ?? []), ...totalsWrites(totals, source, batch)];
    const { committed } = await store.commit({ ...plan, writes });
    if (isBurden(records.length)) this.#costMs = processCpuMs() - startMs;
    if (!committed) return false;
    this.#state = planned.state;
    totals.stored();
    this.#seen.committed(batch, payloads);
    const sampling = samplingWords(state, planned.state);
    if (sampling !== undefined) log.warn(sampling, { source });
    const { notSanitised: lines } = planned;
    if (lines > 0) log.error('the sanitiser failed', { source, lines });
    return true;
  }

  async #key(): Promise<SessionKey> {
    const { store, random } = this.#options;
    this.#sessionKey ??= await sessionKey(store, random);
    return this.#sessionKey;
  }
}

/** The stream under which a source's running totals are stored. */
const TOTALS = 'totals';

/** Read behind the source's row: if somebody commits in between, this one's commit is refused. */
async function storedTotals(store: Store, source: string): Promise<RunningTotals> {
  return RunningTotals.of(await readPosition(store, source, TOTALS));
}

function totalsWrites(totals: RunningTotals, source: string, batch: number): Write[] {
  if (!totals.isChanged) return [];
  return writePosition(source, { stream: TOTALS, marks: [], value: totals.state() }, batch);
}

/** 128 bits: nobody finds two bodies with the same. */
function digestOf({ signal, body }: Payload): string {
  const digest = sha256(Buffer.concat([Buffer.from(`${signal}\n`), body]));
  return digest.subarray(0, 16).toString('base64url');
}

/** Its place is its number in the payload. No text is kept of what is set aside: the reason says what it was. */
function asRecord(decoded: Decoded, at: number): SourceRecord {
  return { ...decoded, text: '', offset: at, line: null };
}

/** Of texts that are sanitised. */
function charsOf(record: SourceRecord): number {
  if (!record.ok) return 0;
  let chars = 0;
  for (const value of Object.values(record.event as Event))
    if (typeof value === 'string') chars += value.length;
  return chars;
}

const REASONS_MAX = 3;

function answerOf(
  { records, items }: { readonly records: readonly Decoded[]; readonly items: number },
  nowMs: number,
): Pushed {
  const reasons = new Map<string, number>();
  let rejected = 0;
  for (const one of records) {
    const refused = one.ok ? outOfBounds(one.event, nowMs) : one;
    if (refused === undefined) continue;
    rejected += 1;
    reasons.set(refused.detail, (reasons.get(refused.detail) ?? 0) + 1);
  }
  const told = [...reasons].slice(0, REASONS_MAX).map(([detail, count]) => `${detail} (${count})`);
  return { ok: true, rejected: Math.min(rejected, items), message: told.join(' ') };
}
